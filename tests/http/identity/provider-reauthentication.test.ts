import { type JWTPayload, SignJWT } from 'jose'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { REAUTHENTICATION_LIFETIME_MS } from '#server/identity/reauthentication/require-reauthentication.ts'
import { type ForgingProvider, startForgingProvider } from '#tests/support/identity/forging-provider.ts'
import { startIdentityProvider, type TestIdentityProvider } from '#tests/support/identity/identity-provider.ts'
import { auditEntriesOf } from '#tests/support/identity/test-user.ts'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

const CALLBACK = 'http://localhost:4100/callback'
const OWN_PAGE = { 'x-requested-with': 'dossier', origin: 'http://localhost:4100', 'sec-fetch-site': 'same-origin' }

let provider: TestIdentityProvider
let forging: ForgingProvider
let app: TestApp
let made = 0

beforeAll(async () => {
  provider = await startIdentityProvider('acme', CALLBACK)
  forging = await startForgingProvider('forging')
  app = await openTestApp({ config: { oidcProviders: [provider.settings, forging.settings] } })
})
afterAll(async () => {
  await app.close()
  await Promise.all([provider.goAway(), forging.stop()])
})

const outcomeOf = ({ status, body }: Answer): [number, string | undefined] => [status, body?.code]

const cookieOf = (answer: Answer): string =>
  /dossier_provider=[^;]*/.exec([answer.headers['set-cookie'] ?? []].flat().join('\n'))?.[0] ?? ''

type Begun = { readonly url: string; readonly cookie: string; readonly answer: Answer }

async function begin(caller: Caller, purpose: string, name = 'acme'): Promise<Begun> {
  const body = { purpose, returnTo: '/account/security' }
  const answer = await caller.post(`/api/auth/providers/${name}/begin`, body, OWN_PAGE)
  return { url: answer.body?.url, cookie: cookieOf(answer), answer }
}

const finish = (url: string, cookie: string, caller: Caller) =>
  caller.post('/api/auth/providers/finish', { url }, { ...OWN_PAGE, cookie })

async function goThere(caller: Caller, subject: string, purpose: string): Promise<Answer> {
  const { url, cookie } = await begin(caller, purpose)
  return finish(await provider.visit(url, subject), cookie, caller)
}

type Visitor = { readonly subject: string; readonly id: string; readonly caller: Caller }

/** A user who signs in only through the provider and has neither a password nor a second factor. */
async function aPersonByProvider(): Promise<Visitor> {
  const subject = `person-${(made += 1)}`
  const email = `${subject}@example.org`
  const invited = await (await app.asOwner()).post('/api/users', { email, name: subject, roles: ['editor'] })
  provider.addPerson(subject, { email, emailVerified: true })
  const { body } = await goThere(app.guest, subject, 'sign-in')
  return { subject, id: invited.body.id, caller: app.withToken(body.tokens.token) }
}

const proofGrowsOld = (): void => app.clock.move(REAUTHENTICATION_LIFETIME_MS + 1)
const isOpen = async (caller: Caller): Promise<boolean> =>
  (await caller.post('/api/account/factors/totp')).status === 200
const waysOf = async (caller: Caller) => (await caller.post('/api/auth/step-up/options')).body

