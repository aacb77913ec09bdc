import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BUILT_IN_ROLES, type BuiltInRole, grantsOfBuiltIn } from '#domain/access/built-in-roles.ts'
import type { Access } from '#server/http/access.ts'
import type { Route } from '#server/http/route.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/test-app.ts'

let app: TestApp
let callers: { readonly [Who in 'guest' | BuiltInRole]: Caller }

beforeAll(async () => {
  app = await openTestApp()
  const [owner, editor, contributor, viewer] = await Promise.all([
    app.asOwner(),
    app.asEditor(),
    app.as('contributor'),
    app.asViewer(),
  ])
  callers = { guest: app.guest, owner, editor, contributor, viewer }
})
afterAll(() => app.close())

/** The route's address with something in each place that does not exist. */
const addressOf = ({ endpoint }: Route): string => endpoint.path.replace(/:[^/]+/g, '00000000000000000000000000')

const nameOf = ({ endpoint }: Route): string => `${endpoint.method} ${endpoint.path}`

const ask = (who: 'guest' | BuiltInRole, route: Route) =>
  callers[who].request(route.endpoint.method, addressOf(route), { headers: { 'content-type': 'application/json' } })

function mayKnock(access: Access, who: 'guest' | BuiltInRole): boolean {
  if (access.type === 'open') return true
  if (who === 'guest') return false
  return access.type === 'signed-in' || grantsOfBuiltIn(who).some(({ permission }) => permission === access.permission)
}

/** Signing out would end the very sessions this test works with. */
const routes = (): Route[] => app.routes.filter((route) => route.endpoint.path !== '/api/auth/logout')

describe('every route', () => {
  test('answers a guest 401 unless it is open', async () => {
    const closed = routes().filter(({ access }) => access.type !== 'open')
    const answers = await Promise.all(closed.map(async (route) => [nameOf(route), (await ask('guest', route)).status]))
    expect(answers).toEqual(closed.map((route) => [nameOf(route), 401]))
    expect(closed.length).toBeGreaterThan(10)
  })

  test.each(BUILT_IN_ROLES)('refuses a %s exactly where the permission is missing', async (who) => {
    const answers = await Promise.all(routes().map(async (route) => ({ route, ...(await ask(who, route)) })))
    const wrong = answers.filter(({ route, status, body }) => {
      const isRefused =
        status === 403 && body?.code === 'forbidden' && String(body.detail).startsWith('This needs the permission')
      return isRefused === mayKnock(route.access, who)
    })
    expect(wrong.map(({ route, status }) => `${nameOf(route)} → ${status}`)).toEqual([])
  })

  test.each(['guest', ...BUILT_IN_ROLES] as const)('never fails when a %s asks for what is not there', async (who) => {
    const answers = await Promise.all(
      routes().map(async (route) => ({ route, status: (await ask(who, route)).status })),
    )
    expect(
      answers.filter(({ status }) => status >= 500).map(({ route, status }) => `${nameOf(route)} → ${status}`),
    ).toEqual([])
  })

  test('that is open says why', () => {
    const reasons = routes().map(({ access }) => (access.type === 'open' ? access.because : 'closed'))
    expect(reasons.every((reason) => reason.length > 3)).toBe(true)
  })
})
