import { removeStored, setStored, readStoredJson } from '#web/data/storage/browser-storage.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'

const { routes } = sessionConfig

/** Pages that only guests see, and the way out: nobody is sent back to them after signing in. */
const EXCLUDED_PATHS = [
  routes.login,
  routes.logout,
  routes.callback,
  '/setup',
  '/forgot-password',
  '/reset-password',
  '/invitation',
]

/** A remembered page older than this is no longer what anybody is waiting for. */
const LIFETIME_MS = 60 * 60 * 1000

/** Longer addresses than this do not fit into another one; they are remembered in this tab alone. */
const MAX_URL_LENGTH = 2000

const KEY = 'return'

/** A path as the router compares it: decoded once (form decoding never fails), in small letters, no slash at its end. */
function pageOf(pathname: string): string {
  const decoded = new URLSearchParams(`p=${pathname.replaceAll('+', '%2B').replaceAll('&', '%26')}`).get('p') ?? ''
  return decoded.toLowerCase().replace(/\/+$/, '') || '/'
}

/** The part of an address that stands for a page of ours; undefined for anything else, however it is spelled. */
export function safeReturnPath(path: string, origin: string): string | undefined {
  const parsed = URL.parse(path, origin)
  // A path that starts like a host, or turns into one once dots are resolved, never is a page of ours.
  if (!parsed || parsed.origin !== origin || !path.startsWith('/') || parsed.pathname.startsWith('//')) return undefined
  if (EXCLUDED_PATHS.includes(pageOf(parsed.pathname))) return undefined
  return parsed.pathname + parsed.search + parsed.hash
}

/** Remembers, for this tab, the page somebody wanted before they had to sign in. Answers what its address may say of it. */
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

/** Where to go after signing in: what the address says, else what this tab remembers, else home. Serves once. */
export function takeReturn(said: string | undefined): string {
  const wanted = said ?? readRemembered()
  removeStored(KEY, 'session')
  return (wanted === undefined ? undefined : safeReturnPath(wanted, window.location.origin)) ?? routes.home
}
