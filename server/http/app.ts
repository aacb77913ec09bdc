import { createHash, randomBytes, randomUUID } from 'node:crypto'
import fastifyCookie from '@fastify/cookie'
import {
  fastify,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { compressResponses } from './responses/compress-responses.ts'
import { allowOrigins, addSecurityHeaders, isData, pagePolicy } from './responses/security-headers.ts'
import { CONNECTION_TIMEOUTS, limitConnections } from './limits/connection-limits.ts'
import { createConcurrencyLimiter, monitorEventLoopLag } from '#server/http/limits/concurrency-limiter.ts'
import { answerErrors, answerFailure, bodyOfProblem, sendProblem } from './responses/errors.ts'
import { type SessionSettings, withSessionSettings } from '#server/platform/config/session-settings.ts'
import type { Authenticate } from '#server/platform/http/guard.ts'
import { logRequests } from '#server/platform/http/logging.ts'
import { mountRoutes } from './mount-route.ts'
import type { Route } from '#server/platform/http/route.ts'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '#server/platform/config/project-root.ts'
import { Problem } from '#domain/shared/problem.ts'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static'
import {
  HOST_LANGUAGE_COOKIE,
  type Language,
  LANGUAGE_COOKIE,
  LANGUAGES,
  preferredLanguage,
  toLanguage,
} from '#domain/shared/language.ts'

/** The meta tag that passes the response's CSP nonce to the page. */
const NONCE_TAG = /<meta\s+name="csp-nonce"[^>]*>/

const NOT_BUILT = `<!doctype html><html lang="en"><title>Dossier</title><p>The interface is not built yet. Run
<code>npm start</code>, which builds it, or <code>npm run dev</code>.</p></html>`

/** Unsupported languages fall back to English. */
function readPages(folder: string, session: SessionSettings): ReadonlyMap<Language, string> {
  const pages = LANGUAGES.flatMap((language) => {
    const file = join(folder, language === 'en' ? 'index.html' : `index.${language}.html`)
    return existsSync(file) ? [[language, withSessionSettings(readFileSync(file, 'utf8'), session)] as const] : []
  })
  return new Map(pages)
}

/** The language cookie, otherwise `Accept-Language`. */
const languageFor = ({ cookies, headers }: FastifyRequest): Language =>
  toLanguage(cookies[HOST_LANGUAGE_COOKIE] ?? cookies[LANGUAGE_COOKIE]) ??
  preferredLanguage(headers['accept-language']) ??
  'en'

type ServedInterface = { readonly webFolder: string; readonly session: SessionSettings }

/** Sends the web app's HTML page, the same for every URL; undefined if the URL can't be a page. */
type SendPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined

/** Whether a URL names a file (`/favicon.ico`) and must not return the page. */
const namesFile = (path: string): boolean => /\.[a-z0-9]{2,5}$/i.test(path)

function asksForPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const path = request.url.split('?', 1)[0] ?? ''
  return !path.startsWith('/assets/') && (!namesFile(path) || (request.headers.accept ?? '').includes('text/html'))
}

/**
 * Serves the built web app. Files in `assets/` have content hashes and are cached for a year; the page has no ETag,
 * because its nonce is specific to one response.
 */
function serveWebFiles(app: FastifyInstance, { webFolder: folder, session }: ServedInterface): SendPage {
  const pages = readPages(folder, session)
  const english = pages.get('en') ?? NOT_BUILT
  if (pages.size > 0) {
    const serve = (root: string, cacheControl: string, options: Partial<FastifyStaticOptions>) =>
      app.register(fastifyStatic, {
        root,
        index: false,
        preCompressed: true,
        cacheControl: false,
        setHeaders: (reply) => void reply.header('cache-control', cacheControl),
        ...options,
      })
    // Each file would otherwise get a route, which takes 0.2 s at start.
    serve(join(folder, 'assets'), 'public, max-age=31536000, immutable', { prefix: '/assets/', decorateReply: false })
    serve(folder, 'no-cache', { wildcard: false, globIgnore: ['assets/**', '**/*.{br,gz}'] })
  }
  return (request, reply) => {
    if (!asksForPage(request)) return undefined
    const nonce = randomBytes(16).toString('base64url')
    const page = pages.get(languageFor(request)) ?? english
    return reply
      .code(200)
      .headers({
        'content-security-policy': pagePolicy(nonce),
        'cache-control': 'no-cache',
        vary: 'Accept-Language, Cookie',
      })
      .type('text/html; charset=utf-8')
      .send(page.replace(NONCE_TAG, `<meta name="csp-nonce" content="${nonce}">`))
  }
}

type ConnectionError = Error & { readonly code?: string }

