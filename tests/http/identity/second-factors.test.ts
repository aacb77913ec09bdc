import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHALLENGE_LIFETIME_MS, MAX_CHALLENGE_ATTEMPTS } from '#domain/sessions/second-factors.ts'
import { REAUTHENTICATION_LIFETIME_MS } from '#server/identity/reauthentication/require-reauthentication.ts'
import { ensureOwner } from '#server/identity/setup/ensure-owner.ts'
import { createTestUser, auditEntriesOf, type TestUser } from '#tests/support/identity/test-user.ts'
import { type Answer, openTestApp, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'

const OWN_PAGE = { 'x-requested-with': 'dossier', origin: 'http://localhost:4100', 'sec-fetch-site': 'same-origin' }

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const signIn = (email: string, client: 'browser' | 'api' = 'api', headers = {}) =>
  app.guest.post('/api/auth/login', { email, password: TEST_PASSWORD, client }, headers)

const codeNow = (secret: string, stepsAway = 0): string =>
  generateSync({ secret, epoch: app.clock.now().getTime() / 1000 + stepsAway * 30 })

const nextStep = (): void => app.clock.move(30_000)

type Secured = TestUser & { readonly secret: string; readonly codes: string[] }

/** A user with an authenticator app. The clock is advanced, because each code can be used only once. */
async function aSecuredPerson(): Promise<Secured> {
  const person = await createTestUser(app)
  const { secret } = (await person.caller.post('/api/account/factors/totp')).body
  const confirmed = await person.caller.put('/api/account/factors/totp', { code: codeNow(secret) })
  expect(confirmed.status).toBe(200)
  nextStep()
  return { ...person, secret, codes: confirmed.body.recoveryCodes }
}

const challengeOf = async (email: string): Promise<string> => (await signIn(email)).body.challenge.id

const answer = (id: string, proof: object, headers = {}) =>
  app.guest.post('/api/auth/challenge', { id, proof }, headers)

const totp = (code: string) => ({ method: 'totp', code })
const recovery = (code: string) => ({ method: 'recovery-code', code })

const outcomeOf = ({ status, body }: Answer): [number, string | undefined] => [status, body?.code]

/** Sorted, because concurrent requests finish in arbitrary order. */
const statusesOf = (answers: readonly Answer[]): number[] =>
  answers.map(({ status }) => status).toSorted((left, right) => left - right)

const auditOf = (userId: string) => auditEntriesOf(app, userId)

describe('setting up an authenticator', () => {
  test('returns a secret and URL, and requires a valid code to enable it', async () => {
    const { caller, email } = await createTestUser(app)
    const begun = await caller.post('/api/account/factors/totp')
    expect(begun.headers['cache-control']).toBe('no-store')
    expect(begun.body.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(decodeURIComponent(begun.body.uri)).toContain(`otpauth://totp/Dossier:${email}?secret=${begun.body.secret}`)
    expect((await caller.get('/api/account/factors')).body).toMatchObject({ totp: false, recoveryCodesLeft: 0 })

    const wrong = await caller.put('/api/account/factors/totp', { code: codeNow(begun.body.secret, 3) })
    expect(outcomeOf(wrong)).toEqual([401, 'login-refused'])
    expect((await signIn(email)).body.token).toBeDefined()

    const right = await caller.put('/api/account/factors/totp', { code: codeNow(begun.body.secret) })
    expect(right.status).toBe(200)
    expect(right.body.recoveryCodes).toHaveLength(10)
    expect(new Set(right.body.recoveryCodes).size).toBe(10)
    expect((await caller.get('/api/account/factors')).body).toMatchObject({ totp: true, recoveryCodesLeft: 10 })
  })

  test('never stores or logs the secret and recovery codes in plain text', async () => {
    const { id, secret, codes } = await aSecuredPerson()
    const [kept, hashes] = await Promise.all([
      app.database.read.selectFrom('totp_secrets').selectAll().where('user_id', '=', id).execute(),
      app.database.read.selectFrom('recovery_codes').selectAll().where('user_id', '=', id).execute(),
    ])
    const text = JSON.stringify([kept, hashes]) + app.logged()
    for (const word of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) {
      expect(text).not.toContain(word)
    }
    expect(hashes).toHaveLength(10)
  })

  test('expires, and a new secret replaces a pending one', async () => {
    const { caller } = await createTestUser(app)
    const first = (await caller.post('/api/account/factors/totp')).body.secret
    const second = (await caller.post('/api/account/factors/totp')).body.secret
    expect((await caller.put('/api/account/factors/totp', { code: codeNow(first) })).status).toBe(401)
    app.clock.move(CHALLENGE_LIFETIME_MS)
    expect(outcomeOf(await caller.put('/api/account/factors/totp', { code: codeNow(second) }))).toEqual([410, 'gone'])
  })

  test("can't be completed by another session", async () => {
    const { caller, email } = await createTestUser(app)
    const { secret } = (await caller.post('/api/account/factors/totp')).body
    const other = app.withToken((await signIn(email)).body.token)
    expect((await other.put('/api/account/factors/totp', { code: codeNow(secret) })).status).toBe(410)
  })

  test('keeps the existing authenticator until the new one is confirmed with a code', async () => {
    const { caller, email, secret } = await aSecuredPerson()
    const again = (await caller.post('/api/account/factors/totp')).body.secret
    expect((await answer(await challengeOf(email), totp(codeNow(secret)))).status).toBe(200)
    const confirmed = await caller.put('/api/account/factors/totp', { code: codeNow(again) })
    expect(confirmed.body).toEqual({ recoveryCodes: [] })
    nextStep()
    expect((await answer(await challengeOf(email), totp(codeNow(secret)))).status).toBe(401)
    expect((await answer(await challengeOf(email), totp(codeNow(again)))).status).toBe(200)
  })
})

describe('a sign-in with a second factor', () => {
  test('returns a challenge, but no token or cookie', async () => {
    const { email } = await aSecuredPerson()
    const first = await signIn(email, 'browser', OWN_PAGE)
    expect(first.status).toBe(200)
    expect(first.headers['set-cookie']).toBeUndefined()
    expect(first.headers['cache-control']).toBe('no-store')
    const expiresAt = new Date(app.clock.now().getTime() + CHALLENGE_LIFETIME_MS).toISOString()
    expect(first.body).toEqual({
      challenge: { id: expect.any(String), methods: ['totp', 'recovery-code'], expires_at: expiresAt },
    })
  })

  test('completes in the mode in which it started: cookie or body', async () => {
    const { email, secret } = await aSecuredPerson()
    const page = (await signIn(email, 'browser', OWN_PAGE)).body.challenge.id
    const paged = await answer(page, totp(codeNow(secret)), OWN_PAGE)
    expect(String(paged.headers['set-cookie'])).toMatch(/^dossier_refresh=r2\./)
    expect(paged.body.refresh_token).toBeUndefined()
    nextStep()
    const programmed = await answer(await challengeOf(email), totp(codeNow(secret)))
    expect(programmed.headers['set-cookie']).toBeUndefined()
    expect(programmed.body.refresh_token).toMatch(/^r2\./)
    expect((await app.withToken(programmed.body.token).get('/api/auth/user')).status).toBe(200)
  })

  test("can't be completed by a page if an API client started it, or from another site's page", async () => {
    const { email, secret } = await aSecuredPerson()
    const program = await challengeOf(email)
    expect(outcomeOf(await answer(program, totp(codeNow(secret)), OWN_PAGE))).toEqual([403, 'origin-refused'])
    const page = (await signIn(email, 'browser', OWN_PAGE)).body.challenge.id
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await answer(page, totp(codeNow(secret)), foreign)).status).toBe(403)
    expect((await answer(page, totp(codeNow(secret)), OWN_PAGE)).status).toBe(200)
  })

  test('records the second-factor method and unlocks sensitive settings', async () => {
    const { email, secret } = await aSecuredPerson()
    const { body } = await answer(await challengeOf(email), totp(codeNow(secret)))
    const row = await app.database.read
      .selectFrom('sessions')
      .select(['methods', 'proven_at'])
      .where('id', '=', body.session_id)
      .executeTakeFirst()
    expect(row).toEqual({ methods: 'password,totp', proven_at: app.clock.now().toISOString() })
  })

  test('accepts only the current and previous code', async () => {
    const { email, secret } = await aSecuredPerson()
    app.clock.move(120_000)
    const id = await challengeOf(email)
    expect((await answer(id, totp(codeNow(secret, 1)))).status).toBe(401)
    expect((await answer(id, totp(codeNow(secret, -2)))).status).toBe(401)
    const spaced = codeNow(secret, -1).replace(/^.../, '$& ')
    expect((await answer(id, totp(spaced))).status).toBe(200)
  })

  test('never accepts a code twice, not even the setup code', async () => {
    const { email, secret } = await aSecuredPerson()
    expect((await answer(await challengeOf(email), totp(codeNow(secret, -1)))).status).toBe(401)
    const code = codeNow(secret)
    expect((await answer(await challengeOf(email), totp(code))).status).toBe(200)
    expect(outcomeOf(await answer(await challengeOf(email), totp(code)))).toEqual([401, 'login-refused'])
    nextStep()
    expect((await answer(await challengeOf(email), totp(codeNow(secret)))).status).toBe(200)
  })

  test('accepts only one of two concurrent attempts with the same code', async () => {
    const { email, secret } = await aSecuredPerson()
    const ids = [await challengeOf(email), await challengeOf(email)]
    const answers = await Promise.all(ids.map((id) => answer(id, totp(codeNow(secret)))))
    expect(statusesOf(answers)).toEqual([200, 401])
  })

  test('invalidates its challenge after success', async () => {
    const { email, secret } = await aSecuredPerson()
    const id = await challengeOf(email)
    expect((await answer(id, totp(codeNow(secret)))).status).toBe(200)
    nextStep()
    expect(outcomeOf(await answer(id, totp(codeNow(secret))))).toEqual([410, 'gone'])
    expect((await answer('never-issued', totp(codeNow(secret)))).status).toBe(410)
  })

  test("can't be completed with another user's factor", async () => {
    const [mine, theirs] = [await aSecuredPerson(), await aSecuredPerson()]
    const id = await challengeOf(mine.email)
    expect((await answer(id, totp(codeNow(theirs.secret)))).status).toBe(401)
    expect((await answer(id, recovery(theirs.codes[0] ?? ''))).status).toBe(401)
    expect((await answer(id, totp(codeNow(mine.secret)))).status).toBe(200)
  })

  test('is rejected after five wrong codes across all factors, and the next attempt is delayed', async () => {
    const { email, secret } = await aSecuredPerson()
    const id = await challengeOf(email)
    for (let round = 0; round < MAX_CHALLENGE_ATTEMPTS; round += 1) {
      const proof = round % 2 === 0 ? totp('000000') : recovery('0000-0000-0000')
      expect((await answer(id, proof)).status).toBe(401)
    }
    expect((await answer(id, totp(codeNow(secret)))).status).toBe(410)

    const next = await challengeOf(email)
    expect((await answer(next, totp('000000'))).status).toBe(401)
    const held = await answer(next, totp(codeNow(secret)))
    expect([held.status, held.headers['retry-after']]).toEqual([429, '1'])
    app.clock.move(1000)
    expect((await answer(next, totp(codeNow(secret)))).status).toBe(200)
  })

  test('verifies at most five of thirty concurrent codes', async () => {
    const { email } = await aSecuredPerson()
    const id = await challengeOf(email)
    const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => answer(id, totp(String(100_000 + at)))))
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(MAX_CHALLENGE_ATTEMPTS)
  })

  test('expires after ten minutes', async () => {
    const { email, secret } = await aSecuredPerson()
    const id = await challengeOf(email)
    app.clock.move(CHALLENGE_LIFETIME_MS - 1)
    const late = await challengeOf(email)
    app.clock.move(1)
    expect((await answer(id, totp(codeNow(secret)))).status).toBe(410)
    expect((await answer(late, totp(codeNow(secret)))).status).toBe(200)
  })

  test('is invalidated when the user is disabled or gets a new password', async () => {
    const { id: userId, email, secret } = await aSecuredPerson()
    const id = await challengeOf(email)
    const change = (values: { password_hash?: string; disabled_at?: string | null }) =>
      app.database.write(({ db }) => db.updateTable('users').set(values).where('id', '=', userId).execute())
    await change({ disabled_at: app.clock.now().toISOString() })
    expect((await answer(id, totp(codeNow(secret)))).status).toBe(410)
    await change({ disabled_at: null, password_hash: 'another' })
    expect((await answer(id, totp(codeNow(secret)))).status).toBe(410)
  })

  test("ends the browser's previous session only when the second factor is verified", async () => {
    const { email, secret } = await aSecuredPerson()
    const before = await answer((await signIn(email, 'browser')).body.challenge.id, totp(codeNow(secret)))
    const cookie = String(before.headers['set-cookie']).split(';', 1)[0] ?? ''
    nextStep()
    const again = await signIn(email, 'browser', { cookie })
    expect((await app.withToken(before.body.token).get('/api/auth/user')).status).toBe(200)
    expect((await answer(again.body.challenge.id, totp(codeNow(secret)), { cookie })).status).toBe(200)
    expect((await app.withToken(before.body.token).get('/api/auth/user')).status).toBe(401)
  })

  test("isn't delayed in a known browser by others who know the password", async () => {
    const { email, secret } = await aSecuredPerson()
    const first = await answer((await signIn(email, 'browser')).body.challenge.id, totp(codeNow(secret)))
    const cookies = [first.headers['set-cookie']].flat().map((cookie) => String(cookie).split(';', 1)[0])
    const known = { cookie: cookies.join('; ') }
    nextStep()
    for (let round = 0; round < 6; round += 1) await answer(await challengeOf(email), totp('000000'))
    expect((await answer(await challengeOf(email), totp(codeNow(secret)))).status).toBe(429)
    const own = (await signIn(email, 'browser', known)).body.challenge.id
    expect((await answer(own, totp(codeNow(secret)), known)).status).toBe(200)
  })

  test('audits wrong second-factor codes', async () => {
    const { id, email } = await aSecuredPerson()
    await answer(await challengeOf(email), totp('000000'))
    expect(await auditOf(id)).toContainEqual({ kind: 'sign-in-failed', step: 'second', method: 'totp' })
  })
})

