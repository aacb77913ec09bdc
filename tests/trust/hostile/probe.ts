/**
 * Loaded into a server under trial by `--import`: at each SIGUSR2 it writes how long its event loop was busy with one thing at
 * most since the last time, and what it holds after everything it does not need is thrown away. Busy is what the thread
 * itself computed: on a machine that others use too, waiting for a turn is nobody's fault.
 */
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
  process.on('SIGUSR2', () => {
    const stall = Math.max(longest, busySoFar() - before)
    globalThis.gc?.()
    process.stderr.write(`probe: busy ${stall.toFixed(1)} ms, holds ${process.memoryUsage().heapUsed} bytes\n`)
    ;[longest, before] = [0, busySoFar()]
  })
}
