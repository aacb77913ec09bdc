import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BUILT_IN_ROLES, grantsOfBuiltIn } from '#domain/access/built-in-roles.ts'
import { PERMISSIONS, type Permission } from '#domain/access/permission.ts'
import { TOKEN_PERMISSIONS } from '#domain/access/grant.ts'
import type { Access } from '#server/platform/http/access.ts'
import type { Route } from '#server/platform/http/route.ts'
import { ROUTE_ACCESS } from '#tests/support/attacks/route-access.ts'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

/** A caller and the permissions it has. */
type Knocker = {
  readonly caller: Caller
  readonly permissions: readonly Permission[]
  /** API tokens can't use endpoints that require a session. */
  readonly isToken?: true
}

let app: TestApp
let knockers: ReadonlyMap<string, Knocker>

const NO_GRANT = 'somebody without a grant'
const alone = (permission: Permission) => `somebody with “${permission}” alone`
const token = (permission: Permission) => `an owner’s token for “${permission}”`

/** All callers: one per role, one per permission, one without permissions, and one token per scope. */
const EVERYBODY = [...BUILT_IN_ROLES, NO_GRANT, ...PERMISSIONS.map(alone), ...TOKEN_PERMISSIONS.map(token)]

beforeAll(async () => {
  app = await openTestApp()
  const found = new Map<string, Knocker>()
  for (const role of BUILT_IN_ROLES) {
    const permissions = grantsOfBuiltIn(role).map(({ permission }) => permission)
    found.set(role, { caller: await app.as(role), permissions })
  }
  found.set(NO_GRANT, { caller: await app.asGranted([]), permissions: [] })
  for (const permission of PERMISSIONS) {
    const caller = await app.asGranted([{ permission, collection: null }])
    found.set(alone(permission), { caller, permissions: [permission] })
  }
  const owner = await app.asOwner()
  for (const permission of TOKEN_PERMISSIONS) {
    const made = await owner.post('/api/tokens', { name: permission, scopes: [permission] })
    found.set(token(permission), {
      caller: app.withToken(made.body.token),
      permissions: [permission],
      isToken: true,
    })
  }
  knockers = found
})
afterAll(() => app.close())

/** The route's path with nonexistent IDs. */
const addressOf = ({ endpoint }: Route): string => endpoint.path.replace(/:[^/]+/g, '00000000000000000000000000')

const nameOf = ({ endpoint }: Route): string => `${endpoint.method} ${endpoint.path}`

