import { describe, expect, test } from 'vitest'
import { readSessionUser } from '#api/sessions.ts'
import { listCollections } from '#api/collections.ts'
import { tokenAge } from '#domain/sessions/session.ts'
import { SESSION_ERRORS } from '#domain/specification.ts'
import { createSessionState } from '#web/data/session/session-state.ts'
import { tokenEndMs } from '#web/data/session/token-claims.ts'
import { CallError } from '#web/data/api/call-error.ts'
import { openBrowser, signedInTab } from './browser.ts'
import { tokenOf } from './memory-server.ts'

const authorization = (wire: { readonly headers?: { readonly [name: string]: string } } | undefined) =>
  wire?.headers?.['authorization']

const AWAY = { ok: false, failure: new CallError('unreachable', 'no network') } as const

describe('session states', () => {
  test('C1: initially there is no user, and busy is false', () => {
    const state = createSessionState()
    expect(state.get()).toMatchObject({ user: null, isBusy: false, failure: null })
    expect(state.token()).toBeUndefined()
  })

  test('C2: a sign-in is complete only after the user is loaded, and later requests send the token', async () => {
    const { tab } = await signedInTab()
    expect(tab.state.get()).toMatchObject({ status: 'signed-in', user: { id: 'ada' } })
    await tab.call(listCollections)
    expect(authorization(tab.sent[0])).toBe(`Bearer ${tab.state.token()?.value}`)
    expect(tab.sent[0]?.headers?.['x-dossier-user']).toBe('ada')
  })

  test('C2: until the user is loaded, the state is signed out', async () => {
    const { server, openTab } = openBrowser()
    const tab = openTab()
    const seen: unknown[] = []
    server.beforeAnswer(({ path }) => {
      if (path === readSessionUser.path) seen.push(tab.state.get().status)
      return undefined
    })
    await tab.logIn()
    expect(seen).toEqual(['signed-out'])
  })

  test('C3: busy is true exactly while a sign-in is running, however it ends', async () => {
    const tab = openBrowser().openTab()
    const right = tab.logIn()
    expect(tab.state.get().isBusy).toBe(true)
    await right
    expect(tab.state.get().isBusy).toBe(false)
    const wrong = tab.logIn('ada', 'wrong')
    expect(tab.state.get().isBusy).toBe(true)
    await expect(wrong).rejects.toMatchObject({ code: 'login-refused' })
    expect(tab.state.get().isBusy).toBe(false)
  })

  test('C3: busy is false during a refresh and a sign-out', async () => {
    const { tab } = await signedInTab()
    const refreshed = tab.refresh()
    expect(tab.state.get().isBusy).toBe(false)
    await refreshed
    const left = tab.actions.logOut()
    expect(tab.state.get().isBusy).toBe(false)
    await left
  })

  test("C4: a sign-in resolves with the user from the server's response", async () => {
    const tab = openBrowser().openTab()
    expect(await tab.logIn()).toMatchObject({ id: 'ada', email: 'ada@example.org' })
  })

  test('C4: a sign-in with a pending second factor resolves with the challenge, still signed out', async () => {
    const { server, openTab } = openBrowser()
    const tab = openTab()
    const challenge = { id: 'c1', methods: ['totp'], expires_at: '' }
    server.beforeAnswer(() => ({ ok: true, body: { challenge } }))
    expect(await tab.logIn()).toEqual({ challenge })
    expect(tab.state.get()).toMatchObject({ status: 'signed-out', isBusy: false })
    expect(tab.state.token()).toBeUndefined()
  })

  test('C5: a wrong password rejects the sign-in, and the error is available until the next attempt', async () => {
    const tab = openBrowser().openTab()
    await expect(tab.logIn('ada', 'wrong')).rejects.toMatchObject({ code: 'login-refused' })
    expect(tab.state.get()).toMatchObject({
      status: 'signed-out',
      user: null,
      failure: { method: 'login', error: { code: 'login-refused' } },
    })
    const again = tab.logIn()
    expect(tab.state.get().failure).toBeNull()
    await again
  })

  test('C13: a response without a user is rejected with the exact text and leaves no partial session', async () => {
    const { server, openTab } = openBrowser()
    const tab = openTab()
    server.beforeAnswer(({ path }) => (path === readSessionUser.path ? { ok: true, body: {} } : undefined))
    await expect(tab.logIn()).rejects.toThrow('User Data response does not contain field user')
    expect(SESSION_ERRORS.noUserField).toBe('User Data response does not contain field user')
    expect(tab.state.token()).toBeUndefined()
    expect(tab.failures.map(({ method }) => method)).toEqual(['fetchUser'])
    await expect.poll(() => server.aliveSessions()).toEqual([])
  })
})