describe('a recovery code', () => {
  test('can be used once instead of another factor, regardless of case and separators', async () => {
    const { id, email, caller, codes } = await aSecuredPerson()
    const typed = ` ${codes[3]?.toUpperCase().replaceAll('-', ' ')}`
    expect((await answer(await challengeOf(email), recovery(typed))).status).toBe(200)
    expect((await answer(await challengeOf(email), recovery(codes[3] ?? ''))).status).toBe(401)
    expect((await caller.get('/api/account/factors')).body.recoveryCodesLeft).toBe(9)
    expect(await auditOf(id)).toContainEqual({ kind: 'recovery-code-used' })
  })

  test('can be used once, even when sent concurrently for two challenges', async () => {
    const { email, codes } = await aSecuredPerson()
    const ids = [await challengeOf(email), await challengeOf(email)]
    const answers = await Promise.all(ids.map((id) => answer(id, recovery(codes[0] ?? ''))))
    expect(statusesOf(answers)).toEqual([200, 401])
  })

  test("isn't consumed when the challenge has expired", async () => {
    const { email, codes } = await aSecuredPerson()
    const id = await challengeOf(email)
    const answers = await Promise.all([0, 1].map((at) => answer(id, recovery(codes[at] ?? ''))))
    expect(statusesOf(answers)).toEqual([200, 410])
    const left = codes[answers[0]?.status === 410 ? 0 : 1] ?? ''
    expect((await answer(await challengeOf(email), recovery(left))).status).toBe(200)
  })

  test('is invalidated when new ones are created', async () => {
    const { id, email, caller, codes } = await aSecuredPerson()
    const fresh = (await caller.post('/api/account/factors/recovery-codes')).body.recoveryCodes
    expect(fresh).toHaveLength(10)
    expect((await answer(await challengeOf(email), recovery(codes[0] ?? ''))).status).toBe(401)
    expect((await answer(await challengeOf(email), recovery(fresh[0]))).status).toBe(200)
    expect((await auditOf(id)).filter(({ kind }) => kind === 'recovery-codes-made')).toHaveLength(2)
  })

  test("isn't created without a second factor", async () => {
    const { caller } = await createTestUser(app)
    expect(outcomeOf(await caller.post('/api/account/factors/recovery-codes'))).toEqual([403, 'forbidden'])
  })
})

