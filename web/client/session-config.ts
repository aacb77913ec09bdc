import { SESSION } from '#domain/specification.ts'

/** The four routes of the session. Their names may be others than these; the types know the usual ones. */
export type SessionRoutes = typeof SESSION.routes

/** What of the session handling can be set when the pages are built. */
export type SessionConfig = { readonly routes: SessionRoutes; readonly scopeField: string }

/** What was set: `VITE_SESSION_ROUTES` is JSON with any of the four routes, `VITE_SESSION_SCOPE_FIELD` a (dotted) name. */
type Settings = { readonly [name: string]: unknown }

const NAMES = ['login', 'home', 'logout', 'callback'] as const

/** A route is a path of ours without parameters; `false` or nothing would leave pages open to anybody. */
const isRoute = (route: unknown): route is string =>
  typeof route === 'string' && /^\/(?:[\w-]+(?:\/[\w-]+)*)?$/.test(route)

function readRoutes(text: unknown): SessionRoutes {
  if (typeof text !== 'string' || text === '') return SESSION.routes
  const said: unknown = JSON.parse(text)
  const routes: { readonly [name: string]: unknown } = { ...SESSION.routes, ...(typeof said === 'object' && said) }
  const unknown = Object.keys(routes).filter((name) => !Object.hasOwn(SESSION.routes, name))
  const isDistinct = new Set(NAMES.map((name) => routes[name])).size === NAMES.length
  if (unknown.length > 0 || !isDistinct || !NAMES.every((name) => isRoute(routes[name]))) {
    throw new TypeError('VITE_SESSION_ROUTES must give login, home, logout and callback a path of their own each.')
  }
  // Every name was looked at above; that the values may differ from the usual ones is the very point.
  return routes as SessionRoutes
}

/** Reads what was set; whatever makes no sense stops the page, for a wrong route could leave one open to anybody. */
export function readSessionConfig(settings: Settings): SessionConfig {
  const field = settings['VITE_SESSION_SCOPE_FIELD']
  return {
    routes: readRoutes(settings['VITE_SESSION_ROUTES']),
    scopeField: typeof field === 'string' && field !== '' ? field : SESSION.scopeField,
  }
}

/** THE ONLY PLACE where the browser knows its session routes and the field of the user that holds the scopes. */
export const sessionConfig: SessionConfig = readSessionConfig(import.meta.env)
