/**
 * Loaded with `--import`: at each SIGUSR2 it writes the longest event-loop delays since the last one to standard error.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const RESOLUTION_MS = 10

if (isMainThread) {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  // Subtracts the timer resolution.
  const delayMs = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS).toFixed(1)
  process.on('SIGUSR2', () => {
    process.stderr.write(`event-loop p99 ${delayMs(histogram.percentile(99))} max ${delayMs(histogram.max)}\n`)
    histogram.reset()
  })
}
