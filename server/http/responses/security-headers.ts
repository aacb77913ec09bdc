import type { FastifyInstance } from 'fastify'

/** Sent with every answer. None of them hinders a page of our own. */
const FOR_ALL = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // The set-up link carries its code in the address: no other site may learn our addresses.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
} as const

/** For answers that are data: even opened as a page they may do nothing at all. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"

/** For whatever else there is, such as scripts and pictures of the interface: nobody frames it either. */
const FILE_POLICY = "frame-ancestors 'none'; object-src 'none'; base-uri 'none'"

/** A year; only said where the public address is https. */
const TRANSPORT = 'max-age=31536000'

/**
 * The content policy of the page. Style elements need the nonce (Mantine and Tiptap put some in); style attributes are
 * allowed, because without them pasting from a word processor loses its formatting, and no script follows from one.
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

/** Puts the headers on every answer; what a handler has set itself stays. Data is never kept by caches unless it says so. */
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

/** Whether an address belongs to the interface for programs, not to the pages; the page that explains it lies among them. */
export const isData = (url: string): boolean => /^\/(?:api(?!\/docs(?:[?#]|$))|metrics)(?:[/?#]|$)/.test(url)
