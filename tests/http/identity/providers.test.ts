import { SignJWT, base64url, generateKeyPair, type JWTPayload } from 'jose'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeExpiry } from '#domain/sessions/tokens.ts'
import { TRANSACTION_LIFETIME_MS } from '#server/identity/providers/transaction-cookie.ts'
import { REAUTHENTICATION_LIFETIME_MS } from '#server/identity/reauthentication/require-reauthentication.ts'
import { FORGING_SECRET, type ForgingProvider, startForgingProvider } from '#tests/support/identity/forging-provider.ts'
import { startIdentityProvider, type TestIdentityProvider } from '#tests/support/identity/identity-provider.ts'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

const CALLBACK = 'http://localhost:4100/callback'
const OWN_PAGE = { 'x-requested-with': 'dossier', origin: 'http://localhost:4100', 'sec-fetch-site': 'same-origin' }

let provider: TestIdentityProvider
let other: TestIdentityProvider
let forging: ForgingProvider
let app: TestApp
let made = 0

beforeAll(async () => {
  provider = await startIdentityProvider('acme', CALLBACK)
  other = await startIdentityProvider('globex', CALLBACK, 'client_secret_post')
  forging = await startForgingProvider('forging')
  const oidcProviders = [provider, other, forging].map(({ settings }) => settings)
  app = await openTestApp({ config: { oidcProviders } })
})
afterAll(async () => {
  await app.close()
  await Promise.all([provider.goAway(), other.goAway(), forging.stop()])
})

/** Creates a subject that isn't used by any other user of the provider. */
const aSubject = () => `person-${(made += 1)}`

const cookieNamed = (answer: Answer, name: string): string | undefined => {
  const lines = [answer.headers['set-cookie'] ?? []].flat().map(String)
  return lines.find((line) => line.startsWith(`${name}=`))?.split(';', 1)[0]
}

type Begun = { readonly url: string; readonly cookie: string; readonly answer: Answer }

type BeginOptions = {
  readonly name?: string
  readonly caller?: Caller
  readonly purpose?: string
  readonly returnTo?: string
}

async function begin({ name = 'acme', caller = app.guest, purpose, returnTo }: BeginOptions = {}): Promise<Begun> {
  const answer = await caller.post(`/api/auth/providers/${name}/begin`, { purpose, returnTo }, OWN_PAGE)
  return { url: answer.body?.url, cookie: cookieNamed(answer, 'dossier_provider') ?? '', answer }
}

const finish = (url: string, cookie: string, caller: Caller = app.guest) =>
  caller.post('/api/auth/providers/finish', { url }, { ...OWN_PAGE, cookie })

const outcomeOf = ({ status, body }: Answer): [number, string | undefined] => [status, body?.code]

/** Starts a sign-in, authenticates at the provider and returns to the server. */
async function signInAs(subject: string, options: BeginOptions = {}): Promise<Answer> {
  const { url, cookie } = await begin(options)
  const visited = await (options.name === 'globex' ? other : provider).visit(url, subject)
  return finish(visited, cookie, options.caller)
}

/** A user linked to this provider subject. */
async function linked(subject: string): Promise<Caller> {
  const user = await app.asEditor()
  const answer = await signInAs(subject, { caller: user, purpose: 'link' })
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      purpose: 'link',
      tokens: null,
      challenge: null,
      returnTo: null,
    },
  ])
  return user
}

const auditOf = async (kind: string) => {
  const rows = await app.database.read.selectFrom('audit_log').selectAll().where('kind', '=', kind).execute()
  return rows.map(({ user_id, details }) => ({ userId: user_id, ...JSON.parse(details) }))
}

/** An invited user who hasn't signed in yet. */
async function anInvited(email: string): Promise<string> {
  const owner = await app.asOwner()
  const { status, body } = await owner.post('/api/users', { email, name: 'Invited', roles: ['viewer'] })
  expect(status).toBe(201)
  return body.id
}

describe('provider sign-in', () => {
  test('lists the available providers', async () => {
    const { body } = await app.guest.get('/api/auth/providers')
    expect(body.items.map(({ label }: { label: string }) => label)).toEqual(['Acme', 'Globex', 'Forging'])
  })
})