describe('a user whose only sign-in method is a provider', () => {
  test('can re-authenticate only with the provider', async () => {
    const { caller } = await aPersonByProvider()
    expect(await waysOf(caller)).toEqual({
      methods: [],
      passkey: null,
      providers: [{ name: 'acme', label: 'Acme' }],
    })
    expect((await caller.get('/api/account/factors')).body).toMatchObject({ hasPassword: false })
  })

  test('can use sensitive settings for 15 minutes in the same session after re-authenticating with the provider', async () => {
    const { subject, id, caller } = await aPersonByProvider()
    proofGrowsOld()
    expect(await isOpen(caller)).toBe(false)
    const { url, cookie } = await begin(caller, 'prove')
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({ prompt: 'login', max_age: '0' })
    const answer = await finish(await provider.visit(url, subject), cookie, caller)
    expect([answer.status, answer.body]).toEqual([
      200,
      { purpose: 'prove', tokens: null, challenge: null, returnTo: '/account/security' },
    ])
    expect(await isOpen(caller)).toBe(true)
    expect(await auditEntriesOf(app, id)).toContainEqual({ kind: 'stepped-up', method: 'provider', provider: 'acme' })
    proofGrowsOld()
    expect(await isOpen(caller)).toBe(false)
  })

  test('can set a password without entering a current one', async () => {
    const { caller } = await aPersonByProvider()
    const password = { current: '', next: 'nine herons read the paper' }
    expect((await caller.post('/api/account/password', password)).status).toBe(204)
    expect((await caller.get('/api/account/factors')).body).toMatchObject({ hasPassword: true })
    expect(await waysOf(caller)).toMatchObject({ methods: ['password'], providers: [{ name: 'acme' }] })
  })

  test("can't unlink the provider while it is their only sign-in method", async () => {
    const { caller } = await aPersonByProvider()
    const unlink = () => caller.delete('/api/account/providers/acme')
    expect(outcomeOf(await unlink())).toEqual([403, 'forbidden'])
    expect((await caller.get('/api/account/providers')).body.items).toHaveLength(1)
    await caller.post('/api/account/password', { current: '', next: 'nine herons read the paper' })
    expect((await unlink()).status).toBe(204)
  })

  test("can't re-authenticate with another account at the provider", async () => {
    const { id, caller } = await aPersonByProvider()
    proofGrowsOld()
    for (const other of ['a-stranger', (await aPersonByProvider()).subject]) {
      const answer = await goThere(caller, other, 'prove')
      expect(outcomeOf(answer)).toEqual([401, 'login-refused'])
      expect(answer.body.detail).toContain(
        'You signed in to Acme with a different account than the linked one. Start again with the linked account.',
      )
    }
    expect(await isOpen(caller)).toBe(false)
    const failed = { kind: 'step-up-failed', method: 'provider', provider: 'acme', why: 'somebody-else' }
    expect(await auditEntriesOf(app, id)).toContainEqual(failed)
  })

  test('re-authenticates only the requesting session', async () => {
    const { subject, caller } = await aPersonByProvider()
    const elsewhere = app.withToken((await goThere(app.guest, subject, 'sign-in')).body.tokens.token)
    proofGrowsOld()
    const { url, cookie } = await begin(caller, 'prove')
    const visited = await provider.visit(url, subject)
    for (const wrong of [app.guest, elsewhere, await app.asEditor()]) {
      expect(outcomeOf(await finish(visited, cookie, wrong))).toEqual([401, 'session-ended'])
    }
    expect((await finish(visited, cookie, caller)).status).toBe(200)
    expect([await isOpen(caller), await isOpen(elsewhere)]).toEqual([true, false])
  })

  test("can't reuse a response, or use it after ten minutes", async () => {
    const { subject, caller } = await aPersonByProvider()
    const { url, cookie } = await begin(caller, 'prove')
    const visited = await provider.visit(url, subject)
    const answers = await Promise.all([finish(visited, cookie, caller), finish(visited, cookie, caller)])
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 410])
    const late = await begin(caller, 'prove')
    const lateUrl = await provider.visit(late.url, subject)
    app.clock.move(10 * 60 * 1000)
    expect(outcomeOf(await finish(lateUrl, late.cookie, caller))).toEqual([410, 'gone'])
  })

  test("can't re-authenticate in an ended session", async () => {
    const { subject, caller } = await aPersonByProvider()
    const { url, cookie } = await begin(caller, 'prove')
    const visited = await provider.visit(url, subject)
    await caller.post('/api/auth/logout')
    expect((await finish(visited, cookie, caller)).status).toBe(401)
  })
})

