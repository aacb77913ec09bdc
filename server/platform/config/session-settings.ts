import { SESSION } from '#domain/specification.ts'
import type { Environment, SettingReaders } from './setting-readers.ts'

type RouteName = keyof typeof SESSION.routes

export type SessionSettings = {
  readonly routes: { readonly [Name in RouteName]: string }
  readonly scopeField: string
}

export const DEFAULT_SESSION_SETTINGS: SessionSettings = { routes: SESSION.routes, scopeField: SESSION.scopeField }

const ROUTE_SETTINGS: { readonly [Name in RouteName]: string } = {
  login: 'DOSSIER_LOGIN_ROUTE',
  home: 'DOSSIER_HOME_ROUTE',
  logout: 'DOSSIER_LOGOUT_ROUTE',
  callback: 'DOSSIER_CALLBACK_ROUTE',
}

const ROUTE = /^\/(?:[a-z0-9_-]+(?:\/[a-z0-9_-]+)*)?$/

const RESERVED_PATHS = [
  'account',
  'api',
  'assets',
  'collections',
  'forgot-password',
  'import',
  'invitation',
  'metrics',
  'reset-password',
  'settings',
  'setup',
]

const RESERVED_USER_FIELDS = ['id', 'email', 'name', 'language', 'roles', 'methods', 'session_id', 'view_as']

const FORMER_SETTINGS: { readonly [name: string]: string } = {
  VITE_SESSION_ROUTES: Object.values(ROUTE_SETTINGS).join(', '),
  VITE_SESSION_SCOPE_FIELD: 'DOSSIER_SCOPE_FIELD',
}

export function readSessionSettings(read: SettingReaders, environment: Environment): SessionSettings {
  for (const [name, now] of Object.entries(FORMER_SETTINGS)) {
    if ((environment[name] ?? '') !== '') read.refuse(`${name} is no longer supported. Set ${now} instead.`)
  }
  const routes = {
    login: readRoute(read, 'login'),
    home: readRoute(read, 'home'),
    logout: readRoute(read, 'logout'),
    callback: readRoute(read, 'callback'),
  }
  assertDistinctRoutes(read, routes)
  return { routes, scopeField: readScopeField(read) }
}

function readRoute(read: SettingReaders, name: RouteName): string {
  const setting = ROUTE_SETTINGS[name]
  const route = read.matching(setting, ROUTE, 'a path of lowercase letters, digits, - and _, such as /enter')
  const first = route?.split('/', 2)[1] ?? ''
  if (RESERVED_PATHS.includes(first))
    read.refuse(`${setting} is "${route}", but paths under /${first} are reserved for other pages.`)
  return route ?? SESSION.routes[name]
}

function assertDistinctRoutes(read: SettingReaders, routes: SessionSettings['routes']): void {
  const seen = new Map<string, string>()
  for (const name of Object.keys(ROUTE_SETTINGS) as RouteName[]) {
    const other = seen.get(routes[name])
    if (other !== undefined) {
      read.refuse(`${other} and ${ROUTE_SETTINGS[name]} are both "${routes[name]}". Use a different path for each.`)
    }
    seen.set(routes[name], ROUTE_SETTINGS[name])
  }
}

function readScopeField(read: SettingReaders): string {
  const field = read.matching(
    'DOSSIER_SCOPE_FIELD',
    /^[A-Za-z_][\w-]*(?:\.[\w-]+)*$/,
    'the name of a user field, such as rights or profile.rights',
  )
  const first = field?.split('.', 1)[0] ?? ''
  if (RESERVED_USER_FIELDS.includes(first)) {
    read.refuse(`DOSSIER_SCOPE_FIELD is "${field}", but ${first} doesn't contain scopes.`)
  } else if (first === '__proto__') read.refuse('DOSSIER_SCOPE_FIELD must not start with __proto__.')
  return field ?? SESSION.scopeField
}

/**
 * The user's scopes under the configured field name, in addition to `scope`. A dotted name refers to a user attribute.
 */
export function scopesAs(
  scopeField: string,
  scope: readonly string[],
): { readonly [field: string]: readonly string[] } {
  return scopeField.includes('.') || scopeField === 'profile' ? {} : { [scopeField]: scope }
}

const SETTINGS_TAG = /<meta\s+name="session-settings"[^>]*>/

export function withSessionSettings(page: string, settings: SessionSettings): string {
  const content = JSON.stringify(settings).replaceAll('"', '&quot;')
  return page.replace(SETTINGS_TAG, `<meta name="session-settings" content="${content}" />`)
}
