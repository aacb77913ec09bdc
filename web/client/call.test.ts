import { describe, expect, test } from 'vitest'
import { health } from '#api/system.ts'
import { readSessionUser } from '#api/sessions.ts'
import { listRecords } from '#api/records.ts'
import { SESSION_ERRORS } from '#domain/specification.ts'
import { addressOf, createCaller } from './call.ts'
import { CallFailed } from './call-failed.ts'
import type { Exchange, Exchanged, Wire } from './exchange.ts'
import { createRefreshSession } from './refresh-session.ts'
import { createSessionState } from './session-state.ts'

const USER = { id: 'u1', email: 'ada@example.org', name: 'Ada', scope: [], roles: [], methods: [], session_id: null }
const LIFETIME_MS = 1_800_000

const answer = (body: unknown): Exchanged => ({ ok: true, body })
const refusal = (code: 'token-expired' | 'refresh-invalid' | 'unreachable', status: number): Exchanged => ({
  ok: false,
  failure: new CallFailed(code, 'no', { status }),
})

/** A session over a server that is a function: how it answers is each test's own business. */
function aSession(serve: (wire: Wire) => Exchanged | Promise<Exchanged>) {
  const clock = { nowMs: 0 }
  const sent: Wire[] = []
  const state = createSessionState()
  const exchange: Exchange = async (wire) => {
    sent.push(wire)
    return serve(wire)
  }
  const now = () => clock.nowMs
  const onOtherUser = () => void sent.push({ method: 'GET', path: 'anew', answer: 'empty' })
  const { refreshSession: refresh } = createRefreshSession({
    state,
    exchange,
    now,
    oneTabAtATime: (work) => work(),
    onOtherUser,
  })
  const epoch = state.beginSignIn()
  state.keepToken(epoch, { value: 'first', expiresAtMs: LIFETIME_MS, sessionId: 's1' })
  state.keepUser(epoch, USER)
  const paths = () => sent.map(({ path }) => path)
  return { clock, sent, paths, state, refresh, ...createCaller({ state, exchange, refresh, now, onOtherUser }) }
}

const renewed = () =>
  answer({ token: 'second', token_type: 'Bearer', expires_in: 1800, expires_at: '', session_id: 's1' })

const tokenOf = (wire: Wire) => wire.headers?.['authorization']

const isRefresh = (wire: Wire) => wire.path === '/api/auth/refresh'

describe('a call', () => {
  test('carries the token while it is valid, and renews nothing', async () => {
    const session = aSession(() => answer({ user: USER }))
    session.clock.nowMs = LIFETIME_MS - 501
    await session.call(readSessionUser)
    expect(session.sent.map(tokenOf)).toEqual(['Bearer first'])
  })

  test('renews the token first from 500 ms before its end', async () => {
    const session = aSession((wire) => (isRefresh(wire) ? renewed() : answer({ user: USER })))
    session.clock.nowMs = LIFETIME_MS - 500
    await session.call(readSessionUser)
    expect(session.paths()).toEqual(['/api/auth/refresh', '/api/auth/user'])
    expect(session.sent.map(tokenOf)[1]).toBe('Bearer second')
  })

  test('made twenty times at once with an expired token renews it once, and all twenty succeed', async () => {
    const session = aSession((wire) => (isRefresh(wire) ? renewed() : answer({ user: USER })))
    session.clock.nowMs = LIFETIME_MS
    const answers = await Promise.all(Array.from({ length: 20 }, () => session.call(readSessionUser)))
    expect(answers).toHaveLength(20)
    expect(session.sent.filter(isRefresh)).toHaveLength(1)
  })

  test('refused for its token is renewed and sent once more, not twice', async () => {
    const session = aSession((wire) => (isRefresh(wire) ? renewed() : refusal('token-expired', 401)))
    await expect(session.call(readSessionUser)).rejects.toMatchObject({ code: 'token-expired' })
    expect(session.paths()).toEqual(['/api/auth/user', '/api/auth/refresh', '/api/auth/user'])
  })

  test('whose session cannot be renewed resets it and says so word for word', async () => {
    const session = aSession(() => refusal('refresh-invalid', 401))
    session.clock.nowMs = LIFETIME_MS
    await expect(session.call(readSessionUser)).rejects.toThrow(SESSION_ERRORS.bothExpired)
    expect(session.paths()).toEqual(['/api/auth/refresh'])
    expect(session.state.snapshot()).toMatchObject({ status: 'signed-out', user: null, ending: 'expired' })
  })

  test('keeps the session when the server cannot be reached', async () => {
    const session = aSession(() => refusal('unreachable', 0))
    session.clock.nowMs = LIFETIME_MS
    const failure = await session.call(readSessionUser).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({ code: 'unreachable', isPassing: true })
    expect(session.state.snapshot().status).toBe('signed-in')
  })

  test('answered after a sign-out belongs to nobody', async () => {
    const session = aSession(() => {
      session.state.reset('signed-out')
      return answer({ user: USER })
    })
    await expect(session.call(readSessionUser)).rejects.toMatchObject({ code: 'session-changed' })
  })

  test('made openly carries no token', async () => {
    const session = aSession(() => answer({ status: 'alive', version: '1' }))
    await session.callOpenly(health)
    expect(session.sent[0]?.headers).toBeUndefined()
  })
})

describe('a refresh', () => {
  test('that ends after a sign-out does not bring the session back', async () => {
    const session = aSession(() => {
      session.state.reset('signed-out')
      return renewed()
    })
    expect(await session.refresh()).toBe('overtaken')
    expect(session.state.token()).toBeUndefined()
    expect(session.state.snapshot().status).toBe('signed-out')
  })
})

test('an address has its parameters escaped and nothing that was not asked for', () => {
  const params = { collection: 'a/b' }
  const query = { filter: 'x = "1&2"', page: '2', sort: undefined }
  expect(addressOf(listRecords, { params, query })).toBe(
    '/api/collections/a%2Fb/records?filter=x+%3D+%221%262%22&page=2',
  )
})
