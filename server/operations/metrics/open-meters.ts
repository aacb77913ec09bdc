import type { FastifyInstance } from 'fastify'
import type { Clock } from '#domain/shared/time.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Route } from '#server/platform/http/route.ts'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import { VERSION } from '#server/platform/config/project-root.ts'
import { meteredDatabase, requestMeter } from './meters.ts'
import {
  createCounter,
  createHistogram,
  gauge,
  gauges,
  type Meter,
  type Metric,
  metricsRoutes,
  total,
} from './metric.ts'
import { countWork, type WorkCounts } from './store.ts'
import { readdir } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Sampling interval for event-loop lag; subtracted from the result. */
const SAMPLE_INTERVAL_MS = 10

type Delay = ReturnType<typeof monitorEventLoopDelay>

const NANOSECONDS = 1e9

const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / NANOSECONDS - SAMPLE_INTERVAL_MS / 1000)

/** Linux only. */
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

/** Standard Node metrics. Measurement starts with the first scrape. */
function processMeter() {
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
        gauge('nodejs_external_memory_bytes', 'Memory used by buffers and native libraries.', memory.external),
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

/** In seconds: disks respond within milliseconds, S3 within tenths of a second. */
const BOUNDS = [0.002, 0.01, 0.05, 0.1, 0.5, 1, 5, 30]

function meteredStorage(blobs: BlobStorage): {
  readonly blobs: BlobStorage
  readonly metrics: () => readonly Metric[]
} {
  const requests = createCounter()
  const durations = createHistogram(BOUNDS)

  async function timed<Answer>(operation: string, run: () => Promise<Answer>): Promise<Answer> {
    const startedAt = performance.now()
    let outcome = 'failed'
    try {
      const answer = await run()
      outcome = 'answered'
      return answer
    } finally {
      requests.add({ operation, outcome })
      durations.note({ operation }, (performance.now() - startedAt) / 1000)
    }
  }
  return {
    blobs: {
      ...blobs,
      publish: (path, hash) => timed('publish', () => blobs.publish(path, hash)),
      open: (hash) => timed('open', () => blobs.open(hash)),
      remove: (hash) => timed('remove', () => blobs.remove(hash)),
      check: () => timed('check', () => blobs.check()),
    },
    metrics: () => [
      total('dossier_storage_requests_total', 'File storage operations by result.', requests.samples()),
      {
        name: 'dossier_storage_request_duration_seconds',
        help: 'File storage response time, without the download itself.',
        type: 'histogram',
        spreads: durations.spreads(),
      },
    ],
  }
}

type WorkDeps = { readonly database: Database; readonly clock: Clock }

function workMeter({ database, clock }: WorkDeps) {
  let counting: Promise<WorkCounts> | undefined

  /** Concurrent scrapes share one query. */
  function figures(): Promise<WorkCounts> {
    counting ??= countWork(database.read, clock()).finally(() => {
      counting = undefined
    })
    return counting
  }

  return { metrics: async (): Promise<readonly Metric[]> => metricsOf(await figures()) }
}

const metricsOf = (counted: WorkCounts): readonly Metric[] => [
  gauge('dossier_sessions_open', 'Active sessions.', counted.openSessions),
  gauges('dossier_mails', 'Emails waiting to be sent, and failed emails.', {
    label: 'state',
    values: counted.mails,
  }),
  gauge('dossier_jobs_running', 'Bulk jobs in progress.', counted.jobsRunning),
  gauges('dossier_imports', 'Imports being previewed, running or being undone.', {
    label: 'state',
    values: counted.imports,
  }),
  gauge('dossier_uploads_open', 'Incomplete uploads.', counted.uploads.open),
  gauge('dossier_uploads_committed_bytes', 'Bytes received for incomplete uploads.', counted.uploads.committedBytes),
  gauge('dossier_files_used_bytes', 'Bytes used by files.', counted.storage.usedBytes),
  gauge('dossier_files_reserved_bytes', 'Bytes reserved by open uploads.', counted.storage.reservedBytes),
  gauge('dossier_files_quarantined_bytes', 'Bytes of unused files in quarantine.', counted.storage.quarantinedBytes),
  gauge('dossier_search_gaps', 'Incomplete search indexes.', counted.searchGaps),
  gauge('dossier_indexes_building', 'List indexes being built.', counted.indexesBuilding),
]

export type Meters = {
  readonly database: Database
  readonly measured: (blobs: BlobStorage) => BlobStorage
  readonly watch: (app: FastifyInstance) => void
  readonly routes: readonly Route[]
  readonly stop: () => void
}

export type MeterDeps = { readonly config: Config; readonly database: Database; readonly clock: Clock }

export function openMeters({ config, database: bare, clock }: MeterDeps): Meters {
  const { database, metrics: databaseMetrics } = meteredDatabase(bare)
  const requests = requestMeter()
  const ofProcess = processMeter()
  const meters: Meter[] = [
    { metrics: () => [buildInfo(config, bare)] },
    ofProcess,
    requests,
    { metrics: databaseMetrics },
    workMeter({ database: bare, clock }),
  ]
  return {
    database,
    measured: (plain) => {
      const { blobs, metrics } = meteredStorage(plain)
      meters.push({ metrics })
      return blobs
    },
    watch: requests.watch,
    routes: metricsRoutes(() => meters),
    stop: ofProcess.stop,
  }
}

const buildInfo = ({ s3 }: Config, { dialect }: Database): Metric =>
  gauge('dossier_build_info', 'Version and runtime information.', 1, {
    version: VERSION,
    node: process.versions.node,
    database: dialect,
    storage: s3 === undefined ? 'disk' : 's3',
  })
