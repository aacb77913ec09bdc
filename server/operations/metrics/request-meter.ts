import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Metric, createCounter, createHistogram, gauge, total } from './metric.ts'

export type RequestMeter = {
  readonly watch: (app: FastifyInstance) => void
  readonly metrics: () => readonly Metric[]
}

/** In seconds, around the budgets of pages and writes; exports and uploads take longer. */
const BOUNDS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 10]

/** Rejected because of load. */
const REFUSALS: ReadonlySet<number> = new Set([429, 503])

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'])

/** The route pattern, never the URL, which would create a series per record. */
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
        // Emitted once, whether the response was completed or the client disconnected.
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
