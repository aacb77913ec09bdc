import type { FastifyRequest } from 'fastify'

/** Where a request says it comes from: a page of ours, a page of somebody else, or no page at all. */
export type RequestOrigin = 'own-page' | 'foreign-page' | 'no-page'

function isOwnOrigin(origin: string, request: FastifyRequest, publicUrl: URL): boolean {
  if (origin === publicUrl.origin) return true
  const url = URL.parse(origin)
  // Reached by another name than the public one (127.0.0.1 for localhost, the address in a local network): what counts
  // is that page and request name the same host. The public host itself must match with its scheme, above.
  return url !== null && url.host === request.host && url.host !== publicUrl.host
}

/** Browsers say where a request comes from, and scripts cannot change it; programs say nothing. */
export function originOf(request: FastifyRequest, publicUrl: URL): RequestOrigin {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  if (origin === undefined && site === undefined) return 'no-page'
  const isOwnSite = site === undefined || site === 'same-origin'
  const isOwn = isOwnSite && (origin === undefined || isOwnOrigin(origin, request, publicUrl))
  return isOwn ? 'own-page' : 'foreign-page'
}
