import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHALLENGE_LIFETIME_MS } from '#domain/sessions/second-factors.ts'
import { REAUTHENTICATION_LIFETIME_MS } from '#server/identity/reauthentication/require-reauthentication.ts'
import { createTestUser, auditEntriesOf, type TestUser } from '#tests/support/identity/test-user.ts'
import {
  type Flaws,
  makeSoftwarePasskey,
  type SoftwarePasskey,
} from '#tests/support/identity/software-authenticator.ts'
import { type Answer, openTestApp, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'

const OWN_PAGE = { 'x-requested-with': 'dossier', origin: 'http://localhost:4100', 'sec-fetch-site': 'same-origin' }

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const outcomeOf = ({ status, body }: Answer): [number, string | undefined] => [status, body?.code]

const optionsFor = async (person: TestUser) => (await person.caller.post('/api/account/factors/passkeys/options')).body

const add = (person: TestUser, response: object, name = 'My phone') =>
  person.caller.post('/api/account/factors/passkeys', { name, response })

type Keyed = TestUser & { readonly passkey: SoftwarePasskey; readonly passkeyId: string; readonly codes: string[] }

async function aKeyedPerson(): Promise<Keyed> {
  const person = await createTestUser(app)
  const passkey = makeSoftwarePasskey()
  const added = await add(person, passkey.register(await optionsFor(person)))
  expect(added.status).toBe(201)
  return { ...person, passkey, passkeyId: added.body.id, codes: added.body.recoveryCodes }
}

const signIn = (email: string) =>
  app.guest.post('/api/auth/login', { email, password: TEST_PASSWORD, client: 'browser' }, OWN_PAGE)

const challengeOf = async (email: string): Promise<string> => (await signIn(email)).body.challenge.id

const askStep = (id: string) => app.guest.post('/api/auth/challenge/passkey', { id }, OWN_PAGE)

const answer = (id: string, response: object) =>
  app.guest.post('/api/auth/challenge', { id, proof: { method: 'passkey', response } }, OWN_PAGE)

const begin = async () => (await app.guest.post('/api/auth/passkey/options')).body

const finish = (id: string, response: object, headers: Record<string, string> = OWN_PAGE) =>
  app.guest.post('/api/auth/passkey/login', { id, response }, headers)

const FLAWS: readonly [string, Flaws][] = [
  ['for another site', { origin: 'https://evil.example' }],
  ['for another host', { rpId: 'evil.example' }],
  ['to a question nobody asked', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
  ['without having recognised its owner', { isUserVerified: false }],
]

describe('adding a passkey', () => {
  test('requires a discoverable credential and user verification', async () => {
    const person = await createTestUser(app)
    const options = await optionsFor(person)
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Dossier' },
      user: { name: person.email, id: Buffer.from(person.id).toString('base64url') },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    })
  })

  test('lists the passkey, excludes it from later registrations, and creates recovery codes the first time', async () => {
    const { caller, passkey, codes, ...person } = await aKeyedPerson()
    expect(codes).toHaveLength(10)
    const { body } = await caller.get('/api/account/factors')
    expect(body).toMatchObject({ totp: false, recoveryCodesLeft: 10 })
    expect(body.passkeys).toEqual([
      { id: expect.any(String), name: 'My phone', createdAt: app.clock.now().toISOString(), usedAt: null },
    ])
    const options = await optionsFor({ ...person, caller })
    expect(options.excludeCredentials).toEqual([{ id: passkey.id, transports: ['internal'], type: 'public-key' }])
    const second = await add({ ...person, caller }, makeSoftwarePasskey().register(options), 'Second')
    expect(second.body.recoveryCodes).toEqual([])
    expect(await auditEntriesOf(app, person.id)).toContainEqual({
      kind: 'factor-added',
      factor: 'passkey',
      name: 'My phone',
    })
  })

  test.each(FLAWS)('rejects a passkey created %s', async (_, flaws) => {
    const person = await createTestUser(app)
    const response = makeSoftwarePasskey().register(await optionsFor(person), flaws)
    expect(outcomeOf(await add(person, response))).toEqual([401, 'login-refused'])
  })

  test('rejects invalid responses', async () => {
    const person = await createTestUser(app)
    const strange = { clientDataJSON: 'bm9uc2Vuc2U', attestationObject: 'AAAA' }
    for (const response of [
      { id: 'x', response: {} },
      { id: 'x', rawId: 'x', type: 'public-key', response: strange },
    ]) {
      expect(outcomeOf(await add(person, response))).toEqual([401, 'login-refused'])
    }
  })

  test('accepts each response once, within ten minutes and in the same session', async () => {
    const [person, other] = [await createTestUser(app), await createTestUser(app)]
    const response = makeSoftwarePasskey().register(await optionsFor(person))
    expect((await add(other, response)).status).toBe(401)
    expect((await add(person, response)).status).toBe(201)
    expect((await add(person, response)).status).toBe(401)
    const late = makeSoftwarePasskey().register(await optionsFor(person))
    app.clock.move(CHALLENGE_LIFETIME_MS)
    expect((await add(person, late)).status).toBe(401)
  })

  test('rejects a passkey that belongs to another user', async () => {
    const { passkey } = await aKeyedPerson()
    const other = await createTestUser(app)
    expect(outcomeOf(await add(other, passkey.register(await optionsFor(other))))).toEqual([409, 'name-taken'])
    expect((await other.caller.get('/api/account/factors')).body).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 })
  })
})