describe('a short password', () => {
  const change = (caller: TestUser['caller'], current: string, next: string) =>
    caller.post('/api/account/password', { current, next })

  test('is accepted only with a second factor, and prevents the last factor from being removed', async () => {
    const short = 'kX8#fq-W'
    expect((await change((await createTestUser(app)).caller, TEST_PASSWORD, short)).status).toBe(422)
    const { caller } = await aSecuredPerson()
    expect((await change(caller, TEST_PASSWORD, short)).status).toBe(204)
    expect(outcomeOf(await caller.delete('/api/account/factors/totp'))).toEqual([422, 'password-weak'])
    expect((await caller.get('/api/account/factors')).body).toMatchObject({ totp: true, recoveryCodesLeft: 10 })
    expect((await change(caller, short, `${TEST_PASSWORD} again`)).status).toBe(204)
    expect((await caller.delete('/api/account/factors/totp')).status).toBe(204)
  })
})

describe('a user who lost every factor', () => {
  const newestEmailTo = async (email: string): Promise<string | undefined> => {
    const emails = app.database.read.selectFrom('mails').select('body').where('recipient', '=', email)
    return (await emails.orderBy('id', 'desc').limit(1).executeTakeFirst())?.body
  }

  test('can be restored by an owner who has re-authenticated, which ends all sessions', async () => {
    const [owner, lost] = [await app.asOwner(), await aSecuredPerson()]
    const pending = await challengeOf(lost.email)
    expect((await lost.caller.delete(`/api/users/${owner.userId}/factors`)).status).toBe(403)
    expect(outcomeOf(await owner.delete('/api/users/nobody/factors'))).toEqual([404, 'not-found'])
    expect((await owner.delete(`/api/users/${owner.userId}/factors`)).status).toBe(403)
    expect((await owner.delete(`/api/users/${lost.id}/factors`)).status).toBe(204)
    expect((await lost.caller.get('/api/auth/user')).body.code).toBe('session-ended')
    expect((await answer(pending, totp(codeNow(lost.secret)))).status).toBe(410)
    expect((await signIn(lost.email)).body.token).toBeDefined()
    expect(await auditOf(lost.id)).toContainEqual({ kind: 'factor-removed', factor: 'all' })
    expect(await newestEmailTo(lost.email)).toContain('You can sign in w')
    app.clock.move(REAUTHENTICATION_LIFETIME_MS + 1)
    expect((await owner.delete(`/api/users/${lost.id}/factors`)).body.code).toBe('step-up-needed')
  })

  test('must choose a new password by email if the current one is short', async () => {
    const [owner, lost] = [await app.asOwner(), await aSecuredPerson()]
    await lost.caller.post('/api/account/password', { current: TEST_PASSWORD, next: 'kX8#fq-W' })
    expect((await owner.delete(`/api/users/${lost.id}/factors`)).status).toBe(204)
    const refused = await app.guest.post('/api/auth/login', { email: lost.email, password: 'kX8#fq-W', client: 'api' })
    expect(outcomeOf(refused)).toEqual([401, 'login-refused'])
    expect(await newestEmailTo(lost.email)).toContain('You have no passw')
  })

  test('can regain access on the command line if they are the owner', async () => {
    const lost = await aSecuredPerson()
    let made = 0
    const newId = (): string => `${lost.id}-${(made += 1)}`
    const deps = { database: app.database, clock: app.clock.now, newId }
    await ensureOwner(deps, { email: lost.email, name: 'Owner', password: TEST_PASSWORD })
    expect((await signIn(lost.email)).body.token).toBeDefined()
  })
})

