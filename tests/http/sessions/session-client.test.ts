import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listCollections } from '#api/collections.ts'
import { DUPLICATE_WINDOW_MS } from '#domain/sessions/session.ts'
import { SESSION_ERRORS } from '#domain/specification.ts'
import { endAllSessions } from '#server/identity/sessions/session-deps.ts'
import { prepareUser, storeUser } from '#server/identity/users/create-user.ts'
import { CallError } from '#web/data/api/call-error.ts'
import { readProblem } from '#web/data/api/send-request.ts'
import { openBrowserAt, type Server } from '#tests/conformance/session/browser.ts'
import { openTestApp, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'

// Runs the browser's session client against the real server; `tests/conformance/session` uses an in-memory server that
// must behave in the same way.

const OWN_PAGE = { origin: 'http://localhost:4100', 'sec-fetch-site': 'same-origin' }
const HALF_AN_HOUR_MS = 1_800_000
const REFRESH = '/api/auth/refresh'

let app: TestApp
let made = 0
let names = { one: '', other: '' }

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

async function addUser(): Promise<string> {
  made += 1
  const name = `person-${made}`
  const deps = { clock: app.clock.now, newId: () => name }
  const given = { email: `${name}@example.org`, name, password: TEST_PASSWORD, roles: ['editor'] } as const
  const prepared = await prepareUser(deps, given)
  await app.database.write((transaction) => storeUser(transaction, prepared))
  return name
}

beforeEach(async () => {
  names = { one: await addUser(), other: await addUser() }
})

/** Adapts the real server to the in-memory server's interface. */
const realServer: Server = {
  async send({ method, path, headers, body }, jar, network) {
    if (network() === 'down') return { ok: false, failure: new CallError('unreachable', 'no network') }
    const answer = await app.guest.request(method, path, {
      body,
      headers: {
        ...OWN_PAGE,
        ...headers,
        ...(jar.refresh !== undefined && { cookie: `dossier_refresh=${jar.refresh}` }),
      },
    })
    const set = /dossier_refresh=([^;]*)/.exec(String(answer.headers['set-cookie']))?.[1]
    if (set !== undefined && network() !== 'lost') jar.refresh = set === '' ? undefined : set
    if (network() === 'lost') return { ok: false, failure: new CallError('unreachable', 'no network') }
    if (answer.status < 400) return { ok: true, body: answer.body }
    return { ok: false, failure: readProblem(answer.body, answer.status) ?? new CallError('unreadable-answer', '') }
  },
}

async function signedIn() {
  const browser = openBrowserAt(realServer, app.clock.now().getTime())
  const tab = browser.openTab()
  await tab.logIn(names.one)
  tab.sent.length = 0
  const pass = (ms: number) => {
    app.clock.move(ms)
    browser.shared.clock.nowMs += ms
  }
  return { ...browser, tab, pass }
}

const endEverywhere = (userId: string) =>
  app.database.write((transaction) => endAllSessions(transaction, userId, 'signed-out', app.clock.now()))

describe('the session client with a real server', () => {
  test('C2: signs in, returns the user and has access from then on', async () => {
    const { tab } = await signedIn()
    expect(tab.state.get()).toMatchObject({ status: 'signed-in', user: { id: names.one } })
    expect(await tab.call(listCollections)).toEqual({ items: [] })
  })

  test('C5: fails with a wrong password, and is still signed out', async () => {
    const tab = openBrowserAt(realServer, app.clock.now().getTime()).openTab()
    await expect(tab.logIn(names.one, 'wrong')).rejects.toMatchObject({ code: 'login-refused' })
    expect(tab.state.get()).toMatchObject({ status: 'signed-out', isBusy: false })
  })

  test('C6: refreshes token and cookie and keeps the same user', async () => {
    const { tab, shared, pass } = await signedIn()
    const before = { token: tab.state.token()?.value, cookie: shared.jar.refresh }
    pass(DUPLICATE_WINDOW_MS + 1000)
    expect(await tab.refresh()).toBe('renewed')
    expect(tab.state.token()?.value).not.toBe(before.token)
    expect(shared.jar.refresh).not.toBe(before.cookie)
    expect(tab.state.get().user?.id).toBe(names.one)
  })

  test('C9: uses the token’s own lifetime as its expiry', async () => {
    const { tab, shared } = await signedIn()
    expect(tab.state.token()?.expiresAtMs).toBe(shared.clock.nowMs + HALF_AN_HOUR_MS)
  })

  test('C10: refreshes once for twenty requests', async () => {
    const { tab, pass } = await signedIn()
    pass(HALF_AN_HOUR_MS)
    await Promise.all(Array.from({ length: 20 }, () => tab.call(listCollections)))
    expect(tab.paths().filter((path) => path === REFRESH)).toHaveLength(1)
  })

  test('C12: reports the exact message when the server has ended the session', async () => {
    const { tab } = await signedIn()
    await endEverywhere(names.one)
    await expect(tab.call(listCollections)).rejects.toThrow(SESSION_ERRORS.bothExpired)
    expect(tab.state.get()).toMatchObject({ status: 'signed-out', ending: 'expired' })
  })

  test('C21: restores ten tabs at once in one session', async () => {
    const { openTab, pass, shared } = await signedIn()
    pass(HALF_AN_HOUR_MS)
    const tabs = Array.from({ length: 10 }, () => openTab())
    await Promise.all(tabs.map((tab) => tab.actions.restoreSession()))
    await Promise.all(tabs.map((tab) => tab.call(listCollections)))
    expect(new Set(tabs.map((tab) => tab.state.token()?.sessionId)).size).toBe(1)
    expect(shared.jar.refresh, 'rotated once').toMatch(/^r2\.\w+\.1\./)
  })

  test('survives a lost response: the next attempt succeeds', async () => {
    const { tab, shared, pass } = await signedIn()
    pass(HALF_AN_HOUR_MS)
    shared.network = 'lost'
    await expect(tab.call(listCollections)).rejects.toMatchObject({ code: 'unreachable' })
    shared.network = 'up'
    pass(60_000)
    expect(await tab.call(listCollections)).toEqual({ items: [] })
  })

  test("uses the server's clock if its own is an hour behind", async () => {
    const browser = openBrowserAt(realServer, app.clock.now().getTime() - 3_600_000)
    const tab = browser.openTab()
    await tab.logIn(names.one)
    app.clock.move(HALF_AN_HOUR_MS)
    browser.shared.clock.nowMs += HALF_AN_HOUR_MS
    await tab.call(listCollections)
    expect(tab.paths().filter((path) => path === '/api/collections')).toHaveLength(1)
  })

  test.each(['refresh first', 'sign-out first'])('never reverts a sign-out: %s', async (order) => {
    const { tab, openTab } = await signedIn()
    const both =
      order === 'refresh first' ? [tab.refresh(), tab.actions.logOut()] : [tab.actions.logOut(), tab.refresh()]
    await Promise.all(both)
    const reloaded = openTab()
    await reloaded.actions.restoreSession()
    expect(reloaded.state.get()).toMatchObject({ status: 'signed-out', user: null })
  })

  test('ends the server session by cookie after an offline sign-out', async () => {
    const { tab, shared, openTab } = await signedIn()
    const cookie = shared.jar.refresh
    shared.network = 'down'
    await tab.actions.logOut()
    shared.network = 'up'
    await openTab().actions.restoreSession()
    expect(shared.jar.refresh).toBeUndefined()
    const replayed = openBrowserAt(realServer, app.clock.now().getTime())
    replayed.shared.jar.refresh = cookie
    replayed.shared.hint = { userId: names.one }
    const thief = replayed.openTab()
    await thief.actions.restoreSession()
    expect(thief.state.get().status).toBe('signed-out')
  })

  test('stops if another user signs in in the same browser', async () => {
    const { tab, shared, openTab, pass } = await signedIn()
    shared.tabs.length = 0
    await openTab().logIn(names.other)
    pass(HALF_AN_HOUR_MS)
    await expect(tab.call(listCollections)).rejects.toMatchObject({ code: 'session-changed' })
    expect(tab.startedAnew()).toBe(1)
  })
})