describe('sign-in with a passkey alone', () => {
  test('requires no user name or second factor, and counts as re-authentication', async () => {
    const { id, passkey, caller } = await aKeyedPerson()
    const begun = await begin()
    expect(begun.options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    expect(begun.options.allowCredentials).toBeUndefined()
    const signed = await finish(begun.id, passkey.sign(begun.options))
    expect(signed.status).toBe(200)
    expect(String(signed.headers['set-cookie'])).toContain('dossier_refresh=r2.')
    const { body } = await app.withToken(signed.body.token).get('/api/auth/user')
    expect(body.user.id).toBe(id)
    const [used] = (await caller.get('/api/account/factors')).body.passkeys
    expect(used.usedAt).toBe(app.clock.now().toISOString())
    expect((await app.withToken(signed.body.token).post('/api/account/factors/totp')).status).toBe(200)
  })

  test('stores nothing before a response arrives', async () => {
    const count = async () => (await app.database.read.selectFrom('challenges').select('id').execute()).length
    const before = await count()
    await Promise.all(Array.from({ length: 20 }, begin))
    expect(await count()).toBe(before)
  })

  test('accepts each challenge once, including concurrently', async () => {
    const { passkey } = await aKeyedPerson()
    const begun = await begin()
    const signed = passkey.sign(begun.options)
    const answers = await Promise.all([finish(begun.id, signed), finish(begun.id, signed)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await finish(begun.id, passkey.sign(begun.options))).status).toBe(410)
  })

  test('expires after ten minutes, and accepts only challenges created by the server', async () => {
    const { passkey } = await aKeyedPerson()
    const begun = await begin()
    const signed = passkey.sign(begun.options)
    expect(outcomeOf(await finish(begun.id.replace(/\.\d+\./, '.9999999999999.'), signed))).toEqual([410, 'gone'])
    expect((await finish('nonsense', signed)).status).toBe(410)
    app.clock.move(CHALLENGE_LIFETIME_MS)
    expect((await finish(begun.id, signed)).status).toBe(410)
  })

  test.each([...FLAWS, ['with another key', { isForged: true }] as const])(
    'rejects a response %s',
    async (_, flaws) => {
      const { passkey } = await aKeyedPerson()
      const begun = await begin()
      const refused = await finish(begun.id, passkey.sign(begun.options, flaws))
      expect(outcomeOf(refused)).toEqual([401, 'login-refused'])
      expect(refused.headers['set-cookie']).toBeUndefined()
    },
  )

  test('rejects a decreasing signature counter, which indicates a cloned authenticator', async () => {
    const { passkey } = await aKeyedPerson()
    const first = await begin()
    expect((await finish(first.id, passkey.sign(first.options, { counter: 7 }))).status).toBe(200)
    const copied = await begin()
    expect((await finish(copied.id, passkey.sign(copied.options, { counter: 7 }))).status).toBe(401)
    const next = await begin()
    expect((await finish(next.id, passkey.sign(next.options, { counter: 8 }))).status).toBe(200)
  })

  test('rejects an unknown or removed passkey and a disabled user', async () => {
    const unknown = makeSoftwarePasskey()
    const begun = await begin()
    expect((await finish(begun.id, unknown.sign(begun.options))).status).toBe(401)

    const removed = await aKeyedPerson()
    expect((await removed.caller.delete(`/api/account/factors/passkeys/${removed.passkeyId}`)).status).toBe(204)
    expect((await finish(begun.id, removed.passkey.sign(begun.options))).status).toBe(401)

    const disabled = await aKeyedPerson()
    const disabledAt = app.clock.now().toISOString()
    await app.database.write(({ db }) =>
      db.updateTable('users').set({ disabled_at: disabledAt }).where('id', '=', disabled.id).execute(),
    )
    expect((await finish(begun.id, disabled.passkey.sign(begun.options))).status).toBe(401)
  })

  test("is rejected for other sites' pages", async () => {
    const { passkey } = await aKeyedPerson()
    const begun = await begin()
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect(outcomeOf(await finish(begun.id, passkey.sign(begun.options), foreign))).toEqual([403, 'origin-refused'])
  })
})

describe('a passkey as second factor', () => {
  test("requests one of the user's own passkeys and completes the sign-in", async () => {
    const { email, passkey } = await aKeyedPerson()
    const first = await signIn(email)
    expect(first.body.challenge.methods).toEqual(['passkey', 'recovery-code'])
    const options = (await askStep(first.body.challenge.id)).body
    expect(options.allowCredentials).toEqual([{ id: passkey.id, transports: ['internal'], type: 'public-key' }])
    const done = await answer(first.body.challenge.id, passkey.sign(options))
    expect(done.status).toBe(200)
    expect(outcomeOf(await askStep(first.body.challenge.id))).toEqual([410, 'gone'])
  })

  test('is valid only for its own sign-in and user', async () => {
    const [mine, theirs] = [await aKeyedPerson(), await aKeyedPerson()]
    const [one, two] = [await challengeOf(mine.email), await challengeOf(mine.email)]
    const options = (await askStep(one)).body
    expect((await answer(two, mine.passkey.sign(options))).status).toBe(401)
    expect((await answer(one, theirs.passkey.sign(options))).status).toBe(401)
    expect((await answer(one, mine.passkey.sign((await begin()).options))).status).toBe(401)
    expect((await answer(one, mine.passkey.sign(options))).status).toBe(200)
  })

  test('completes a challenge only once, even for two concurrent responses', async () => {
    const { email, passkey } = await aKeyedPerson()
    const id = await challengeOf(email)
    const signed = passkey.sign((await askStep(id)).body)
    const answers = await Promise.all([answer(id, signed), answer(id, signed)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test("isn't requested if the user has no passkey", async () => {
    expect((await askStep('never-issued')).status).toBe(410)
  })
})

describe('re-authentication with a passkey', () => {
  test('unlocks sensitive settings only in the requesting session', async () => {
    const { id, email, caller, passkey } = await aKeyedPerson()
    const step = await challengeOf(email)
    const other = await answer(step, passkey.sign((await askStep(step)).body))
    app.clock.move(REAUTHENTICATION_LIFETIME_MS + 1)
    const requested = (await caller.post('/api/auth/step-up/options')).body
    expect(requested.methods).toEqual(['passkey', 'recovery-code'])
    const proof = { method: 'passkey', response: passkey.sign(requested.passkey) }
    expect((await app.withToken(other.body.token).post('/api/auth/step-up', { proof })).status).toBe(401)
    expect((await caller.post('/api/auth/step-up', { proof })).status).toBe(204)
    expect((await caller.post('/api/auth/step-up', { proof })).status).toBe(401)
    expect((await caller.post('/api/account/factors/recovery-codes')).status).toBe(200)
    expect(await auditEntriesOf(app, id)).toContainEqual({ kind: 'stepped-up', method: 'passkey' })
  })
})

describe('renaming a passkey', () => {
  const rename = (caller: TestUser['caller'], id: string, name: unknown) =>
    caller.patch(`/api/account/factors/passkeys/${id}`, { name })

  test('changes the name and is audited', async () => {
    const { id, caller, passkeyId } = await aKeyedPerson()
    expect((await rename(caller, passkeyId, '  Phone of the office ')).status).toBe(204)
    const { body } = await caller.get('/api/account/factors')
    expect(body.passkeys).toMatchObject([{ id: passkeyId, name: 'Phone of the office' }])
    expect((await rename(caller, passkeyId, 'Phone of the office')).status).toBe(204)
    const renamings = (await auditEntriesOf(app, id)).filter(({ kind }) => kind === 'passkey-renamed')
    expect(renamings).toEqual([{ kind: 'passkey-renamed', from: 'My phone', to: 'Phone of the office' }])
  })

  test('accepts names of one to a hundred characters', async () => {
    const { caller, passkeyId } = await aKeyedPerson()
    expect((await rename(caller, passkeyId, 'x'.repeat(100))).status).toBe(204)
    for (const name of ['', '   ', 'x'.repeat(101), 7]) {
      const refused = await rename(caller, passkeyId, name)
      expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([400, 'name'])
    }
    expect((await caller.get('/api/account/factors')).body.passkeys[0].name).toBe('x'.repeat(100))
  })

  test('of another user is treated as missing', async () => {
    const [mine, theirs] = [await aKeyedPerson(), await aKeyedPerson()]
    expect(outcomeOf(await rename(mine.caller, theirs.passkeyId, 'Mine'))).toEqual([404, 'not-found'])
    expect(outcomeOf(await rename(mine.caller, 'none', 'Mine'))).toEqual([404, 'not-found'])
    expect((await theirs.caller.get('/api/account/factors')).body.passkeys[0].name).toBe('My phone')
  })
})

describe('removing a passkey', () => {
  test('of another user is treated as missing', async () => {
    const [mine, theirs] = [await aKeyedPerson(), await aKeyedPerson()]
    const path = `/api/account/factors/passkeys/${theirs.passkeyId}`
    expect(outcomeOf(await mine.caller.delete(path))).toEqual([404, 'not-found'])
    expect((await theirs.caller.get('/api/account/factors')).body.passkeys).toHaveLength(1)
  })

  test('restores password-only sign-in if it was the last factor', async () => {
    const { email, caller, passkeyId } = await aKeyedPerson()
    expect((await caller.delete(`/api/account/factors/passkeys/${passkeyId}`)).status).toBe(204)
    expect((await signIn(email)).body.token).toBeDefined()
    expect((await caller.get('/api/account/factors')).body).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 })
  })
})