describe('a provider', () => {
  test("can't be used for re-authentication once a second factor is set up, even if re-authentication has already started", async () => {
    const { subject, caller } = await aPersonByProvider()
    const { url, cookie } = await begin(caller, 'prove')
    const visited = await provider.visit(url, subject)
    const { secret } = (await caller.post('/api/account/factors/totp')).body
    const code = generateSync({ secret, epoch: app.clock.now().getTime() / 1000 })
    expect((await caller.put('/api/account/factors/totp', { code })).status).toBe(200)
    const answer = await finish(visited, cookie, caller)
    expect(outcomeOf(answer)).toEqual([401, 'login-refused'])
    expect(answer.body.detail).toContain('second factor')
    expect(outcomeOf((await begin(caller, 'prove')).answer)).toEqual([403, 'forbidden'])
    expect(await waysOf(caller)).toMatchObject({ providers: [] })
  })

  test("can't be used for re-authentication if it is unlinked, or with an API token", async () => {
    const { caller } = await aPersonByProvider()
    expect(outcomeOf((await begin(caller, 'prove', 'forging')).answer)).toEqual([403, 'forbidden'])
    expect(outcomeOf((await begin(await app.asEditor(), 'prove')).answer)).toEqual([403, 'forbidden'])
    expect(outcomeOf((await begin(app.guest, 'prove')).answer)).toEqual([401, 'token-missing'])
    const token = await caller.post('/api/tokens', { name: 'A program', scopes: ['records:read'] })
    expect(outcomeOf((await begin(app.withToken(token.body.token), 'prove')).answer)).toEqual([403, 'forbidden'])
  })
})

describe("the provider's authentication time", () => {
  const sign = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(forging.key)

  /** Completes the sign-in with an ID token that has these claims. */
  async function comeBack(caller: Caller, purpose: string, change: (claims: JWTPayload) => JWTPayload) {
    const { url, cookie } = await begin(caller, purpose, 'forging')
    const claims = forging.rightClaims(url)
    forging.answerWith(await sign(change({ ...claims, sub: `forged-${made}` })))
    const visited = `${CALLBACK}?code=c&state=${new URL(url).searchParams.get('state') ?? ''}`
    return finish(visited, cookie, caller)
  }

  /** A user with a password and a linked provider, whose last authentication is too old. */
  async function linked(): Promise<Caller> {
    made += 1
    const user = await app.asEditor()
    expect((await comeBack(user, 'link', (claims) => claims)).status).toBe(200)
    proofGrowsOld()
    return user
  }

  test('is accepted for re-authentication if it is recent', async () => {
    const user = await linked()
    const answer = await comeBack(user, 'prove', ({ iat = 0, ...rest }) => ({ ...rest, iat, auth_time: iat - 1 }))
    expect(answer.status).toBe(200)
    expect(await isOpen(user)).toBe(true)
  })

  test.each<[string, string, (claims: JWTPayload) => JWTPayload]>([
    ['is not told', 'doesn’t report when', (claims) => claims],
    ['is told as a text', 'couldn’t be verified', (claims) => ({ ...claims, auth_time: 'now' })],
    [
      'is long ago',
      'Forging didn’t ask you to sign in again, so your identity wasn’t confirmed. Sign out there, then start again.',
      ({ iat = 0, ...rest }) => ({ ...rest, iat, auth_time: iat - 3600 }),
    ],
    [
      'was shortly before we did',
      'Forging didn’t ask you to sign in again, so your identity wasn’t confirmed. Sign out there, then start again.',
      ({ iat = 0, ...rest }) => ({ ...rest, iat, auth_time: iat - 30 }),
    ],
    [
      'is still to come',
      'Forging didn’t ask you to sign in again, so your identity wasn’t confirmed. Sign out there, then start again.',
      ({ iat = 0, ...rest }) => ({ ...rest, iat, auth_time: iat + 3600 }),
    ],
  ])('%s, it opens nothing', async (_, words, change) => {
    const user = await linked()
    const answer = await comeBack(user, 'prove', change)
    expect(outcomeOf(answer)).toEqual([401, 'login-refused'])
    expect(answer.body.detail).toContain(words)
    expect(await isOpen(user)).toBe(false)
  })

  test.each([
    ['a minute ago', 60, true],
    ['an hour ago', 3600, false],
    ['in a moment', -30, true],
  ])('determines whether a sign-in unlocks sensitive settings: %s', async (_, agoSeconds, opens) => {
    await linked()
    const reported = ({ iat = 0, ...rest }: JWTPayload) => ({ ...rest, iat, auth_time: iat - agoSeconds })
    const { body } = await comeBack(app.guest, 'sign-in', reported)
    expect(await isOpen(app.withToken(body.tokens.token))).toBe(opens)
  })

  test('is requested with max_age at every sign-in', async () => {
    const { url } = await begin(app.guest, 'sign-in')
    expect(new URL(url).searchParams.get('max_age')).toBe('2592000')
    expect(new URL(url).searchParams.has('prompt')).toBe(false)
  })
})
