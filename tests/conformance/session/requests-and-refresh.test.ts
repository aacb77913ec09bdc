import { describe, expect, test } from 'vitest'
import { listCollections } from '#api/collections.ts'
import { createRecord } from '#api/records.ts'
import { health } from '#api/system.ts'
import { DUPLICATE_WINDOW_MS } from '#domain/sessions/session.ts'
import { SESSION_ERRORS } from '#domain/specification.ts'
import { CallError, type FailureCode } from '#web/data/api/call-error.ts'
import type { RequestResult } from '#web/data/api/send-request.ts'
import { openBrowser, signedInTab } from './browser.ts'

const HALF_AN_HOUR_MS = 1_800_000
const REFRESH = '/api/auth/refresh'

const refused = (code: FailureCode, status: number, retryAfterSeconds?: number): RequestResult => ({
  ok: false,
  failure: new CallError(code, 'no', { status, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }),
})

describe('a refresh', () => {
  test('C6: on request replaces both tokens, keeps the user and does not shorten the session', async () => {
    const { tab, shared, pass } = await signedInTab()
    const before = { token: tab.state.token(), cookie: shared.jar.refresh, user: tab.state.get().user }
    pass(DUPLICATE_WINDOW_MS + 1000)
    expect(await tab.refresh()).toBe('renewed')
    const after = tab.state.token()
    expect(after?.value).not.toBe(before.token?.value)
    expect(shared.jar.refresh).not.toBe(before.cookie)
    expect(after?.expiresAtMs).toBeGreaterThanOrEqual(before.token?.expiresAtMs ?? Number.POSITIVE_INFINITY)
    expect(tab.state.get().user).toBe(before.user)
  })

  test('C10: needed by twenty concurrent requests runs once, and all twenty succeed in order', async () => {
    const { tab, pass } = await signedInTab()
    pass(HALF_AN_HOUR_MS)
    const ended: number[] = []
    const calls = Array.from({ length: 20 }, (_, index) => tab.call(listCollections).then(() => ended.push(index)))
    await Promise.all(calls)
    expect(tab.paths().filter((path) => path === REFRESH)).toHaveLength(1)
    expect(ended).toEqual(Array.from({ length: 20 }, (_, index) => index))
  })

  test("C11: that is impossible ends the session with the exact error, and doesn't send the request", async () => {
    const { tab, shared, pass } = await signedInTab()
    shared.jar.refresh = undefined
    pass(HALF_AN_HOUR_MS)
    await expect(tab.call(listCollections)).rejects.toThrow(
      'Both token and refresh token have expired. Your request was aborted.',
    )
    expect(SESSION_ERRORS.bothExpired).toBe('Both token and refresh token have expired. Your request was aborted.')
    expect(tab.paths()).toEqual([REFRESH])
    expect(tab.state.get()).toMatchObject({ status: 'signed-out', user: null, ending: 'expired' })
  })

  test('C11: that is impossible stops everything that needs a token: requests, polling, uploads and refreshes', async () => {
    const { tab, shared, pass } = await signedInTab()
    shared.jar.refresh = undefined
    pass(HALF_AN_HOUR_MS)
    await expect(tab.call(listCollections)).rejects.toThrow(SESSION_ERRORS.bothExpired)
    await expect(tab.call(listCollections)).rejects.toThrow(SESSION_ERRORS.bothExpired)
    await expect(tab.callUnasked(listCollections)).rejects.toThrow(SESSION_ERRORS.bothExpired)
    await expect(tab.signedHeaders()).rejects.toThrow(SESSION_ERRORS.bothExpired)
    await tab.actions.wake()
    await tab.actions.serverIsBack()
    expect(tab.paths()).toEqual([REFRESH])
  })

  test.each<[FailureCode, number]>([
    ['session-ended', 401],
    ['refresh-invalid', 401],
    ['refresh-reused', 401],
    ['invalid-request', 400],
    ['origin-refused', 403],
  ])('C12: refused for good with %s does the same, and is reported once', async (code, status) => {
    const { tab, server, pass } = await signedInTab()
    server.beforeAnswer(({ path }) => (path === REFRESH ? refused(code, status) : undefined))
    pass(HALF_AN_HOUR_MS)
    const calls = await Promise.allSettled(Array.from({ length: 5 }, () => tab.call(listCollections)))
    for (const call of calls) {
      expect(call).toMatchObject({ status: 'rejected', reason: { message: SESSION_ERRORS.bothExpired } })
    }
    expect(tab.paths()).toEqual([REFRESH])
    expect(tab.state.token()).toBeUndefined()
    expect(tab.failures).toMatchObject([{ method: 'refreshToken', error: { code } }])
  })

  test('C12: with a reused token reports that the session was ended for security reasons', async () => {
    const { tab, server } = await signedInTab()
    server.beforeAnswer(() => refused('refresh-reused', 401))
    await tab.refresh()
    expect(tab.state.get().ending).toBe('ended-for-safety')
  })

  test.each<[string, FailureCode, number]>([
    ['the network is away', 'unreachable', 0],
    ['the server has a fault', 'internal-error', 500],
    ['there were too many requests', 'too-many-requests', 429],
    ['a proxy refuses in the place of the server', 'unreadable-answer', 403],
  ])('keeps the session when %s, and the request can be tried again', async (_, code, status) => {
    const { tab, server, pass } = await signedInTab()
    server.beforeAnswer(({ path }) => (path === REFRESH ? refused(code, status) : undefined))
    pass(HALF_AN_HOUR_MS)
    const failure: unknown = await tab.call(listCollections).then(undefined, (error: unknown) => error)
    expect(failure).toMatchObject({ code: 'unreachable', isPassing: true })
    expect(tab.state.get()).toMatchObject({ status: 'signed-in', user: { id: 'ada' } })
    server.beforeAnswer(undefined)
    pass(30_000)
    await tab.call(listCollections)
  })

  test('that failed temporarily is not repeated: fifty requests cause one attempt until the delay is over', async () => {
    const { tab, shared, pass } = await signedInTab()
    pass(HALF_AN_HOUR_MS)
    shared.network = 'down'
    for (let nth = 0; nth < 50; nth += 1)
      await expect(tab.call(listCollections)).rejects.toThrow(
        'Couldn’t renew your session, but you’re still signed in. Check your connection and try again.',
      )
    expect(tab.paths()).toEqual([REFRESH])
    expect(tab.failures).toHaveLength(1)
    pass(1000)
    await expect(tab.call(listCollections)).rejects.toThrow(
      'Couldn’t renew your session, but you’re still signed in. Check your connection and try again.',
    )
    expect(tab.paths()).toEqual([REFRESH, REFRESH])
  })

  test('that keeps failing is retried with increasing delays of at most 30 s', async () => {
    const { tab, shared, pass } = await signedInTab()
    pass(HALF_AN_HOUR_MS)
    shared.network = 'down'
    const triedAtSeconds: number[] = []
    for (let second = 0; second < 120; second += 1) {
      const before = tab.sent.length
      await expect(tab.call(listCollections)).rejects.toThrow(
        'Couldn’t renew your session, but you’re still signed in. Check your connection and try again.',
      )
      if (tab.sent.length > before) triedAtSeconds.push(second)
      pass(1000)
    }
    const waits = triedAtSeconds.slice(1).map((second, index) => second - (triedAtSeconds[index] ?? 0))
    expect(waits.slice(0, 5)).toEqual([1, 2, 4, 8, 15])
    expect(Math.max(...waits)).toBeLessThanOrEqual(30)
  })

  test('waits as long as an overloaded server requests, but at most 30 s', async () => {
    const { tab, server, pass } = await signedInTab()
    server.beforeAnswer(() => refused('too-many-requests', 429, 600))
    await tab.refresh()
    pass(29_999)
    await tab.refresh()
    expect(tab.paths()).toHaveLength(1)
    pass(1)
    await tab.refresh()
    expect(tab.paths()).toHaveLength(2)
  })

  test("doesn't wait once the server is known to be reachable again", async () => {
    const { tab, shared, pass } = await signedInTab()
    pass(HALF_AN_HOUR_MS)
    shared.network = 'down'
    await tab.refresh()
    shared.network = 'up'
    tab.forgetFailures()
    expect(await tab.refresh()).toBe('renewed')
  })

  test('C24: while signed out sends no request', async () => {
    const { tab } = await signedInTab()
    await tab.actions.logOut()
    tab.sent.length = 0
    expect(await tab.refresh()).toBe('nobody')
    expect(tab.sent).toEqual([])
  })

  test('works again after a new sign-in, regardless of how the last session ended', async () => {
    const { tab, shared, pass } = await signedInTab()
    shared.jar.refresh = undefined
    await tab.refresh()
    await tab.logIn()
    pass(HALF_AN_HOUR_MS)
    await tab.call(listCollections)
    expect(tab.state.get().status).toBe('signed-in')
  })
})

