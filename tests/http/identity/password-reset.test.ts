import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openKeyRing } from '#server/platform/crypto/key-ring.ts'
import { openCodes } from '#server/platform/mail/outbox-store.ts'
import { type Caller, openTestApp, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'
import { EVENTUALLY } from '#tests/support/clock/eventually.ts'

const NEXT = 'eleven herons count the tide'
const HOUR_MS = 60 * 60 * 1000
const SUBJECT = 'Reset your Dossier password'

let app: TestApp
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

type SentEmail = { readonly to: string; readonly subject: string; readonly text: string }

async function emailsTo(email: string): Promise<SentEmail[]> {
  const keys = openKeyRing(app.config.dataFolder)
  const rows = await app.database.read.selectFrom('mails').selectAll().orderBy('id', 'desc').execute()
  return rows
    .filter(({ recipient }) => recipient === email)
    .map(({ id, recipient, subject, body }) => ({ to: recipient, subject, text: openCodes(keys, id, body) }))
}

async function aUser() {
  const caller = await app.asEditor()
  const { email } = (await caller.get('/api/auth/user')).body.user as { email: string }
  const signIn = (password: string) => app.guest.post('/api/auth/login', { email, password, client: 'api' })
  return { caller, email, signIn }
}

const ask = (email: string) => app.guest.post('/api/auth/password-reset', { email })

const reset = (code: string, password = NEXT) => app.guest.put('/api/auth/password-reset', { code, password })

/** Requests a reset link and waits for the email, which is sent after the response. */
async function codeFor(email: string, emails = 1): Promise<string> {
  expect((await ask(email)).status).toBe(204)
  const [newest] = await vi.waitFor(async () => {
    const found = (await emailsTo(email)).filter(({ subject }) => subject === SUBJECT)
    expect(found).toHaveLength(emails)
    return found
  }, EVENTUALLY)
  return /code=([\w-]+)/.exec(newest?.text ?? '')?.[1] ?? ''
}

describe('requesting a password reset', () => {
  test('gets the same response for existing, unknown and invalid addresses', async () => {
    const { email } = await aUser()
    const answers = await Promise.all([email, 'nobody@example.org', 'no address at all'].map(ask))
    const reported = answers.map(({ status, text, headers: { 'x-request-id': _id, date: _date, ...headers } }) => ({
      status,
      text,
      headers,
    }))
    expect(reported[0]).toEqual(reported[1])
    expect(reported[0]).toEqual(reported[2])
    expect(reported[0]?.status).toBe(204)
  })

  test('sends an email only for an existing account', async () => {
    const { email } = await aUser()
    expect(await codeFor(email)).toMatch(/^[\w-]{43}$/)
    await ask('nobody@example.org')
    const { email: later } = await aUser()
    await codeFor(later)
    expect(await emailsTo('nobody@example.org')).toEqual([])
  })

  test('sends no email for a disabled account', async () => {
    const { caller, email } = await aUser()
    await owner.patch(`/api/users/${caller.userId}`, { isDisabled: true })
    await ask(email)
    const { email: later } = await aUser()
    await codeFor(later)
    expect(await emailsTo(email)).toEqual([])
  })

  test('is rate-limited equally for known and unknown addresses', async () => {
    const another = await openTestApp()
    const viewer = await another.asViewer()
    const { email } = (await viewer.get('/api/auth/user')).body.user as { email: string }
    for (const each of [email, 'nobody@example.org']) {
      const answers = []
      for (let round = 0; round < 6; round += 1) {
        answers.push((await another.guest.post('/api/auth/password-reset', { email: each })).status)
      }
      expect(answers).toEqual([204, 204, 204, 204, 204, 429])
    }
    await another.close()
  })
})

describe('a reset link', () => {
  test('works once, ends every session and does not sign the user in', async () => {
    const { caller, email, signIn } = await aUser()
    const code = await codeFor(email)
    const done = await reset(code)
    expect([done.status, done.text, done.headers['set-cookie']]).toEqual([204, '', undefined])
    expect((await caller.get('/api/auth/user')).body.code).toBe('session-ended')
    expect((await signIn(TEST_PASSWORD)).status).toBe(401)
    expect((await signIn(NEXT)).status).toBe(200)
    expect((await reset(code, `${NEXT} again`)).body.code).toBe('gone')
    expect((await emailsTo(email))[0]?.subject).toBe('Your Dossier password was changed')
  })

  test('used concurrently changes the password exactly once', async () => {
    const { email, signIn } = await aUser()
    const code = await codeFor(email)
    const answers = await Promise.all([1, 2, 3, 4].map((n) => reset(code, `${NEXT} ${n}`)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 410, 410, 410])
    const winner = answers.findIndex(({ status }) => status === 204) + 1
    expect((await signIn(`${NEXT} ${winner}`)).status).toBe(200)
  })

  test('expires after an hour', async () => {
    const { email, signIn } = await aUser()
    const code = await codeFor(email)
    app.clock.move(HOUR_MS)
    expect((await reset(code)).body.code).toBe('gone')
    expect((await signIn(TEST_PASSWORD)).status).toBe(200)
    owner = await app.asOwner()
  })

  test('is invalidated by a newer one', async () => {
    const { email } = await aUser()
    const older = await codeFor(email)
    const newer = await codeFor(email, 2)
    expect((await reset(older)).status).toBe(410)
    expect((await reset(newer)).status).toBe(204)
  })

  test('is invalidated by a password change', async () => {
    const { caller, email } = await aUser()
    const code = await codeFor(email)
    await caller.post('/api/account/password', { current: TEST_PASSWORD, next: NEXT })
    expect((await reset(code)).status).toBe(410)
  })

  test("can't be used as an invitation link, and vice versa", async () => {
    const { email } = await aUser()
    const code = await codeFor(email)
    expect((await app.guest.post('/api/invitations/read', { code })).body.code).toBe('gone')
    expect((await app.guest.post('/api/invitations/accept', { code, name: 'X', password: NEXT })).body.code).toBe(
      'gone',
    )
    expect((await reset(code)).status).toBe(204)
  })

  test('rejects a weak password and remains valid', async () => {
    const { email } = await aUser()
    const code = await codeFor(email)
    expect((await reset(code, 'short')).body.code).toBe('password-weak')
    expect((await reset(code)).status).toBe(204)
  })

  test('lifts an account lockout', async () => {
    const { email, signIn } = await aUser()
    for (let round = 0; round < 8; round += 1) await signIn('not it')
    expect((await signIn(TEST_PASSWORD)).status).toBe(429)
    await reset(await codeFor(email))
    expect((await signIn(NEXT)).status).toBe(200)
  })

  test('is never logged or stored in plain text', async () => {
    const { email } = await aUser()
    const code = await codeFor(email)
    const rows = await app.database.read.selectFrom('single_use_codes').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(code)
    await reset(code)
    expect(app.logged()).not.toContain(code)
  })
})
