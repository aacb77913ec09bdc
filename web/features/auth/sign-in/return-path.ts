import { removeStored, setStored, readStoredJson } from '#web/data/storage/browser-storage.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'

const { routes } = sessionConfig

/** Never returns to guest pages or sign-out. */
const EXCLUDED_PATHS = [
  routes.login,
  routes.logout,
  routes.callback,
  '/setup',
  '/forgot-password',
  '/reset-password',
  '/invitation',
]

/** Older remembered pages are ignored. */
const LIFETIME_MS = 60 * 60 * 1000

/** Longer URLs are stored in this tab only. */
const MAX_URL_LENGTH = 2000

const KEY = 'return'

/** A path in the form that the router compares: decoded once, lower case, without trailing slash. */
function pageOf(pathname: string): string {
  const decoded = new URLSearchParams(`p=${pathname.replaceAll('+', '%2B').replaceAll('&', '%26')}`).get('p') ?? ''
  return decoded.toLowerCase().replace(/\/+$/, '') || '/'
}

/** The path of an internal URL; undefined for anything else, regardless of spelling. */
export function safeReturnPath(path: string, origin: string): string | undefined {
  const parsed = URL.parse(path, origin)
  // Rejects protocol-relative paths, including after dot segments are resolved.
  if (!parsed || parsed.origin !== origin || !path.startsWith('/') || parsed.pathname.startsWith('//')) return undefined
  if (EXCLUDED_PATHS.includes(pageOf(parsed.pathname))) return undefined
  return parsed.pathname + parsed.search + parsed.hash
}

/** Stores the requested page in this tab; returns the part of it that the URL may contain. */
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

/** The page from the URL, from this tab, or home. Can be used once. */
export function takeReturn(said: string | undefined): string {
  const wanted = said ?? readRemembered()
  removeStored(KEY, 'session')
  return (wanted === undefined ? undefined : safeReturnPath(wanted, window.location.origin)) ?? routes.home
}