describe('a request', () => {
  test('with a rejected token is retried once after a refresh, which forty concurrent requests share', async () => {
    const { tab, serverClock } = await signedInTab()
    // The token has expired on the server's clock but not on the device's.
    serverClock.nowMs += HALF_AN_HOUR_MS
    await Promise.all(Array.from({ length: 40 }, () => tab.call(listCollections)))
    expect(tab.paths().filter((path) => path === REFRESH)).toHaveLength(1)
    expect(tab.paths().filter((path) => path === '/api/collections')).toHaveLength(80)
  })

  test('that is rejected again after a refresh is not sent a third time', async () => {
    const { tab, server } = await signedInTab()
    server.beforeAnswer(({ path }) => (path === '/api/collections' ? refused('token-invalid', 401) : undefined))
    await expect(tab.call(listCollections)).rejects.toMatchObject({ code: 'token-invalid' })
    expect(tab.paths()).toEqual(['/api/collections', REFRESH, '/api/collections'])
  })

  test('that fails late with an old token is retried with the newer token, without another refresh', async () => {
    const { tab, server, serverClock } = await signedInTab()
    serverClock.nowMs += HALF_AN_HOUR_MS
    const late = Promise.withResolvers<undefined>()
    let nth = 0
    server.beforeAnswer(({ path }) => {
      if (path !== '/api/collections') return undefined
      nth += 1
      return nth === 1 ? late.promise : undefined
    })
    const first = tab.call(listCollections)
    await tab.call(listCollections)
    late.resolve(undefined)
    await first
    expect(tab.paths().filter((path) => path === REFRESH)).toHaveLength(1)
  })

  test('that writes completes after a sign-out, but a read-only request is aborted', async () => {
    const { tab, server } = await signedInTab()
    const late = Promise.withResolvers<undefined>()
    server.beforeAnswer(() => late.promise)
    const reading = tab.call(listCollections)
    const writing = tab.call(createRecord, { params: { collection: 'films' }, body: { values: {} } })
    await expect.poll(() => tab.sent.length).toBe(2)
    tab.state.reset('signed-out')
    const [read, written] = tab.sent
    expect([read?.signal?.aborted, written?.signal?.aborted ?? false]).toEqual([true, false])
    late.resolve(undefined)
    for (const call of [reading, writing]) await expect(call).rejects.toMatchObject({ code: 'session-changed' })
  })

  test('to a public endpoint has no token and never fails because of the session state', async () => {
    const { tab, shared, pass } = await signedInTab()
    shared.jar.refresh = undefined
    pass(HALF_AN_HOUR_MS)
    await expect(tab.callOpenly(health)).rejects.toMatchObject({ code: 'token-missing' })
    expect(tab.sent.map(({ headers }) => headers?.['authorization'])).toEqual([undefined])
    expect(tab.state.get().status).toBe('signed-in')
  })
})