/** Maps errors of Node's HTTP parser, which never reach a route. */
function problemOf({ code }: ConnectionError): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('too-large', 'The URL and headers of a request can be at most 16 KB in total.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('invalid-request', 'Request timeout: the request didn’t arrive in time.')
    default:
      return new Problem('invalid-request', 'Malformed HTTP request.')
  }
}

/** Responds to a malformed request and closes the connection, because the next request's start can't be determined. */
function answerMalformedRequest(error: ConnectionError, socket: Socket): void {
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const problem = problemOf(error)
    const body = JSON.stringify(bodyOfProblem(problem, randomUUID()))
    const head = [
      `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
      'Content-Type: application/problem+json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Connection: close',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
  socket.destroy()
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/:[^/]+/g, '[^/]+')}$`)

/** Responds with the page for page URLs, 405 for a known path with another method, and otherwise 404. */
function answerNotFound(app: FastifyInstance, routes: readonly Route[], sendPage: SendPage): void {
  const known = routes.map(({ endpoint }) => ({ method: endpoint.method, pattern: patternOf(endpoint.path) }))

  app.setNotFoundHandler((request, reply) => {
    const page = isData(request.url) ? undefined : sendPage(request, reply)
    if (page !== undefined) return page

    const path = request.url.split('?', 1)[0] ?? ''
    const methods = known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    if (methods.length === 0) {
      return sendProblem(request, reply, new Problem('not-found', 'Not found: there is nothing at this URL.'))
    }
    const allowed = [...new Set(methods)].sort().join(', ')
    reply.header('allow', allowed)
    return sendProblem(
      request,
      reply,
      new Problem('method-not-allowed', `${request.method} isn’t allowed here. Allowed: ${allowed}.`),
    )
  })
}

type Interface = { readonly webFolder: string; readonly session: SessionSettings }

/** Combines version and build, because the same version can be rebuilt or configured differently. */
function versionTag({ webFolder, session }: Interface): string {
  const page = join(webFolder, 'index.html')
  if (!existsSync(page)) return VERSION
  return `${VERSION}+${createHash('sha256').update(readFileSync(page)).update(JSON.stringify(session)).digest('hex').slice(0, 8)}`
}

/** Sends the server's version, so that the web app can detect that it is outdated. */
function addVersionHeader(app: FastifyInstance, deps: Interface): void {
  const mark = versionTag(deps)
  app.addHook('onRequest', async ({ url }, reply) => {
    if (isData(url)) reply.header('dossier-version', mark)
  })
}

export type AppDeps = {
  readonly routes: readonly Route[]
  readonly authenticate: Authenticate
  readonly forgetDefinitions: () => void
  readonly log: FastifyBaseLogger
  /** If the URL uses https, security headers enforce https. */
  readonly publicUrl: URL
  /** Proxy addresses whose `X-Forwarded-*` headers are trusted. */
  readonly trustedProxies: readonly string[]
  /** Origins whose scripts may call the API with a token. */
  readonly corsOrigins: readonly string[]
  readonly webFolder: string
  readonly session: SessionSettings
  readonly watch?: (app: FastifyInstance) => void
}

/** Maximum length of a path segment, in characters. */
const MAX_ADDRESS_PART = 500

/**
 * Schemas in `api/` validate input and output; Fastify's schema compilers would make up a tenth of the server's code.
 */
const rejectFastifySchemas = (): never => {
  throw new Error('A route has a Fastify schema. Define it in api/ instead.')
}

/** Builds the Fastify application: parsing, access checks, limits and error handling. Independent of records. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const app: FastifyInstance = fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // Requests on open connections are served normally during shutdown; a 503 would disrupt clients without any
    // benefit.
    return503OnClosing: false,
    trustProxy: deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false,
    frameworkErrors: (error, request, reply) => void answerFailure(error, request, reply),
    schemaController: {
      compilersFactory: { buildValidator: rejectFastifySchemas, buildSerializer: rejectFastifySchemas },
    },
    clientErrorHandler: answerMalformedRequest,
    routerOptions: { maxParamLength: MAX_ADDRESS_PART },
    ...CONNECTION_TIMEOUTS,
  })
  limitConnections(app.server)
  deps.watch?.(app)
  addSecurityHeaders(app, deps.publicUrl.protocol === 'https:')
  addVersionHeader(app, deps)
  logRequests(app)
  answerErrors(app)
  await app.register(fastifyCookie)
  await allowOrigins(app, deps.corsOrigins)
  compressResponses(app)
  const sendPage = serveWebFiles(app, deps)
  const eventLoopLag = monitorEventLoopLag()
  app.addHook('onClose', async () => eventLoopLag.stop())
  mountRoutes(app, deps.routes, { ...deps, limiter: createConcurrencyLimiter(eventLoopLag) })
  answerNotFound(app, deps.routes, sendPage)
  return app
}
