import { describe, expect, test } from 'vitest'
import type { TokenAnswer } from '#api/sessions.ts'
import { SESSION_ERRORS } from '#domain/specification.ts'
import { callOpenly } from './call.ts'
import { CallFailed } from './call-failed.ts'
import type { Exchanged } from './exchange.ts'
import { createReadUser } from './read-session-user.ts'
import { createSessionActions } from './session-actions.ts'
import type { SessionHint } from './session-hint.ts'
import { createSessionState } from './session-state.ts'
import { createSignIn } from './sign-in.ts'

const USER = { id: 'u1', email: 'ada@example.org', name: 'Ada', scope: [], roles: [], methods: [], session_id: null }
const TOKEN: TokenAnswer = {
  token: 'first',
  token_type: 'Bearer',
  expires_in: 1800,
  expires_at: '',
  session_id: 's1',
}

const failed = (code: 'login-refused' | 'unreachable'): Exchanged => ({
  ok: false,
  failure: new CallFailed(code, 'no'),
})

function aSignIn(answers: readonly Exchanged[]) {
  const state = createSessionState()
  const left = [...answers]
  const readUser = createReadUser({
    exchange: async () => left.shift() ?? failed('unreachable'),
    wait: async () => undefined,
  })
  const signIn = createSignIn({
    state,
    readUser,
    now: () => 0,
    onSignedIn: () => undefined,
    onAbandoned: () => undefined,
  })
  return { state, signIn, left }
}

describe('signing in', () => {
  test('starts with nobody, not busy', () => {
    expect(createSessionState().snapshot()).toMatchObject({ user: null, isBusy: false })
  })

  test('is busy until the user is known, and then somebody is signed in', async () => {
    const { state, signIn } = aSignIn([{ ok: true, body: { user: USER } }])
    const under = signIn(async () => TOKEN)
    expect(state.snapshot()).toMatchObject({ isBusy: true, status: 'signed-out' })
    expect(await under).toEqual(USER)
    expect(state.snapshot()).toMatchObject({ isBusy: false, status: 'signed-in', user: USER })
  })

  test('with a wrong password rejects and leaves nobody signed in, not busy', async () => {
    const { state, signIn } = aSignIn([])
    const refused = signIn(() => Promise.reject(new CallFailed('login-refused', 'no')))
    await expect(refused).rejects.toMatchObject({ code: 'login-refused' })
    expect(state.snapshot()).toMatchObject({ isBusy: false, status: 'signed-out', user: null })
  })

  test('without a user in the answer says so word for word and forgets the token', async () => {
    const { state, signIn } = aSignIn([{ ok: true, body: {} }])
    await expect(signIn(async () => TOKEN)).rejects.toThrow(SESSION_ERRORS.noUserField)
    expect(state.token()).toBeUndefined()
  })

  test('waits for a server that is away for a moment, but not for ever', async () => {
    const patient = aSignIn([failed('unreachable'), { ok: true, body: { user: USER } }])
    expect(await patient.signIn(async () => TOKEN)).toEqual(USER)
    const hopeless = aSignIn([])
    await expect(hopeless.signIn(async () => TOKEN)).rejects.toMatchObject({ code: 'unreachable' })
    expect(hopeless.state.snapshot().status).toBe('signed-out')
  })

  test('asked for twice at once happens once', async () => {
    const { signIn } = aSignIn([{ ok: true, body: { user: USER } }])
    let asked = 0
    const ask = async () => {
      asked += 1
      return TOKEN
    }
    await Promise.all([signIn(ask), signIn(ask)])
    expect(asked).toBe(1)
  })
})

function someActions(hintAtStart: SessionHint, isServerThere = true) {
  const { state, signIn } = aSignIn([])
  const sent: string[] = []
  let hint = hintAtStart
  const token = { value: 'first', expiresAtMs: 1_800_000, sessionId: 's1' }
  const actions = createSessionActions({
    state,
    callOpenly,
    signIn,
    exchange: async ({ path }) => {
      sent.push(path)
      return isServerThere ? { ok: true, body: undefined } : failed('unreachable')
    },
    refresh: async () => {
      sent.push('refresh')
      state.keepToken(state.epoch(), token)
      return 'renewed'
    },
    readUser: async () => ({ ok: true, user: USER }),
    wait: async () => undefined,
    hint: {
      read: () => hint,
      keep: (next) => {
        hint = next
      },
    },
    tell: ({ type }) => void sent.push(`tell ${type}`),
    forgetWork: () => void sent.push('forget work'),
    onOtherUser: () => void sent.push('start anew'),
    confirm: async () => undefined,
  })
  return { actions, state, sent, hint: () => hint }
}

describe('the start of a page', () => {
  test('asks the server nothing where no session can exist', async () => {
    const { actions, state, sent } = someActions(null)
    await actions.restoreSession()
    expect(sent).toEqual([])
    expect(state.snapshot().status).toBe('signed-out')
  })

  test('restores a session that may exist', async () => {
    const { actions, state } = someActions({ userId: 'u1' })
    await actions.restoreSession()
    expect(state.snapshot()).toMatchObject({ status: 'signed-in', user: USER })
  })

  test('restores nothing while a sign-out has not reached the server, and tells it now', async () => {
    const { actions, state, sent, hint } = someActions('leaving')
    await actions.restoreSession()
    expect(sent).toEqual(['/api/auth/logout'])
    expect(state.snapshot().status).toBe('signed-out')
    expect(hint()).toBe('left')
  })
})

describe('signing out', () => {
  test('ends the session here at once, also when the server is away, and remembers to tell it', async () => {
    const { actions, state, sent, hint } = someActions({ userId: 'u1' }, false)
    const told = actions.logOut()
    expect(state.snapshot()).toMatchObject({ status: 'signed-out', ending: 'signed-out' })
    expect(await told).toBe(false)
    expect(sent).toContain('tell signed-out')
    expect(hint()).toBe('leaving')
  })

  test('in another tab ends the session in this one', async () => {
    const { actions, state } = someActions({ userId: 'u1' })
    await actions.restoreSession()
    actions.hearTab({ type: 'signed-out' })
    expect(state.snapshot()).toMatchObject({ status: 'signed-out', ending: 'signed-out-elsewhere' })
  })

  test('and in as somebody else in another tab starts this one anew', async () => {
    const { actions, sent } = someActions({ userId: 'u1' })
    await actions.restoreSession()
    actions.hearTab({ type: 'signed-in', userId: 'u2' })
    expect(sent).toContain('start anew')
  })
})