describe('a page load', () => {
  test('C21: with an expired token and a valid session is signed in after one refresh', async () => {
    const { openTab, pass } = await signedInTab()
    pass(HALF_AN_HOUR_MS)
    const reloaded = openTab()
    await reloaded.actions.restoreSession()
    expect(reloaded.state.get()).toMatchObject({ status: 'signed-in', user: { id: 'ada' } })
    expect(reloaded.paths()).toEqual([REFRESH, '/api/auth/user'])
  })

  test('on a first visit sends no request', async () => {
    const tab = openBrowser().openTab()
    await tab.actions.restoreSession()
    expect(tab.sent).toEqual([])
    expect(tab.state.get()).toMatchObject({ status: 'signed-out', ending: null })
  })

  test('while the server is unreachable waits, and is signed in when the server is reachable again', async () => {
    const { shared, openTab } = await signedInTab()
    const reloaded = openTab()
    shared.network = 'down'
    const restored = reloaded.actions.restoreSession()
    for (let seconds = 0; seconds < 300; seconds += 30) {
      await Promise.resolve()
      expect(reloaded.state.get().status).toBe('restoring')
      shared.clock.nowMs += 30_000
    }
    shared.network = 'up'
    shared.clock.nowMs += 30_000
    await restored
    expect(reloaded.state.get()).toMatchObject({ status: 'signed-in', user: { id: 'ada' } })
    expect(reloaded.sent.length).toBeLessThan(20)
  })

  test('in ten tabs at the same time keeps all tabs in one session', async () => {
    const { server, openTab } = await signedInTab()
    const tabs = Array.from({ length: 10 }, () => openTab())
    await Promise.all(tabs.map((tab) => tab.actions.restoreSession()))
    expect(tabs.map((tab) => tab.state.get().status)).toEqual(tabs.map(() => 'signed-in'))
    expect(server.aliveSessions()).toHaveLength(1)
    await Promise.all(tabs.map((tab) => tab.call(listCollections)))
  })
})

describe('resuming from sleep', () => {
  test("after the token's expiry refreshes the token once, before any request", async () => {
    const { tab, pass } = await signedInTab()
    pass(8 * 3_600_000)
    await tab.actions.wake()
    expect(tab.paths()).toEqual([REFRESH])
    await tab.call(listCollections)
    expect(tab.paths()).toEqual([REFRESH, '/api/collections'])
  })

  test('while offline keeps the session', async () => {
    const { tab, shared, pass } = await signedInTab()
    pass(8 * 3_600_000)
    shared.network = 'down'
    await tab.actions.wake()
    expect(tab.state.get().status).toBe('signed-in')
  })

  test('with a valid token sends no request', async () => {
    const { tab } = await signedInTab()
    await tab.actions.wake()
    expect(tab.sent).toEqual([])
  })
})