describe('a change to the second factors', () => {
  test('emails the user without including a code', async () => {
    const { email, caller, secret, codes } = await aSecuredPerson()
    await answer(await challengeOf(email), recovery(codes[0] ?? ''))
    await caller.post('/api/account/factors/recovery-codes')
    await caller.delete('/api/account/factors/totp')
    const emails = await app.database.read
      .selectFrom('mails')
      .select('body')
      .where('recipient', '=', email)
      .orderBy('id')
      .execute()
    const news = ['turned on', 'signed in with one of your recovery codes', 'new recovery codes', 'turned off']
    expect(emails.map(({ body }, at) => body.includes(news[at] ?? '-'))).toEqual([true, true, true, true])
    for (const word of [secret, ...codes]) expect(JSON.stringify(emails)).not.toContain(word)
  })
})

describe('removing the last factor', () => {
  test('restores password-only sign-in and removes recovery codes', async () => {
    const { id, email, caller, codes } = await aSecuredPerson()
    const pending = await challengeOf(email)
    expect((await caller.delete('/api/account/factors/totp')).status).toBe(204)
    expect((await caller.delete('/api/account/factors/totp')).status).toBe(204)
    expect((await caller.get('/api/account/factors')).body).toMatchObject({ totp: false, recoveryCodesLeft: 0 })
    expect((await answer(pending, recovery(codes[0] ?? ''))).status).toBe(401)
    expect((await signIn(email)).body.token).toBeDefined()
    expect((await auditOf(id)).filter(({ kind }) => kind === 'factor-removed')).toHaveLength(1)
  })
})