describe('beginning', () => {
  test('rejects a callback URL sent by the client', async () => {
    const { status } = await app.guest.post('/api/auth/providers/acme/begin', { callback: '/come/back' }, OWN_PAGE)
    expect(status).toBe(400)
  })

  test('redirects with PKCE, state and nonce bound to the browser', async () => {
    const { url, answer } = await begin()
    const requested = Object.fromEntries(new URL(url).searchParams)
    expect(requested).toMatchObject({
      client_id: 'dossier',
      redirect_uri: CALLBACK,
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^dossier_provider=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('stores nothing that allows hijacking a sign-in', async () => {
    const { url, cookie } = await begin()
    const rows = JSON.stringify(await app.database.read.selectFrom('challenges').selectAll().execute())
    const requested = new URL(url).searchParams
    for (const value of [
      cookie.split('=')[1],
      requested.get('state'),
      requested.get('nonce'),
      requested.get('code_challenge'),
    ]) {
      expect(rows).not.toContain(value)
    }
  })

  test('from a page at another URL is rejected, and the error names the public URL', async () => {
    const headers = { ...OWN_PAGE, host: '127.0.0.1:4100', origin: 'http://127.0.0.1:4100' }
    const answer = await app.guest.post('/api/auth/providers/acme/begin', {}, headers)
    expect(outcomeOf(answer)).toEqual([403, 'origin-refused'])
    expect(answer.body.detail).toContain('Open the workspace at that address')
  })

  test('returns not found for an unknown provider', async () => {
    expect(outcomeOf((await begin({ name: 'nobody' })).answer)).toEqual([404, 'not-found'])
  })

  test("started from another site's page is rejected", async () => {
    const foreign = { ...OWN_PAGE, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const answer = await app.guest.post('/api/auth/providers/acme/begin', {}, foreign)
    expect(outcomeOf(answer)).toEqual([403, 'origin-refused'])
    expect(outcomeOf(await app.guest.post('/api/auth/providers/finish', { url: CALLBACK }, foreign))).toEqual([
      403,
      'origin-refused',
    ])
  })
})

describe('a user with a linked provider', () => {
  test('is signed in as they would be with a password, with the refresh token only in the cookie', async () => {
    const subject = aSubject()
    const user = await linked(subject)
    const answer = await signInAs(subject, { returnTo: '/collections/tasks?page=2#here' })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ challenge: null, returnTo: '/collections/tasks?page=2#here' })
    expect(answer.body.tokens.refresh_token).toBeUndefined()
    expect(cookieNamed(answer, 'dossier_refresh')).toBeDefined()
    const { body } = await app.withToken(answer.body.tokens.token).get('/api/auth/user')
    expect(body.user.id).toBe(user.userId)
    const session = await app.database.read
      .selectFrom('sessions')
      .select(['kind', 'methods'])
      .where('id', '=', answer.body.tokens.session_id)
      .executeTakeFirst()
    expect(session).toEqual({ kind: 'browser', methods: 'provider' })
  })

  test('must use a second factor if one is set up', async () => {
    const subject = aSubject()
    const user = await linked(subject)
    const { secret } = (await user.post('/api/account/factors/totp')).body
    const codeNow = () => generateSync({ secret, epoch: app.clock.now().getTime() / 1000 })
    expect((await user.put('/api/account/factors/totp', { code: codeNow() })).status).toBe(200)
    app.clock.move(30_000)

    const answer = await signInAs(subject, { returnTo: '/collections' })
    expect(answer.body).toMatchObject({
      tokens: null,
      challenge: { methods: expect.arrayContaining(['totp']) },
      returnTo: '/collections',
    })
    expect(cookieNamed(answer, 'dossier_refresh')).toBeUndefined()

    const proof = { method: 'totp', code: codeNow() }
    const second = await app.guest.post('/api/auth/challenge', { id: answer.body.challenge.id, proof }, OWN_PAGE)
    expect(second.status).toBe(200)
    expect(cookieNamed(second, 'dossier_refresh')).toBeDefined()
    expect(await auditOf('signed-in')).toContainEqual({
      userId: user.userId,
      methods: 'provider totp',
      session: second.body.session_id,
    })
  })

  test('replaces the previous session of this browser', async () => {
    const subject = aSubject()
    await linked(subject)
    const first = await signInAs(subject)
    const { url, cookie } = await begin()
    const visited = await provider.visit(url, subject)
    const held = `${cookie}; ${cookieNamed(first, 'dossier_refresh') ?? ''}`
    expect((await finish(visited, held)).status).toBe(200)
    expect((await app.withToken(first.body.tokens.token).get('/api/auth/user')).body.code).toBe('session-ended')
  })

  test('can use a provider that requires the client secret in the body', async () => {
    const subject = aSubject()
    const user = await app.asEditor()
    const answer = await signInAs(subject, { name: 'globex', caller: user, purpose: 'link' })
    expect(answer.status).toBe(200)
    expect((await signInAs(subject, { name: 'globex' })).body.tokens.token).toBeDefined()
  })

  test("can't sign in when disabled", async () => {
    const subject = aSubject()
    const user = await linked(subject)
    await app.database.write(({ db }) =>
      db
        .updateTable('users')
        .set({ disabled_at: app.clock.now().toISOString() })
        .where('id', '=', user.userId ?? '')
        .execute(),
    )
    expect(outcomeOf(await signInAs(subject))).toEqual([401, 'login-refused'])
  })

  test('is never redirected to another site', async () => {
    const subject = aSubject()
    await linked(subject)
    for (const returnTo of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '/\t/x.y',
    ]) {
      expect((await signInAs(subject, { returnTo })).body.returnTo).toBeNull()
    }
  })

  test('is distinct from a user with the same subject at another provider', async () => {
    const subject = aSubject()
    await linked(subject)
    expect(outcomeOf(await signInAs(subject, { name: 'globex' }))).toEqual([401, 'login-refused'])
  })
})

describe('a user without a linked provider', () => {
  test('gets the same message whether or not their address has an account', async () => {
    const user = await app.asEditor()
    const account = await app.database.read
      .selectFrom('users')
      .select('email')
      .where('id', '=', user.userId ?? '')
      .executeTakeFirstOrThrow()
    const [known, unknown] = [aSubject(), aSubject()]
    provider.addPerson(known, { email: account.email, emailVerified: true })
    provider.addPerson(unknown, { email: 'nobody@example.org', emailVerified: true })
    const [one, two] = [await signInAs(known), await signInAs(unknown)]
    expect(outcomeOf(one)).toEqual([401, 'login-refused'])
    expect(one.body.detail).toContain('No account is linked')
    expect({ ...one.body, requestId: '' }).toEqual({ ...two.body, requestId: '' })
    expect(cookieNamed(one, 'dossier_refresh')).toBeUndefined()
    expect(await auditOf('sign-in-failed')).toContainEqual({
      userId: null,
      method: 'provider',
      provider: 'acme',
      why: 'not-linked',
    })
  })

  test('can get an account through an invitation to their verified address', async () => {
    const [subject, email] = [aSubject(), 'Invited.One@example.org']
    const id = await anInvited(email)
    provider.addPerson(subject, { email: 'invited.one@EXAMPLE.org', emailVerified: true })
    const answer = await signInAs(subject)
    expect(answer.status).toBe(200)
    const { body } = await app.withToken(answer.body.tokens.token).get('/api/auth/user')
    expect(body.user.id).toBe(id)
    const code = await app.database.read
      .selectFrom('single_use_codes')
      .select('used_at')
      .where('user_id', '=', id)
      .executeTakeFirst()
    expect(code?.used_at).not.toBeNull()
    expect((await signInAs(subject)).status).toBe(200)
    expect(await auditOf('invitation-accepted')).toContainEqual({ userId: id, provider: 'acme' })
    const { items } = (await (await app.asOwner()).get('/api/users?perPage=500')).body
    expect(items.find((one: { id: string }) => one.id === id).isInvited).toBe(false)
  })

  test('cannot get an account with an unverified address', async () => {
    const [subject, email] = [aSubject(), 'invited.two@example.org']
    await anInvited(email)
    provider.addPerson(subject, { email, emailVerified: false })
    expect(outcomeOf(await signInAs(subject))).toEqual([401, 'login-refused'])
  })

  test('cannot get an account through an expired invitation', async () => {
    const [subject, email] = [aSubject(), 'invited.three@example.org']
    await anInvited(email)
    provider.addPerson(subject, { email, emailVerified: true })
    app.clock.set(codeExpiry('invitation', app.clock.now()))
    expect(outcomeOf(await signInAs(subject))).toEqual([401, 'login-refused'])
  })
})

describe('linking', () => {
  test('needs a session and re-authentication to link a provider', async () => {
    expect(outcomeOf((await begin({ purpose: 'link' })).answer)).toEqual([401, 'token-missing'])
    const user = await app.asEditor()
    app.clock.move(REAUTHENTICATION_LIFETIME_MS + 1)
    expect(outcomeOf((await begin({ purpose: 'link', caller: user })).answer)).toEqual([401, 'step-up-needed'])
  })

  test('can link a provider only in the session that started linking', async () => {
    const user = await app.asEditor()
    const { url, cookie } = await begin({ purpose: 'link', caller: user })
    const visited = await provider.visit(url, aSubject())
    expect(outcomeOf(await finish(visited, cookie))).toEqual([401, 'session-ended'])
    expect(outcomeOf(await finish(visited, cookie, await app.asEditor()))).toEqual([401, 'session-ended'])
    expect((await finish(visited, cookie, user)).status).toBe(200)
  })

  test("can't link a subject already linked to another account", async () => {
    const subject = aSubject()
    const first = await linked(subject)
    const second = await app.asEditor()
    const answer = await signInAs(subject, { caller: second, purpose: 'link' })
    expect(outcomeOf(answer)).toEqual([401, 'login-refused'])
    expect((await first.get('/api/account/providers')).body.items).toHaveLength(1)
    expect((await second.get('/api/account/providers')).body.items).toHaveLength(0)
  })

  test('sees linked providers in account settings and can remove them', async () => {
    const subject = aSubject()
    const user = await linked(subject)
    const { body } = await user.get('/api/account/providers')
    expect(body.items).toEqual([{ name: 'acme', label: 'Acme', linkedAt: app.clock.now().toISOString() }])
    expect((await user.delete('/api/account/providers/acme')).status).toBe(204)
    expect(outcomeOf(await user.delete('/api/account/providers/acme'))).toEqual([404, 'not-found'])
    expect(outcomeOf(await signInAs(subject))).toEqual([401, 'login-refused'])
    expect(await auditOf('provider-linked')).toContainEqual({ userId: user.userId, provider: 'acme' })
    const emails = await app.database.read.selectFrom('mails').select('body').execute()
    expect(emails.filter((one) => one.body.includes('a sign-in at Acme was linked')).length).toBeGreaterThan(0)
    expect(emails.filter((one) => one.body.includes('your sign-in at Acme was unlinked'))).toHaveLength(1)
    expect(await auditOf('provider-unlinked')).toContainEqual({ userId: user.userId, provider: 'acme' })
  })
})

describe("a provider's response", () => {
  test('is accepted once, even when sent concurrently', async () => {
    const subject = aSubject()
    await linked(subject)
    const { url, cookie } = await begin()
    const visited = await provider.visit(url, subject)
    const answers = await Promise.all([finish(visited, cookie), finish(visited, cookie), finish(visited, cookie)])
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 410, 410])
    expect(outcomeOf(await finish(visited, cookie))).toEqual([410, 'gone'])
  })

  test('is accepted only in the browser that started the sign-in', async () => {
    const subject = aSubject()
    await linked(subject)
    const [mine, theirs] = [await begin(), await begin()]
    const visited = await provider.visit(mine.url, subject)
    for (const cookie of [theirs.cookie, '', 'dossier_provider=nonsense']) {
      expect(outcomeOf(await finish(visited, cookie))).toEqual([410, 'gone'])
    }
    expect((await finish(visited, mine.cookie)).status).toBe(200)
  })

  test('is rejected with a wrong or missing state, and the correct one remains valid', async () => {
    const subject = aSubject()
    await linked(subject)
    const { url, cookie } = await begin()
    const visited = new URL(await provider.visit(url, subject))
    const wrong = new URL(visited)
    wrong.searchParams.set('state', 'x'.repeat(43))
    const none = new URL(visited)
    none.searchParams.delete('state')
    for (const bad of [wrong, none]) expect(outcomeOf(await finish(bad.href, cookie))).toEqual([410, 'gone'])
    expect((await finish(visited.href, cookie)).status).toBe(200)
  })

  test('expires after ten minutes', async () => {
    const subject = aSubject()
    await linked(subject)
    const { url, cookie } = await begin()
    const visited = await provider.visit(url, subject)
    app.clock.move(TRANSACTION_LIFETIME_MS)
    expect(outcomeOf(await finish(visited, cookie))).toEqual([410, 'gone'])
  })

  test('is rejected with a stolen code, because the PKCE verifier differs', async () => {
    const subject = aSubject()
    await linked(subject)
    const [victim, thief] = [await begin(), await begin()]
    const stolen = new URL(await provider.visit(victim.url, subject)).searchParams.get('code') ?? ''
    const injected = new URL(await provider.visit(thief.url, aSubject()))
    injected.searchParams.set('code', stolen)
    expect(outcomeOf(await finish(injected.href, thief.cookie))).toEqual([401, 'login-refused'])
  })

  test('is rejected if the nonce is different', async () => {
    const subject = aSubject()
    await linked(subject)
    const { url, cookie } = await begin()
    const changed = new URL(url)
    changed.searchParams.set('nonce', 'another')
    const visited = await provider.visit(changed.href, subject)
    expect(outcomeOf(await finish(visited, cookie))).toEqual([401, 'login-refused'])
  })

  test('is rejected if it comes from another issuer', async () => {
    const subject = aSubject()
    await linked(subject)
    const { url, cookie } = await begin()
    const visited = new URL(await provider.visit(url, subject))
    visited.searchParams.set('iss', other.settings.issuer.origin)
    expect(outcomeOf(await finish(visited.href, cookie))).toEqual([401, 'login-refused'])
  })

  test('is reported if the provider denies access', async () => {
    const { url, cookie } = await begin()
    const answer = await finish(await provider.refuse(url), cookie)
    expect(outcomeOf(answer)).toEqual([401, 'login-refused'])
    expect(answer.body.detail).toContain('Acme denied access, or you canceled. Start again.')
  })
})

