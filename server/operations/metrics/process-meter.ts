import { readdir } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { gauge, gauges, type Metric, total } from './metric.ts'

/** How often the event loop is looked at, in ms; what it adds of itself is taken off again. */
const SAMPLE_INTERVAL_MS = 10

type Delay = ReturnType<typeof monitorEventLoopDelay>

const NANOSECONDS = 1e9

const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / NANOSECONDS - SAMPLE_INTERVAL_MS / 1000)

/** Where Linux lists what a process holds open; elsewhere there is no such number. */
const openFiles = (): Promise<number | undefined> =>
  readdir('/proc/self/fd').then(
    (names) => names.length,
    () => undefined,
  )

function countByName(names: readonly string[]): { [name: string]: number } {
  const counts: { [name: string]: number } = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

function delayMetrics(delay: Delay): readonly Metric[] {
  const of = (value: number): number | undefined => (delay.count === 0 ? undefined : seconds(value))
  const since = 'Event-loop lag since the last scrape:'
  return [
    gauge('nodejs_eventloop_lag_p50_seconds', `${since} median.`, of(delay.percentile(50))),
    gauge('nodejs_eventloop_lag_p99_seconds', `${since} 99th percentile.`, of(delay.percentile(99))),
    gauge('nodejs_eventloop_lag_max_seconds', `${since} maximum.`, of(delay.max)),
  ]
}

/** What is known of the process, under the names that dashboards for Node expect. Nothing is measured before somebody asks. */
export function processMeter() {
  let delay: Delay | undefined
  return {
    metrics: async (): Promise<readonly Metric[]> => {
      delay ??= startMonitor()
      const { user, system } = process.cpuUsage()
      const memory = process.memoryUsage()
      const loop = performance.eventLoopUtilization()
      const metrics = [
        ...delayMetrics(delay),
        total('process_cpu_user_seconds_total', 'User CPU time.', processMetrics(user / 1e6)),
        total('process_cpu_system_seconds_total', 'System CPU time.', processMetrics(system / 1e6)),
        gauge('process_resident_memory_bytes', 'Resident memory.', memory.rss),
        gauge('nodejs_heap_size_used_bytes', 'Heap memory in use.', memory.heapUsed),
        gauge('nodejs_heap_size_total_bytes', 'Heap memory reserved.', memory.heapTotal),
        gauge('nodejs_external_memory_bytes', 'Memory of buffers and native libraries.', memory.external),
        gauge('process_open_fds', 'Open file descriptors.', await openFiles()),
        gauge('process_start_time_seconds', 'Process start time, in seconds since the Unix epoch.', START_SECONDS),
        gauges('nodejs_active_resources', 'Active libuv resources by type.', {
          label: 'type',
          values: countByName(process.getActiveResourcesInfo()),
        }),
        total(
          'dossier_event_loop_active_seconds_total',
          'Time the event loop was active.',
          processMetrics(loop.active / 1000),
        ),
      ]
      delay.reset()
      return metrics
    },
    stop: (): void => void delay?.disable(),
  }
}

const START_SECONDS = Math.round(performance.timeOrigin / 1000)

const processMetrics = (value: number) => [{ labels: {}, value }]

function startMonitor(): Delay {
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_INTERVAL_MS })
  delay.enable()
  return delay
}
