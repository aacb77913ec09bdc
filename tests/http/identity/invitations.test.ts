import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

const PASSWORD = 'eleven herons count the tide'
const HOUR_MS = 60 * 60 * 1000

let app: TestApp
let owner: Caller
let made = 0

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

async function invite(role = 'editor'): Promise<{ readonly answer: Answer; readonly email: string }> {
  made += 1
  const email = `guest-${made}@example.org`
  return { answer: await owner.post('/api/users', { email, name: `Guest ${made}`, roles: [role] }), email }
}

/** The code in the latest email to an address. */
async function codeFor(email: string): Promise<string> {
  const { items } = (await owner.get('/api/outbox')).body
  const message = items.find((one: { to: string }) => one.to === email)
  return new URL(/http:\S+code=\S+/.exec(message?.text ?? '')?.[0] ?? 'http://x').searchParams.get('code') ?? ''
}

async function anInvitation(): Promise<{ readonly id: string; readonly email: string; readonly code: string }> {
  const { answer, email } = await invite()
  return { id: answer.body.id, email, code: await codeFor(email) }
}

const read = (code: string) => app.guest.post('/api/invitations/read', { code })

const accept = (code: string, password = PASSWORD, headers = {}) =>
  app.guest.post('/api/invitations/accept', { code, name: 'Grace Hopper', password }, headers)

const signIn = (email: string, password: string) =>
  app.guest.post('/api/auth/login', { email, password, client: 'api' })

describe('an invitation', () => {
  test('creates an invited user and emails a link', async () => {
    const { answer, email } = await invite('viewer')
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ email, roles: [{ id: 'viewer' }], isInvited: true, isDisabled: false })
    expect(answer.text).not.toContain('code')
    expect(await codeFor(email)).toMatch(/^[\w-]{43}$/)
    expect((await owner.get('/api/users?perPage=500')).text).toContain(email)
  })

  test('shows the recipient to anyone with the link', async () => {
    const { email, code } = await anInvitation()
    expect((await read(code)).body).toEqual({ email, name: `Guest ${made}` })
  })

  test('can be accepted once and signs the user in', async () => {
    const { email, code } = await anInvitation()
    const accepted = await accept(code)
    expect(accepted.status).toBe(201)
    expect(accepted.headers['cache-control']).toBe('no-store')
    expect(String(accepted.headers['set-cookie'])).toContain('dossier_refresh=')
    const { body } = await app.withToken(accepted.body.token).get('/api/auth/user')
    expect(body.user).toMatchObject({ email, name: 'Grace Hopper', methods: ['link'] })
    expect((await signIn(email, PASSWORD)).status).toBe(200)

    expect([(await accept(code)).body.code, (await read(code)).body.code]).toEqual(['gone', 'gone'])
    const user = (await owner.get('/api/users?perPage=500')).body.items.find(
      (one: { email: string }) => one.email === email,
    )
    expect(user).toMatchObject({ name: 'Grace Hopper', isInvited: false })
  })

  test('succeeds exactly once when accepted concurrently', async () => {
    const { code } = await anInvitation()
    const answers = await Promise.all(Array.from({ length: 5 }, () => accept(code)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 410, 410, 410, 410])
  })

  test('expires after 48 hours', async () => {
    const { code } = await anInvitation()
    app.clock.move(48 * HOUR_MS)
    expect([(await accept(code)).body.code, (await read(code)).body.code]).toEqual(['gone', 'gone'])
    owner = await app.asOwner()
  })

  test('is invalidated when a new one is sent', async () => {
    const { id, email, code } = await anInvitation()
    expect((await owner.post(`/api/users/${id}/invitation`)).status).toBe(204)
    const newer = await codeFor(email)
    expect(newer).not.toBe(code)
    expect((await accept(code)).status).toBe(410)
    expect((await accept(newer)).status).toBe(201)
    expect((await owner.post(`/api/users/${id}/invitation`)).status).toBe(404)
  })

  test('rejects a weak password and remains valid', async () => {
    const { code, email } = await anInvitation()
    expect((await accept(code, 'short')).body.code).toBe('password-weak')
    expect((await accept(code, `${email} ${email}`)).body.code).toBe('password-weak')
    expect((await accept(code)).status).toBe(201)
  })

  test('is rejected if the user has been disabled in the meantime', async () => {
    const { id, code } = await anInvitation()
    await owner.patch(`/api/users/${id}`, { isDisabled: true })
    expect((await accept(code)).status).toBe(410)
    await owner.patch(`/api/users/${id}`, { isDisabled: false })
    expect((await accept(code)).status).toBe(410)
  })

  test("can't be accepted from another site's page", async () => {
    const { code } = await anInvitation()
    const refused = await accept(code, PASSWORD, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })
    expect(refused.body.code).toBe('origin-refused')
    expect((await accept(code)).status).toBe(201)
  })

  test('is rejected for an existing email address, regardless of case', async () => {
    const { email } = await invite()
    const refused = await owner.post('/api/users', { email: email.toUpperCase(), name: 'Twice', roles: ['viewer'] })
    expect([refused.status, refused.body.code]).toEqual([409, 'name-taken'])
  })

  test.each(['asEditor', 'asViewer'] as const)("can't be created by %s", async (as) => {
    const caller = await app[as]()
    expect((await caller.post('/api/users', { email: 'a@b.example', name: 'A', roles: ['viewer'] })).status).toBe(403)
  })
})

describe('an invited user', () => {
  test('cannot sign in with any password, not even a blank one', async () => {
    const { email } = await anInvitation()
    expect((await signIn(email, 'anything at all')).body.code).toBe('login-refused')
    expect((await signIn(email, ' ')).body.code).toBe('login-refused')
  })

  test('cannot request a password reset link', async () => {
    const { email, code } = await anInvitation()
    expect((await app.guest.post('/api/auth/password-reset', { email })).status).toBe(204)
    expect((await app.guest.put('/api/auth/password-reset', { code, password: PASSWORD })).body.code).toBe('gone')
    expect((await accept(code)).status).toBe(201)
  })
})

describe('a code', () => {
  test('an invitation code appears only in the email, not in the database or log', async () => {
    const { code } = await anInvitation()
    const rows = await app.database.read.selectFrom('single_use_codes').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(code)
    await accept(code)
    expect(app.logged()).not.toContain(code)
    expect(app.logged()).toContain('email written to the outbox')
  })

  test('repeated wrong invitation codes cause a lockout', async () => {
    const another = await openTestApp()
    const codes = Array.from({ length: 30 }, (_, at) => `wrong-${at}`)
    const answers = await Promise.all(codes.map((code) => another.guest.post('/api/invitations/read', { code })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([410, 429]))
    await another.close()
  })
})