const ask = (caller: Caller, route: Route, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  caller.request(route.endpoint.method, addressOf(route), {
    headers: { 'content-type': 'application/json', ...headers },
  })

function mayKnock({ access, endpoint }: Route, { permissions, isToken }: Knocker): boolean {
  // API tokens can't use sign-in endpoints, not even public ones.
  if (isToken && (isByHand(access) || (access.type === 'open' && endpoint.path.startsWith('/api/auth/')))) return false
  return access.type !== 'can' || permissions.includes(access.permission)
}

const isByHand = (access: Access): boolean => access.type !== 'open' && access.byHand === true

const isRefusedAtTheDoor = ({ status, body }: Answer): boolean =>
  status === 403 &&
  body?.code === 'forbidden' &&
  /^(?:This requires the “|You can’t do this with an API token)/.test(String(body.detail))

/** The access required by a route, in the notation of `ROUTE_ACCESS`. */
function openTo({ access }: Route): string {
  const who = access.type === 'can' ? access.permission : access.type === 'open' ? 'everyone' : 'signed in'
  return isByHand(access) ? `${who}, by hand` : who
}

const isTheEnd = (route: Route): boolean => nameOf(route) === 'DELETE /api/view-as'

/**
 * Endpoints available during impersonation. Add new read endpoints only after checking that they return nothing but
 * records.
 */
const OPEN_WHILE_SEEN: readonly string[] = [
  'DELETE /api/view-as',
  'GET /api/activity',
  'GET /api/auth/providers',
  'GET /api/auth/user',
  'GET /api/changes',
  'GET /api/collections',
  'GET /api/collections/:collection',
  'GET /api/collections/:collection/days',
  'GET /api/collections/:collection/groups',
  'GET /api/collections/:collection/records',
  'GET /api/collections/:collection/records/:record',
  'GET /api/collections/:collection/records/:record/archive',
  'GET /api/collections/:collection/records/:record/files.zip',
  'GET /api/collections/:collection/records/:record/history',
  'GET /api/collections/:collection/records/:record/transitions',
  'GET /api/collections/:collection/search-index',
  'GET /api/collections/:collection/sums',
  'GET /api/collections/:collection/views',
  'GET /api/dashboards',
  'GET /api/dashboards/:dashboard',
  'GET /api/files/:file',
  'GET /api/files/:file/place',
  'GET /api/health',
  'GET /api/home/counts',
  'GET /api/home/moves',
  'GET /api/jobs',
  'GET /api/jobs/:job',
  'GET /api/openapi.json',
  'GET /api/people',
  'GET /api/ready',
  'GET /api/search',
  'GET /api/setup',
  'GET /api/trash',
  'GET /api/views',
  'GET /api/workspace/branding',
  'GET /api/workspace/logo',
  'GET /api/workspace/profile-fields',
  'GET /api/workspace/trash',
  'OPTIONS /api/tus',
  'POST /api/auth/refresh',
]

/** All routes except sign-out, which would end the sessions used by this test. */
const routes = (): Route[] => app.routes.filter((route) => route.endpoint.path !== '/api/auth/logout')

const closed = (): Route[] => routes().filter(({ access }) => access.type !== 'open')

async function statusesOf(caller: Caller): Promise<(readonly [string, number])[]> {
  return Promise.all(closed().map(async (route) => [nameOf(route), (await ask(caller, route)).status] as const))
}

describe('every route', () => {
  test('returns 401 to a guest unless it is public', async () => {
    expect(await statusesOf(app.guest)).toEqual(closed().map((route) => [nameOf(route), 401]))
    expect(closed().length).toBeGreaterThan(10)
  })

  test('returns 401 for an ended session unless it is public', async () => {
    const ended = await app.asOwner()
    await ended.post('/api/auth/logout')
    expect(await statusesOf(ended)).toEqual(closed().map((route) => [nameOf(route), 401]))
  })

  test.each(EVERYBODY)('is accessible to %s only as expected, and never fails', async (name) => {
    const knocker = knockers.get(name)
    if (!knocker) throw new Error(name)
    const answers = await Promise.all(
      routes().map(async (route) => ({ route, answer: await ask(knocker.caller, route) })),
    )
    const said = ({ route, answer }: (typeof answers)[number]) => `${nameOf(route)} → ${answer.status}`
    const wrong = answers.filter(({ route, answer }) => isRefusedAtTheDoor(answer) === mayKnock(route, knocker))
    expect(wrong.map(said)).toEqual([])
    expect(answers.filter(({ answer }) => answer.status >= 500).map(said)).toEqual([])
  })

  test('is blocked during impersonation unless it returns records or manages the session', async () => {
    const [owner, seen] = [await app.asOwner(), await app.asOwner()]
    await owner.post('/api/view-as', { user: seen.userId })
    const asSeen = { 'view-as': seen.userId ?? '' }
    // The request that stops impersonation is sent last.
    const inOrder = routes().toSorted((one, other) => Number(isTheEnd(one)) - Number(isTheEnd(other)))
    const opened: string[] = []
    for (const route of inOrder) {
      const answer = await ask(owner, route, asSeen)
      if (answer.status === 403 && (route.endpoint.method === 'HEAD' || answer.body?.code === 'view-as-read-only'))
        continue
      opened.push(nameOf(route))
      if (route.access.type !== 'open') expect(answer.headers['cache-control'], nameOf(route)).toBe('no-store')
      expect(answer.status, nameOf(route)).toBeLessThan(500)
    }
    expect(opened.toSorted()).toEqual(OPEN_WHILE_SEEN)
  })

  test('never fails if a guest requests missing resources', async () => {
    const answers = await Promise.all(
      routes().map(async (route) => ({ route, status: (await ask(app.guest, route)).status })),
    )
    expect(
      answers.filter(({ status }) => status >= 500).map(({ route, status }) => `${nameOf(route)} → ${status}`),
    ).toEqual([])
  })

  test('has the access level in the reviewed list', () => {
    const declared = app.routes.map((route) => [nameOf(route), openTo(route)] as const)
    expect(Object.fromEntries(declared)).toEqual(ROUTE_ACCESS)
    expect(declared.length).toBe(Object.keys(ROUTE_ACCESS).length)
  })

  test('includes a reason if it is public', () => {
    const reasons = routes().map(({ access }) => (access.type === 'open' ? access.because : 'closed'))
    expect(reasons.every((reason) => reason.length > 3)).toBe(true)
  })
})