const SENSITIVE = [
  ['POST', '/api/account/factors/totp', undefined],
  ['PUT', '/api/account/factors/totp', { code: '000000' }],
  ['DELETE', '/api/account/factors/totp', undefined],
  ['POST', '/api/account/factors/recovery-codes', undefined],
  ['POST', '/api/account/factors/passkeys/options', undefined],
  ['POST', '/api/account/factors/passkeys', { name: 'Key', response: { id: 'x', response: {} } }],
  ['DELETE', '/api/account/factors/passkeys/some', undefined],
] as const

describe('re-authentication', () => {
  test.each(SENSITIVE)('is required for %s %s after it expires', async (method, path, body) => {
    const { caller } = await createTestUser(app)
    app.clock.move(REAUTHENTICATION_LIFETIME_MS + 1)
    const refused = await caller.request(method, path, body === undefined ? {} : { body })
    expect(outcomeOf(refused)).toEqual([401, 'step-up-needed'])
  })

  test('with a password unlocks sensitive settings for 15 minutes', async () => {
    const { id, caller, refreshed } = await createTestUser(app)
    app.clock.move(REAUTHENTICATION_LIFETIME_MS + 1)
    const ways = await caller.post('/api/auth/step-up/options')
    expect(ways.body).toEqual({ methods: ['password'], passkey: null, providers: [] })
    const wrong = await caller.post('/api/auth/step-up', { proof: { method: 'password', password: 'not it' } })
    expect(outcomeOf(wrong)).toEqual([401, 'login-refused'])
    expect((await caller.post('/api/account/factors/totp')).status).toBe(401)

    const right = await caller.post('/api/auth/step-up', { proof: { method: 'password', password: TEST_PASSWORD } })
    expect(right.status).toBe(204)
    const proof = { provenAt: app.clock.now().toISOString(), provenForSeconds: 15 * 60 }
    expect((await caller.get('/api/account/factors')).body).toMatchObject(proof)
    app.clock.move(REAUTHENTICATION_LIFETIME_MS)
    const later = await refreshed()
    expect((await later.get('/api/account/factors')).body).toMatchObject({ ...proof, provenForSeconds: 0 })
    expect((await later.post('/api/account/factors/totp')).status).toBe(200)
    app.clock.move(1)
    expect((await later.post('/api/account/factors/totp')).status).toBe(401)
    expect(await auditOf(id)).toEqual(
      expect.arrayContaining([
        { kind: 'step-up-failed', method: 'password' },
        { kind: 'stepped-up', method: 'password' },
      ]),
    )
  })

  test("doesn't accept a password if the user has a second factor", async () => {
    const { caller, secret } = await aSecuredPerson()
    app.clock.move(REAUTHENTICATION_LIFETIME_MS + 1)
    expect((await caller.post('/api/auth/step-up/options')).body.methods).toEqual(['totp', 'recovery-code'])
    const byPassword = { proof: { method: 'password', password: TEST_PASSWORD } }
    expect((await caller.post('/api/auth/step-up', byPassword)).status).toBe(401)
    expect((await caller.post('/api/auth/step-up', { proof: totp(codeNow(secret)) })).status).toBe(204)
    expect((await caller.delete('/api/account/factors/totp')).status).toBe(204)
  })

  test('is valid only in this session, and accepts no code twice', async () => {
    const { email, caller, secret, codes } = await aSecuredPerson()
    const { body } = await answer(await challengeOf(email), recovery(codes[0] ?? ''))
    const other = app.withToken(body.token)
    app.clock.move(REAUTHENTICATION_LIFETIME_MS + 1)
    const code = codeNow(secret)
    expect((await other.post('/api/auth/step-up', { proof: totp(code) })).status).toBe(204)
    expect((await caller.post('/api/auth/step-up', { proof: totp(code) })).status).toBe(401)
    expect((await caller.post('/api/account/factors/recovery-codes')).status).toBe(401)
    const row = await app.database.read
      .selectFrom('sessions')
      .select('methods')
      .where('id', '=', body.session_id)
      .executeTakeFirst()
    expect(row?.methods).toBe('password,recovery-code,totp')
  })

  test("shares a lockout with the account's second factors", async () => {
    const { email, caller } = await aSecuredPerson()
    const id = await challengeOf(email)
    for (let round = 0; round < 3; round += 1) await answer(id, totp('000000'))
    for (let round = 0; round < 3; round += 1) await caller.post('/api/auth/step-up', { proof: totp('000000') })
    expect((await caller.post('/api/auth/step-up', { proof: totp('000000') })).status).toBe(429)
    expect((await answer(id, totp('000000'))).status).toBe(429)
  })
})
