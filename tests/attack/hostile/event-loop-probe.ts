/**
 * Loaded into a tested server with `--import`. Reports event-loop delay, heap after garbage collection, and peak memory
 * on each SIGUSR2, and connections immediately.
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
  // Reports every outgoing connection when it is attempted.
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