describe('a restored session', () => {
  test('C13: without a user is reset, and the sign-in page shows the reason', async () => {
    const { shared, server, openTab } = await signedInTab()
    server.beforeAnswer(({ path }) => (path === readSessionUser.path ? { ok: true, body: {} } : undefined))
    const tab = openTab()
    await tab.actions.restoreSession()
    expect(tab.state.get()).toMatchObject({ status: 'signed-out', user: null, ending: 'user-missing' })
    expect(tab.failures).toMatchObject([{ method: 'fetchUser', error: { detail: SESSION_ERRORS.noUserField } }])
    expect(shared.hint).toBeNull()
  })

  test('C11: without its cookie is reset, and the sign-in page shows the reason', async () => {
    const { shared, openTab } = await signedInTab()
    shared.jar.refresh = undefined
    const tab = openTab()
    await tab.actions.restoreSession()
    expect(tab.state.get()).toMatchObject({ status: 'signed-out', user: null, ending: 'expired' })
  })
})

describe('a sign-in', () => {
  test('requested twice concurrently is restored once', async () => {
    const tab = openBrowser().openTab()
    await Promise.all([tab.logIn(), tab.logIn()])
    expect(tab.paths()).toEqual(['/api/auth/login', '/api/auth/user'])
  })

  test('waits for an unreachable server for a limited time, then leaves no partial session', async () => {
    const { server, openTab } = openBrowser()
    const tab = openTab()
    let losses = 2
    server.beforeAnswer(({ path }) => {
      losses -= path === readSessionUser.path ? 1 : 0
      return path === readSessionUser.path && losses >= 0 ? AWAY : undefined
    })
    expect(await tab.logIn()).toMatchObject({ id: 'ada' })
    losses = 99
    await expect(tab.logIn()).rejects.toMatchObject({ code: 'unreachable' })
    expect(tab.state.get()).toMatchObject({ status: 'signed-out', isBusy: false })
    await expect.poll(() => server.aliveSessions()).toEqual([])
  })
})

describe('token age', () => {
  const END_MS = 1_800_000

  test('C8: a token is valid 501 ms before expiry, expired 500 ms before it, and unknown without an expiry', () => {
    expect(tokenAge(END_MS, END_MS - 501)).toBe('valid')
    expect(tokenAge(END_MS, END_MS - 500)).toBe('expired')
    expect(tokenAge(undefined, END_MS)).toBe('unknown')
  })

  test('C8: the client refreshes a token 500 ms before its expiry, but not earlier', async () => {
    const { tab, shared } = await signedInTab()
    const endMs = tab.state.token()?.expiresAtMs ?? 0
    shared.clock.nowMs = endMs - 501
    await tab.call(listCollections)
    expect(tab.paths()).toEqual(['/api/collections'])
    shared.clock.nowMs = endMs - 500
    await tab.call(listCollections)
    expect(tab.paths()).toEqual(['/api/collections', '/api/auth/refresh', '/api/collections'])
  })

  test('C9: a lifetime in the token takes precedence over 1800 s, the default for an opaque token', () => {
    expect(tokenEndMs(tokenOf({ iat: 100, exp: 160 }), 5_000_000)).toBe(5_060_000)
    expect(tokenEndMs(tokenOf({ exp: 160 }), 5_000_000)).toBe(160_000)
    expect(tokenEndMs(tokenOf({ iat: 100 }), 5_000_000)).toBe(6_800_000)
    for (const opaque of ['opaque', '', 'a.b.c', 'a.!!.c', '12345', tokenOf([])]) {
      expect(tokenEndMs(opaque, 5_000_000)).toBe(6_800_000)
    }
  })

  test("C9: an exp claim that isn't a number is ignored", () => {
    expect(tokenEndMs(tokenOf({ exp: '160' }), 0)).toBe(1_800_000)
    expect(tokenEndMs(tokenOf({ exp: null, iat: 1 }), 0)).toBe(1_800_000)
  })

  test.each([
    ['an hour behind', -3_600_000],
    ['an hour ahead', 3_600_000],
    ['right', 0],
  ])('a clock that is %s has no effect: one refresh in 40 minutes, and no rejected request', async (_, offMs) => {
    const { shared, openTab, pass } = openBrowser()
    shared.clock.nowMs += offMs
    const tab = openTab()
    await tab.logIn()
    for (let minute = 0; minute < 40; minute += 1) {
      pass(60_000)
      await tab.call(listCollections)
    }
    const refreshes = tab.paths().filter((path) => path === '/api/auth/refresh')
    expect(refreshes).toHaveLength(1)
    expect(tab.paths().filter((path) => path === '/api/collections')).toHaveLength(40)
  })

  test.each([
    ['forward', 3_600_000],
    ['back', -3_600_000],
  ])('a clock set an hour %s after sign-in costs at most one refresh and one rejected request', async (_, jumpMs) => {
    const { tab, shared, serverClock } = await signedInTab()
    shared.clock.nowMs += jumpMs
    // Half an hour passes only on the server's clock, so the device clock is no longer in sync.
    serverClock.nowMs += 1_800_000
    await tab.call(listCollections)
    await tab.call(listCollections)
    expect(tab.paths().filter((path) => path === '/api/auth/refresh')).toHaveLength(1)
    expect(tab.state.get().status).toBe('signed-in')
  })
})