describe('an ID token', () => {
  const sign = (claims: JWTPayload, key: CryptoKey | Uint8Array = forging.key, alg = 'RS256') =>
    new SignJWT(claims).setProtectedHeader({ alg, kid: 'k1' }).sign(key)

  /** Completes a sign-in with this ID token and returns the response. */
  async function finishWith(make: (claims: JWTPayload) => Promise<string> | string): Promise<Answer> {
    const { url, cookie } = await begin({ name: 'forging' })
    forging.answerWith(await make(forging.rightClaims(url)))
    return finish(`${CALLBACK}?code=c&state=${new URL(url).searchParams.get('state') ?? ''}`, cookie)
  }

  test('is accepted if valid, so each test below fails for a single reason', async () => {
    const answer = await finishWith((claims) => sign(claims))
    expect(answer.body.detail).toContain('No account is linked')
  })

  test.each<[string, (claims: JWTPayload) => Promise<string> | string]>([
    ['of another issuer', (claims) => sign({ ...claims, iss: 'https://evil.example' })],
    ['for another audience', (claims) => sign({ ...claims, aud: 'another' })],
    ['that is too old', (claims) => sign({ ...claims, iat: 1_700_000_000, exp: 1_700_000_300 })],
    ['without a nonce', (claims) => sign({ ...claims, nonce: undefined })],
    ['without a subject', ({ iss, aud, nonce, iat, exp }) => sign({ iss, aud, nonce, iat, exp } as JWTPayload)],
    ['signed by another key', async (claims) => sign(claims, (await generateKeyPair('RS256')).privateKey)],
    ['signed with our own secret', (claims) => sign(claims, new TextEncoder().encode(FORGING_SECRET), 'HS256')],
    [
      'without a signature',
      (claims) => `${base64url.encode('{"alg":"none"}')}.${base64url.encode(JSON.stringify(claims))}.`,
    ],
    ['that is none', () => 'not.a.token'],
  ])('%s is rejected', async (_, make) => {
    const answer = await finishWith(make)
    expect(outcomeOf(answer)).toEqual([401, 'login-refused'])
    expect(answer.body.detail).toContain('couldn’t be verified')
    expect(cookieNamed(answer, 'dossier_refresh')).toBeUndefined()
  })
})

