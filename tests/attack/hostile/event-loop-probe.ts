/**
 * Loaded into a server under trial by `--import`: at each SIGUSR2 it writes how long its event loop was busy with one thing at
 * most since the last time, what it holds after everything it does not need is thrown away, and how much memory it ever had.
 * Where it connects to is told at once. Busy is what the thread itself computed: on a machine that others use too, waiting for a turn is nobody's fault.
 */
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { isMainThread } from 'node:worker_threads'

const TICK_MS = 5

if (isMainThread) {
  const busySoFar = (): number => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let [longest, before] = [0, busySoFar()]
  setInterval(() => {
    const now = busySoFar()
    longest = Math.max(longest, now - before)
    before = now
  }, TICK_MS).unref()
  // Wherever it goes by itself, before anybody answers there.
  subscribe('net.client.socket', (message) => {
    const { socket } = message as { readonly socket: Socket }
    const say = (address: string, port: number) => process.stderr.write(`probe: goes to ${address} ${port}\n`)
    socket.on('connectionAttempt', say)
  })
  process.on('SIGUSR2', () => {
    const stall = Math.max(longest, busySoFar() - before)
    globalThis.gc?.()
    const peak = process.resourceUsage().maxRSS * 1024
    process.stderr.write(
      `probe: busy ${stall.toFixed(1)} ms, holds ${process.memoryUsage().heapUsed} bytes, ${peak} at most\n`,
    )
    ;[longest, before] = [0, busySoFar()]
  })
}
