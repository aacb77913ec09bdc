import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '#server/platform/database/database.ts'
import { createCounter, createHistogram, gauge, type Metric, total } from './metric.ts'

export type RequestMeter = {
  readonly watch: (app: FastifyInstance) => void
  readonly metrics: () => readonly Metric[]
}

/** Histogram bounds in seconds, chosen for page reads and writes; exports and uploads take longer. */
const BOUNDS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 10]

/** Responses rejected because of load. */
const REFUSALS: ReadonlySet<number> = new Set([429, 503])

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])

/** Uses the route pattern instead of the URL, which would create a time series per record. */
const routeOf = (request: FastifyRequest): string => request.routeOptions.url ?? 'other'

const methodOf = ({ method }: FastifyRequest): string => (METHODS.has(method) ? method : 'other')

export function requestMeter(): RequestMeter {
  const requests = createCounter()
  const refusals = createCounter()
  const durations = createHistogram(BOUNDS)
  let inFlight = 0

  return {
    watch: (app) => {
      app.addHook('onRequest', (request, reply, done) => {
        const startedAt = performance.now()
        inFlight += 1
        let isWhole = false
        reply.raw.once('finish', () => {
          isWhole = true
        })
        // Emitted once, whether the response completed or the client disconnected.
        reply.raw.once('close', () => {
          inFlight -= 1
          const [method, route] = [methodOf(request), routeOf(request)]
          const status = isWhole ? `${Math.floor(reply.raw.statusCode / 100)}xx` : 'hung-up'
          requests.add({ method, route, status })
          durations.note({ method, route }, (performance.now() - startedAt) / 1000)
          if (REFUSALS.has(reply.raw.statusCode)) refusals.add({ status: String(reply.raw.statusCode) })
        })
        done()
      })
    },
    metrics: () => [
      total('dossier_http_requests_total', 'HTTP requests by route and status class.', requests.samples()),
      {
        name: 'dossier_http_request_duration_seconds',
        help: 'HTTP request duration, from headers received to last byte sent.',
        type: 'histogram',
        spreads: durations.spreads(),
      },
      gauge('dossier_http_requests_in_flight', 'HTTP requests in progress, including this one.', inFlight),
      total('dossier_http_refusals_total', 'HTTP requests rejected because the server was busy.', refusals.samples()),
    ],
  }
}

/** In seconds. A write typically takes milliseconds, at most 60 s. */
const STATEMENT_BOUNDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5, 20]

/** Counts and times writes, from queueing until they are flushed to disk. */
export function meteredDatabase(database: Database): {
  readonly database: Database
  readonly metrics: () => readonly Metric[]
} {
  const writes = createCounter()
  const durations = createHistogram(STATEMENT_BOUNDS)

  const write: Database['write'] = async (work, options) => {
    const startedAt = performance.now()
    let outcome = 'undone'
    try {
      const answer = await database.write(work, options)
      outcome = 'stored'
      return answer
    } finally {
      writes.add({ outcome })
      durations.note({}, (performance.now() - startedAt) / 1000)
    }
  }
  return { database: { ...database, write }, metrics: () => [...loadMetrics(database), ...writeMetrics()] }

  function writeMetrics(): readonly Metric[] {
    return [
      total(
        'dossier_database_writes_total',
        'Write transactions by result: committed, rejected or failed.',
        writes.samples(),
      ),
      {
        name: 'dossier_database_write_duration_seconds',
        help: 'Write duration, from queue to commit.',
        type: 'histogram',
        spreads: durations.spreads(),
      },
    ]
  }
}

function loadMetrics(database: Database): readonly Metric[] {
  const load = Object.entries(database.load())
  const by = (key: 'places' | 'taken' | 'waiting') => load.map(([use, line]) => ({ labels: { use }, value: line[key] }))
  return [
    {
      name: 'dossier_database_places',
      help: 'Maximum concurrent statements (connections or threads).',
      type: 'gauge',
      samples: by('places'),
    },
    { name: 'dossier_database_places_taken', help: 'Statements in progress.', type: 'gauge', samples: by('taken') },
    {
      name: 'dossier_database_waiting',
      help: 'Statements waiting in the queue.',
      type: 'gauge',
      samples: by('waiting'),
    },
  ]
}