describe('an unavailable provider', () => {
  test('blocks neither startup nor other sign-in methods, and is retried', async () => {
    const away = await startIdentityProvider('away', CALLBACK)
    await away.goAway()
    const lonely = await openTestApp({ config: { oidcProviders: [away.settings] } })
    try {
      const ask = () => lonely.guest.post('/api/auth/providers/away/begin', {}, OWN_PAGE)
      const refused = await ask()
      expect(outcomeOf(refused)).toEqual([503, 'not-ready'])
      expect(refused.body.detail).toContain('Can’t reach Away. Try again in a moment, or sign in another way.')
      expect((await lonely.asOwner()).token).toBeDefined()
      await away.comeBack()
      const begun = await ask()
      expect(begun.status).toBe(200)
      await away.goAway()
      // Sign-ins that were already started fail with an error message.
      const state = new URL(begun.body.url).searchParams.get('state') ?? ''
      const headers = { ...OWN_PAGE, cookie: cookieNamed(begun, 'dossier_provider') ?? '' }
      const url = `${CALLBACK}?code=c&state=${state}&iss=${away.settings.issuer.origin}`
      const answer = await lonely.guest.post('/api/auth/providers/finish', { url }, headers)
      expect(outcomeOf(answer)).toEqual([503, 'not-ready'])
    } finally {
      await lonely.close()
    }
  })
})

describe('the log', () => {
  test('contains no codes, tokens or secrets', async () => {
    const subject = aSubject()
    await linked(subject)
    const { url, cookie } = await begin()
    const visited = await provider.visit(url, subject)
    const answer = await finish(visited, cookie)
    await finish(visited, cookie)
    const code = new URL(visited).searchParams.get('code') ?? ''
    const secrets = [code, cookie.split('=')[1] ?? '', answer.body.tokens.token, FORGING_SECRET]
    for (const value of secrets) expect(app.logged()).not.toContain(value)
  })
})
