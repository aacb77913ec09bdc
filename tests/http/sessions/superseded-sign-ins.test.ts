import { AsyncLocalStorage } from 'node:async_hooks'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestUser, type TestUser } from '#tests/support/identity/test-user.ts'
import { makeSoftwarePasskey } from '#tests/support/identity/software-authenticator.ts'
import { type Answer, type Caller, openTestApp, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'

const NEXT = 'eleven herons count the tide'

let app: TestApp
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

const overtakenRequest = new AsyncLocalStorage<true>()

/** Runs `change` after a request has read its data and before it writes; background writes aren't affected. */
async function overtaken(request: () => Promise<Answer>, change: () => Promise<unknown>): Promise<Answer> {
  const { write } = app.database
  const overtaking: typeof write = async (...work) => {
    if (overtakenRequest.getStore() !== true) return write(...work)
    Object.assign(app.database, { write })
    await change()
    return write(...work)
  }
  Object.assign(app.database, { write: overtaking })
  return overtakenRequest.run(true, request)
}

const signIn = (email: string): Promise<Answer> =>
  app.guest.post('/api/auth/login', { email, password: TEST_PASSWORD, client: 'api' })

const changePassword = async ({ caller }: TestUser): Promise<void> => {
  const { status, text } = await caller.post('/api/account/password', { current: TEST_PASSWORD, next: NEXT })
  expect(status, text).toBe(204)
}

const disable = async ({ id }: TestUser): Promise<void> => {
  const { status, text } = await owner.patch(`/api/users/${id}`, { isDisabled: true })
  expect(status, text).toBe(200)
}

async function countSessions({ id }: TestUser): Promise<number> {
  const open = app.database.read.selectFrom('sessions').select('id').where('user_id', '=', id)
  return (await open.where('ended_at', 'is', null).execute()).length
}

/** Sets up an authenticator app; returns a function that generates a new code for each call. */
async function withAuthenticator({ caller }: TestUser): Promise<() => string> {
  const { secret } = (await caller.post('/api/account/factors/totp')).body
  const code = () => generateSync({ secret, epoch: app.clock.now().getTime() / 1000 })
  expect((await caller.put('/api/account/factors/totp', { code: code() })).status).toBe(200)
  app.clock.move(30_000)
  return code
}

const OWN_PAGE = { 'x-requested-with': 'dossier', origin: 'http://localhost:4100', 'sec-fetch-site': 'same-origin' }

/** Adds a passkey; returns a function that signs in with it. */
async function withPasskey({ caller }: TestUser): Promise<() => Promise<Answer>> {
  const passkey = makeSoftwarePasskey()
  const { body } = await caller.post('/api/account/factors/passkeys/options')
  const added = await caller.post('/api/account/factors/passkeys', { name: 'Mine', response: passkey.register(body) })
  expect(added.status, added.text).toBe(201)
  const { id, options } = (await app.guest.post('/api/auth/passkey/options')).body
  return () => app.guest.post('/api/auth/passkey/login', { id, response: passkey.sign(options) }, OWN_PAGE)
}

const REFUSED = {
  status: 401,
  body: { code: 'login-refused', detail: 'Your account was changed while you were signing in. Sign in again.' },
}

describe('a sign-in that is interrupted', () => {
  test('by a password change creates no session with the old password', async () => {
    const person = await createTestUser(app)
    const answer = await overtaken(
      () => signIn(person.email),
      () => changePassword(person),
    )
    expect(answer).toMatchObject(REFUSED)
    // The only remaining session is the one that changed the password.
    expect(await countSessions(person)).toBe(1)
  })

  test('by a password change requests no second factor', async () => {
    const person = await createTestUser(app)
    await withAuthenticator(person)
    const answer = await overtaken(
      () => signIn(person.email),
      () => changePassword(person),
    )
    expect(answer).toMatchObject(REFUSED)
  })

  test('between its steps by a password change creates no session, even with a valid second factor', async () => {
    const person = await createTestUser(app)
    const code = await withAuthenticator(person)
    const { id } = (await signIn(person.email)).body.challenge
    const answer = await overtaken(
      () => app.guest.post('/api/auth/challenge', { id, proof: { method: 'totp', code: code() } }),
      () => changePassword(person),
    )
    expect(answer).toMatchObject(REFUSED)
    expect(await countSessions(person)).toBe(1)
  })

  test('by account deactivation creates no session', async () => {
    const person = await createTestUser(app)
    const answer = await overtaken(
      () => signIn(person.email),
      () => disable(person),
    )
    expect(answer).toMatchObject(REFUSED)
    expect(await countSessions(person)).toBe(0)
  })

  test('with a passkey alone succeeds after a password change, but not after deactivation', async () => {
    const [one, other] = [await createTestUser(app), await createTestUser(app)]
    const changed = await overtaken(await withPasskey(one), () => changePassword(one))
    expect(changed.status, changed.text).toBe(200)
    expect(await overtaken(await withPasskey(other), () => disable(other))).toMatchObject(REFUSED)
    expect(await countSessions(other)).toBe(0)
  })
})
