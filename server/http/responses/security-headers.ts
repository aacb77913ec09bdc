import type { FastifyInstance, FastifyRequest } from 'fastify'
import fastifyCors, { type FastifyCorsOptions } from '@fastify/cors'
import { isSignInPath } from '#server/platform/http/guard.ts'

const FOR_ALL = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Other sites must not learn our URLs, because the setup link contains its code.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
} as const

/** Prevents data from running scripts, even if opened as a page. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** For all other files, such as the web app's scripts and images. */
const FILE_POLICY = "frame-ancestors 'none'; object-src 'none'; base-uri 'none'"

/** One year; sent only if the public URL uses https. */
const TRANSPORT = 'max-age=31536000'

/**
 * The page's CSP. Style elements need the nonce (Mantine and Tiptap insert some); style attributes are allowed, because
 * text pasted from a word processor would otherwise lose its formatting.
 */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src-elem 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Adds security headers, but keeps headers set by a handler. Data isn't cached unless the handler allows it. */
export function addSecurityHeaders(app: FastifyInstance, isHttps: boolean): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(FOR_ALL)
    if (isHttps) reply.header('strict-transport-security', TRANSPORT)
  })
  app.addHook('onSend', async (request, reply) => {
    const isOfData = isData(request.url)
    if (isOfData && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    if (reply.hasHeader('content-security-policy')) return
    reply.header('content-security-policy', isOfData ? DATA_POLICY : FILE_POLICY)
  })
}

/** Whether a URL belongs to the API rather than to a page; `/api/docs` is a page. */
export const isData = (url: string): boolean => /^\/(?:api(?!\/docs(?:[?#]|$))|metrics)(?:[/?#]|$)/.test(url)

const OPTIONS: FastifyCorsOptions = {
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  exposedHeaders: [
    'Content-Disposition',
    'Dossier-Version',
    'ETag',
    'Location',
    'Retry-After',
    'Tus-Resumable',
    'Upload-Length',
    'Upload-Offset',
  ],
  // In seconds.
  maxAge: 600,
}

/** Lets scripts from these origins call the API with a token, but not with cookies or to sign in. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return
  const allowed = { ...OPTIONS, origin: [...origins] }
  await app.register(fastifyCors, {
    delegator: (request, done) => done(null, isOpen(request) ? allowed : { origin: false }),
  })
}

const isOpen = ({ url, method, headers }: FastifyRequest): boolean =>
  isData(url) && !isSignInPath(url) && (method !== 'OPTIONS' || isPreflight(headers))

/** Other OPTIONS requests are handled by routes, such as the tus endpoint. */
const isPreflight = (headers: FastifyRequest['headers']): boolean =>
  headers.origin !== undefined && headers['access-control-request-method'] !== undefined
