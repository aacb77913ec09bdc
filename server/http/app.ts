import { constants } from 'node:zlib'
import { randomUUID } from 'node:crypto'
import fastifyCompress from '@fastify/compress'
import fastifyCookie from '@fastify/cookie'
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify'
import { answerErrors, answerFailure } from './errors.ts'
import type { Authenticate } from './guard.ts'
import { logRequests } from './logging.ts'
import { mountRoutes } from './mount-route.ts'
import type { Route } from './route.ts'
import { addSecurityHeaders } from './security-headers.ts'
import { answerUnknownAddresses } from './unknown-address.ts'
import { serveWebFiles } from './web-files.ts'

/** What the HTTP shell is made from. */
export type AppNeeds = {
  readonly routes: readonly Route[]
  readonly authenticate: Authenticate
  readonly log: FastifyBaseLogger
  /** The public address: whether it is https decides about headers. */
  readonly publicUrl: URL
  /** Addresses whose `X-Forwarded-*` is believed. */
  readonly trustedProxies: readonly string[]
  /** Where the built interface lies. */
  readonly webFolder: string
}

/** Answers below this size fit one network packet as they are. */
const SMALLEST_COMPRESSED_BYTES = 1400

/** Longest part of an address between two slashes. */
const MAX_ADDRESS_PART = 500

/** The HTTP shell: it knows how to ask, guard, answer and refuse, and nothing of what the routes are about. */
export async function buildApp(needs: AppNeeds): Promise<FastifyInstance> {
  const app: FastifyInstance = fastify({
    loggerInstance: needs.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: needs.trustedProxies.length > 0 ? [...needs.trustedProxies] : false,
    frameworkErrors: (error, request, reply) => void answerFailure(error, request, reply),
    routerOptions: { maxParamLength: MAX_ADDRESS_PART },
  })
  addSecurityHeaders(app, needs.publicUrl.protocol === 'https:')
  logRequests(app)
  answerErrors(app)
  await app.register(fastifyCookie)
  await app.register(fastifyCompress, {
    global: true,
    globalDecompression: false,
    encodings: ['gzip'],
    threshold: SMALLEST_COMPRESSED_BYTES,
    zlibOptions: { level: constants.Z_BEST_SPEED },
  })
  const sendPage = serveWebFiles(app, needs.webFolder)
  mountRoutes(app, needs.routes, needs.authenticate)
  answerUnknownAddresses(app, needs.routes, sendPage)
  return app
}
