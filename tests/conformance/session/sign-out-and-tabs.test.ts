import { describe, expect, test } from 'vitest'
import { listCollections } from '#api/collections.ts'
import { createRecord } from '#api/records.ts'
import { CallError } from '#web/data/api/call-error.ts'
import { signedInTab } from './browser.ts'

const HALF_AN_HOUR_MS = 1_800_000
const REFRESH = '/api/auth/refresh'
const LOGOUT = '/api/auth/logout'

const OUT = { status: 'signed-out', user: null }
const FAULT = { ok: false, failure: new CallError('internal-error', 'no', { status: 500 }) } as const

describe('signing out', () => {
  test.each(['up', 'down', 'lost'] as const)(
    'C7: clears all session data immediately, with the network %s',
    async (network) => {
      const { tab, shared } = await signedInTab()
      shared.network = network
      const reported = tab.actions.logOut()
      expect(tab.state.get()).toMatchObject({ ...OUT, ending: 'signed-out' })
      expect(tab.state.token()).toBeUndefined()
      await reported
      shared.network = 'up'
      const sent = tab.sent.length
      await expect(tab.call(listCollections)).rejects.toMatchObject({ code: 'session-changed' })
      expect(tab.sent).toHaveLength(sent)
    },
  )

  test('C23: still takes effect locally if it fails on the server', async () => {
    const { tab, server } = await signedInTab()
    server.beforeAnswer(() => FAULT)
    expect(await tab.actions.logOut()).toBe(false)
    expect(tab.state.get()).toMatchObject({ ...OUT, failure: { method: 'logout' } })
    expect(tab.failures).toHaveLength(1)
  })

  test('with an expired token does not refresh it first', async () => {
    const { tab, server, pass } = await signedInTab()
    pass(HALF_AN_HOUR_MS)
    expect(await tab.actions.logOut()).toBe(true)
    expect(tab.paths()).toEqual([LOGOUT])
    expect(server.aliveSessions()).toEqual([])
  })

  test('offline is remembered: no page restores the session, and the server is notified at the next page load', async () => {
    const { tab, shared, server, openTab } = await signedInTab()
    shared.network = 'down'
    expect(await tab.actions.logOut()).toBe(false)
    const offline = openTab()
    await offline.actions.restoreSession()
    expect(offline.state.get()).toMatchObject(OUT)
    expect(server.aliveSessions()).toHaveLength(1)
    shared.network = 'up'
    const online = openTab()
    await online.actions.restoreSession()
    expect(online.state.get()).toMatchObject(OUT)
    expect(online.paths()).toEqual([LOGOUT])
    expect(server.aliveSessions()).toEqual([])
    const later = openTab()
    await later.actions.restoreSession()
    expect(later.sent).toEqual([])
  })

  test('offline is sent to the server when reachable again, without a reload', async () => {
    const { tab, shared, server } = await signedInTab()
    shared.network = 'down'
    await tab.actions.logOut()
    shared.network = 'up'
    await tab.actions.serverIsBack()
    expect(server.aliveSessions()).toEqual([])
    await tab.actions.serverIsBack()
    expect(tab.paths()).toEqual([LOGOUT, LOGOUT])
  })

  test("offline, followed by a new sign-in, doesn't affect the new session", async () => {
    const { tab, shared, server } = await signedInTab()
    shared.network = 'down'
    await tab.actions.logOut()
    shared.network = 'up'
    await tab.logIn('grace')
    await tab.actions.serverIsBack()
    expect(server.aliveSessions()).toMatchObject([{ userId: 'grace' }])
    expect(tab.state.get().user?.id).toBe('grace')
  })

  test("delays a new sign-in so that a late response can't delete the new cookie", async () => {
    const { tab, shared, server } = await signedInTab()
    shared.wait = () => new Promise(() => undefined)
    const late = Promise.withResolvers<undefined>()
    server.beforeAnswer(({ path }) => (path === LOGOUT ? late.promise : undefined))
    const left = tab.actions.logOut()
    const entered = tab.logIn('grace')
    await Promise.resolve()
    expect(tab.paths()).toEqual([LOGOUT])
    late.resolve(undefined)
    await Promise.all([left, entered])
    expect(shared.jar.refresh).toBeDefined()
    expect(tab.state.get().user?.id).toBe('grace')
    expect(shared.hint).toEqual({ userId: 'grace' })
  })

  test('delays a new sign-in only briefly', async () => {
    const { tab, server } = await signedInTab()
    server.beforeAnswer(({ path }) => (path === LOGOUT ? new Promise(() => undefined) : undefined))
    void tab.actions.logOut()
    await tab.logIn('grace')
    expect(tab.state.get().user?.id).toBe('grace')
  })
})

describe('signing out during a refresh', () => {
  test.each(['refresh first', 'sign-out first'])(
    'is never reverted, even if the server responds to the %s',
    async (order) => {
      const { tab, server, shared, openTab } = await signedInTab()
      const late = Promise.withResolvers<undefined>()
      const held = order === 'refresh first' ? LOGOUT : REFRESH
      server.beforeAnswer(({ path }) => (path === held ? late.promise : undefined))
      const refreshed = tab.refresh()
      const left = tab.actions.logOut()
      if (order === 'refresh first') await refreshed
      else await left
      late.resolve(undefined)
      expect(await refreshed).toBe('overtaken')
      await left
      expect(tab.state.get()).toMatchObject(OUT)
      expect(tab.state.token()).toBeUndefined()
      expect(server.aliveSessions()).toEqual([])
      expect(shared.hint).toBe('left')
      const reloaded = openTab()
      await reloaded.actions.restoreSession()
      expect(reloaded.state.get()).toMatchObject(OUT)
    },
  )

  test('cancels a refresh that has not been sent yet', async () => {
    const { tab, pass } = await signedInTab()
    pass(HALF_AN_HOUR_MS)
    const requested = tab.call(listCollections)
    tab.state.reset('signed-out')
    await expect(requested).rejects.toMatchObject({ code: 'session-changed' })
    expect(tab.paths()).not.toContain('/api/collections')
  })
})

