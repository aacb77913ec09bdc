import { randomUUID } from 'node:crypto'
import fastifyCookie from '@fastify/cookie'
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify'
import { answerMalformedRequest } from './malformed-requests.ts'
import { compressResponses } from './responses/compress-responses.ts'
import { CONNECTION_TIMEOUTS, limitConnections } from './limits/connection-limits.ts'
import { createConcurrencyLimiter } from './limits/concurrency-limiter.ts'
import { answerErrors, answerFailure } from './responses/errors.ts'
import type { SessionSettings } from '#server/platform/config/session-settings.ts'
import type { Authenticate } from '#server/platform/http/guard.ts'
import { monitorEventLoopLag } from './limits/event-loop-lag.ts'
import { logRequests } from '#server/platform/http/logging.ts'
import { mountRoutes } from './mount-route.ts'
import type { Route } from '#server/platform/http/route.ts'
import { addSecurityHeaders } from './responses/security-headers.ts'
import { answerNotFound } from './not-found.ts'
import { addVersionHeader } from './responses/version-header.ts'
import { serveWebFiles } from './web-files.ts'

/** What the HTTP shell is made from. */
export type AppDeps = {
  readonly routes: readonly Route[]
  readonly authenticate: Authenticate
  /** Has the next request look at the definitions anew. */
  readonly forgetDefinitions: () => void
  readonly log: FastifyBaseLogger
  /** The public address: whether it is https decides about headers. */
  readonly publicUrl: URL
  /** Addresses whose `X-Forwarded-*` is believed. */
  readonly trustedProxies: readonly string[]
  /** Where the built interface lies. */
  readonly webFolder: string
  /** What the interface is told of the session. */
  readonly session: SessionSettings
  /** Counts requests from their first hook on. */
  readonly watch?: (app: FastifyInstance) => void
}

/** Longest part of an address between two slashes. */
const MAX_ADDRESS_PART = 500

/**
 * What goes in and out is checked by the schemas of `api/`. Were Fastify not told so, it would load two compilers for
 * schemas of its own: a tenth of everything the server loads.
 */
const rejectFastifySchemas = (): never => {
  throw new Error('A route has a Fastify schema. Define it in api/ instead.')
}

/** The HTTP shell: it knows how to ask, guard, answer and refuse, and nothing of what the routes are about. */
export async function buildApp(needs: AppDeps): Promise<FastifyInstance> {
  const app: FastifyInstance = fastify({
    loggerInstance: needs.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // What comes over a connection in use while the server ends is done as ever: nobody else is asked for it, and 503 would be news to many.
    return503OnClosing: false,
    trustProxy: needs.trustedProxies.length > 0 ? [...needs.trustedProxies] : false,
    frameworkErrors: (error, request, reply) => void answerFailure(error, request, reply),
    schemaController: {
      compilersFactory: { buildValidator: rejectFastifySchemas, buildSerializer: rejectFastifySchemas },
    },
    clientErrorHandler: answerMalformedRequest,
    routerOptions: { maxParamLength: MAX_ADDRESS_PART },
    ...CONNECTION_TIMEOUTS,
  })
  limitConnections(app.server)
  needs.watch?.(app)
  addSecurityHeaders(app, needs.publicUrl.protocol === 'https:')
  addVersionHeader(app, needs)
  logRequests(app)
  answerErrors(app)
  await app.register(fastifyCookie)
  compressResponses(app)
  const sendPage = serveWebFiles(app, needs)
  const lateLooks = monitorEventLoopLag()
  app.addHook('onClose', async () => lateLooks.stop())
  mountRoutes(app, needs.routes, { ...needs, crowd: createConcurrencyLimiter(lateLooks) })
  answerNotFound(app, needs.routes, sendPage)
  return app
}
