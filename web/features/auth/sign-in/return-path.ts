import { removeStored, setStored, readStoredJson } from '#web/data/storage/browser-storage.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'

const { routes } = sessionConfig

/** Users never return to guest pages or the sign-out page. */
const EXCLUDED_PATHS = [
  routes.login,
  routes.logout,
  routes.callback,
  '/setup',
  '/forgot-password',
  '/reset-password',
  '/invitation',
]

/** Time in ms after which a stored return path is ignored. */
const LIFETIME_MS = 60 * 60 * 1000

/** Longer URLs are only stored in this tab. */
const MAX_URL_LENGTH = 2000

const KEY = 'return'

/** Normalizes a path as the router does: decoded once, lower case, without a trailing slash. */
function pageOf(pathname: string): string {
  const decoded = new URLSearchParams(`p=${pathname.replaceAll('+', '%2B').replaceAll('&', '%26')}`).get('p') ?? ''
  return decoded.toLowerCase().replace(/\/+$/, '') || '/'
}

/** Returns the path of an internal URL; undefined for excluded pages and for external URLs in any notation. */
export function safeReturnPath(path: string, origin: string): string | undefined {
  const parsed = URL.parse(path, origin)
  // Rejects protocol-relative paths, including those that result from dot segments.
  if (!parsed || parsed.origin !== origin || !path.startsWith('/') || parsed.pathname.startsWith('//')) return undefined
  if (EXCLUDED_PATHS.includes(pageOf(parsed.pathname))) return undefined
  return parsed.pathname + parsed.search + parsed.hash
}

/** Stores the requested page in this tab; returns the path if it is short enough for the URL. */
export function rememberReturn(path: string): string | undefined {
  const own = safeReturnPath(path, window.location.origin)
  if (own === undefined || own === routes.home) return undefined
  setStored(KEY, JSON.stringify({ path: own, atMs: Date.now() }), 'session')
  return own.length <= MAX_URL_LENGTH ? own : undefined
}

function readRemembered(): string | undefined {
  const kept = readStoredJson(KEY, 'session')
  if (typeof kept !== 'object' || kept === null || !('path' in kept) || !('atMs' in kept)) return undefined
  const { path, atMs } = kept
  if (typeof path !== 'string' || typeof atMs !== 'number' || Date.now() - atMs > LIFETIME_MS) return undefined
  return path
}

/** Returns the path from the URL or from this tab, or else the home page. The stored path can be used once. */
export function takeReturn(said: string | undefined): string {
  const wanted = said ?? readRemembered()
  removeStored(KEY, 'session')
  return (wanted === undefined ? undefined : safeReturnPath(wanted, window.location.origin)) ?? routes.home
}
