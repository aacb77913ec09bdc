import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestUser, auditEntriesOf, type TestUser } from '#tests/support/identity/test-user.ts'
import { type Caller, openTestApp, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'

// Tests that owners can require a second factor for everyone or for some roles.

const POLICY = '/api/workspace/second-factor'

let app: TestApp
let owner: Caller
let ownerId = ''

beforeAll(async () => {
  app = await openTestApp()
  ownerId = (await app.asOwner()).userId ?? ''
  const { body } = await app.guest.post('/api/auth/login', {
    email: await emailOf(ownerId),
    password: TEST_PASSWORD,
    client: 'api',
  })
  owner = app.withToken(body.token)
  await owner.post('/api/collections', { label: 'Plans', fields: [{ label: 'Title', kind: 'text' }] })
})
afterAll(() => app.close())

const emailOf = async (id: string): Promise<string> =>
  (await app.database.read.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email

const signIn = async (email: string) =>
  app.withToken((await app.guest.post('/api/auth/login', { email, password: TEST_PASSWORD, client: 'api' })).body.token)

/** Sets up an authenticator app, which restores full access. */
async function secure(caller: Caller): Promise<void> {
  const { secret } = (await caller.post('/api/account/factors/totp')).body
  const code = generateSync({ secret, epoch: app.clock.now().getTime() / 1000 })
  expect((await caller.put('/api/account/factors/totp', { code })).status).toBe(200)
  app.clock.move(30_000)
}

const require = (policy: { readonly everyone: boolean; readonly roles: readonly string[] }) => owner.put(POLICY, policy)

const refusal = async (requested: ReturnType<Caller['get']>) => {
  const { status, body } = await requested
  return [status, body?.code]
}

const NEEDED = [403, 'second-factor-needed']

describe('the second-factor requirement', () => {
  let person: TestUser
  let other: Caller

  test('can be enabled only by an owner who has a second factor', async () => {
    expect((await owner.get(POLICY)).body).toEqual({ everyone: false, roles: [] })
    expect((await require({ everyone: true, roles: [] })).body).toMatchObject({ code: 'values-invalid' })
    await secure(owner)
    expect((await require({ everyone: false, roles: ['nothing'] })).body.errors[0].path).toBe('roles.0')
  })

  test('immediately limits users without a second factor to their own account, even in open sessions', async () => {
    person = await createTestUser(app)
    const program = app.withToken(
      (await person.caller.post('/api/tokens', { name: 'Job', scopes: ['records:read'] })).body.token,
    )
    expect((await person.caller.get('/api/collections')).status).toBe(200)
    expect((await program.get('/api/collections')).status).toBe(200)
    expect((await require({ everyone: true, roles: [] })).status).toBe(200)

    for (const path of ['/api/collections', '/api/search?q=a', '/api/tokens', '/api/favourites', '/api/openapi.json']) {
      expect(await refusal(person.caller.get(path)), path).toEqual(NEEDED)
    }
    expect(await refusal(person.caller.post('/api/tokens', { name: 'x', scopes: ['records:read'] }))).toEqual(NEEDED)
    expect(await refusal(program.get('/api/collections'))).toEqual(NEEDED)
    expect((await person.caller.get('/api/auth/user')).body.user).toMatchObject({ needs_second_factor: true })
    expect((await person.caller.get('/api/account/factors')).status).toBe(200)
    other = await signIn(person.email)
    expect(await refusal(other.get('/api/collections'))).toEqual(NEEDED)
  })

  test('is met only in the session that set up the factor', async () => {
    await secure(person.caller)
    expect((await person.caller.get('/api/collections')).status).toBe(200)
    expect((await person.caller.get('/api/auth/user')).body.user).toMatchObject({ needs_second_factor: false })
    expect(await refusal(other.get('/api/collections'))).toEqual([401, 'session-ended'])
  })

  test('can be limited to some roles, and is audited', async () => {
    const viewer = await createTestUser(app)
    const { roles } = (await viewer.caller.get('/api/auth/user')).body.user
    expect((await require({ everyone: false, roles: ['owner'] })).body).toEqual({ everyone: false, roles: ['owner'] })
    expect((await viewer.caller.get('/api/collections')).status).toBe(200)
    await require({ everyone: false, roles: [roles[0].id] })
    expect(await refusal(viewer.caller.get('/api/collections'))).toEqual(NEEDED)
    await require({ everyone: false, roles: [] })
    expect((await viewer.caller.get('/api/collections')).status).toBe(200)
    const kinds = (await auditEntriesOf(app, ownerId)).map(({ kind }) => kind)
    expect(kinds).toContain('second-factor-policy-changed')
  })

  test("can't be changed without permission or with an API token", async () => {
    const viewer = await createTestUser(app)
    expect((await viewer.caller.put(POLICY, { everyone: false, roles: [] })).status).toBe(403)
    const { body } = await owner.post('/api/tokens', { name: 'Job', scopes: ['workspace:manage'] })
    expect((await app.withToken(body.token).put(POLICY, { everyone: false, roles: [] })).status).toBe(403)
  })
})

describe('API tokens of a user whose password changed', () => {
  const program = async (by: Caller, more = {}) =>
    app.withToken((await by.post('/api/tokens', { name: 'Job', scopes: ['records:read'], ...more })).body.token)

  const NEXT = 'seven badgers play the cello'

  test('are revoked by default', async () => {
    const person = await createTestUser(app)
    const kept = await program(person.caller)
    const change = { current: TEST_PASSWORD, next: NEXT }
    expect((await person.caller.post('/api/account/password', { ...change, keepApiTokens: true })).status).toBe(204)
    expect((await kept.get('/api/collections')).status).toBe(200)
    expect((await person.caller.post('/api/account/password', { current: NEXT, next: TEST_PASSWORD })).status).toBe(204)
    expect((await kept.get('/api/collections')).status).toBe(401)
    expect((await person.caller.get('/api/tokens')).body.items).toEqual([])
  })

  test('expire after 90 days or on the selected date, and are announced by email', async () => {
    const person = await createTestUser(app)
    const made = app.clock.now().getTime()
    await program(person.caller)
    await program(person.caller, { expiresAt: null })
    const [never, usual] = (await person.caller.get('/api/tokens')).body.items
    expect(never.expiresAt).toBeNull()
    expect(Math.round((Date.parse(usual.expiresAt) - made) / 86_400_000)).toBe(90)
    const mails = await app.database.read
      .selectFrom('mails')
      .select('body')
      .where('recipient', '=', person.email)
      .execute()
    expect(mails.filter(({ body }) => body.includes('API token named “Job”')).length).toBe(2)
  })
})