describe('other tabs', () => {
  test('are signed out at the same time, and discard pending requests', async () => {
    const { tab, server, openTab } = await signedInTab()
    const other = openTab()
    await other.actions.restoreSession()
    const late = Promise.withResolvers<undefined>()
    server.beforeAnswer(({ path }) => (path === '/api/collections' ? late.promise : undefined))
    const reading = other.call(listCollections)
    await tab.actions.logOut()
    expect(other.state.get()).toMatchObject({ ...OUT, ending: 'signed-out-elsewhere' })
    late.resolve(undefined)
    await expect(reading).rejects.toMatchObject({ code: 'session-changed' })
  })

  test('are signed in at the same time', async () => {
    const { tab, openTab } = await signedInTab()
    await tab.actions.logOut()
    const other = openTab()
    await other.actions.restoreSession()
    await tab.logIn()
    await expect.poll(() => other.state.get().status).toBe('signed-in')
  })

  test('that show another user reload, and send no request before that', async () => {
    const { tab, openTab } = await signedInTab()
    const other = openTab()
    await other.actions.restoreSession()
    other.sent.length = 0
    await tab.logIn('grace')
    expect(other.startedAnew()).toBe(1)
    expect(other.state.get()).toMatchObject({ status: 'restoring', user: null })
    void other.call(createRecord, { params: { collection: 'films' }, body: { values: {} } }).catch(() => undefined)
    await Promise.resolve()
    expect(other.sent).toEqual([])
  })

  test('that missed a change of user learn about it from the server, because a refresh includes the user', async () => {
    const { tab, shared, openTab, pass } = await signedInTab()
    const deaf = openTab()
    await deaf.actions.restoreSession()
    shared.tabs.splice(shared.tabs.indexOf(deaf), 1)
    await tab.logIn('grace')
    pass(HALF_AN_HOUR_MS)
    await expect(deaf.call(listCollections)).rejects.toMatchObject({ code: 'session-changed' })
    expect(deaf.startedAnew()).toBe(1)
    expect(deaf.sent.at(-1)).toMatchObject({ path: REFRESH, headers: { 'x-dossier-user': 'ada' } })
  })

  test('are also stopped by a 409 response to any request', async () => {
    const { tab, server } = await signedInTab()
    server.beforeAnswer(() => ({ ok: false, failure: new CallError('user-changed', 'no', { status: 409 }) }))
    await expect(tab.call(listCollections)).rejects.toMatchObject({ code: 'session-changed' })
    expect(tab.startedAnew()).toBe(1)
  })

  test('discard a response for another user', async () => {
    const { tab, server, shared } = await signedInTab()
    const stranger = await signedInTab('grace')
    const body = { token: stranger.tab.state.token()?.value, session_id: 's9' }
    server.beforeAnswer(({ path }) => (path === REFRESH ? { ok: true, body } : undefined))
    expect(await tab.refresh()).toBe('overtaken')
    expect(tab.startedAnew()).toBe(1)
    expect(shared.tabs).toHaveLength(1)
    expect(tab.state.token()).toBeUndefined()
  })

  test('that were asleep during a sign-out sign out when they resume', async () => {
    const { tab, shared, openTab } = await signedInTab()
    const asleep = openTab()
    await asleep.actions.restoreSession()
    shared.tabs.splice(shared.tabs.indexOf(asleep), 1)
    await tab.actions.logOut()
    expect(asleep.state.get().status).toBe('signed-in')
    await asleep.actions.wake()
    expect(asleep.state.get()).toMatchObject({ ...OUT, ending: 'signed-out-elsewhere' })
  })

  test('that were asleep during a change of user reload when they resume', async () => {
    const { tab, shared, openTab } = await signedInTab()
    const asleep = openTab()
    await asleep.actions.restoreSession()
    shared.tabs.splice(shared.tabs.indexOf(asleep), 1)
    await tab.logIn('grace')
    await asleep.actions.wake()
    expect(asleep.startedAnew()).toBe(1)
  })

  test('with the same user in a new session continue without a reload', async () => {
    const { tab, openTab, pass } = await signedInTab()
    const other = openTab()
    await other.actions.restoreSession()
    await tab.logIn('ada')
    pass(HALF_AN_HOUR_MS)
    await other.call(listCollections)
    expect(other.startedAnew()).toBe(0)
    expect(other.state.get().user?.id).toBe('ada')
  })
})

test('a request started for one user is never sent for another', async () => {
  const { tab, openTab } = await signedInTab()
  const other = openTab()
  const requested = other.call(createRecord, { params: { collection: 'films' }, body: { values: {} } })
  const isRefused = expect(requested).rejects.toMatchObject({ code: 'session-changed' })
  await tab.actions.logOut()
  await tab.logIn('grace')
  await expect.poll(() => other.state.get().user?.id).toBe('grace')
  await isRefused
  expect(other.paths()).not.toContain('/api/collections/films/records')
})
