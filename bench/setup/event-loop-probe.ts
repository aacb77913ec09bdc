/** Loaded with `--import`; on each SIGUSR2, writes the event-loop delays since the last signal to standard error. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const RESOLUTION_MS = 10

if (isMainThread) {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  // Subtracts the timer resolution, which the histogram includes.
  const delayMs = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS).toFixed(1)
  process.on('SIGUSR2', () => {
    process.stderr.write(`event-loop p99 ${delayMs(histogram.percentile(99))} max ${delayMs(histogram.max)}\n`)
    histogram.reset()
  })
}
