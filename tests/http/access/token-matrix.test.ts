import { randomBytes } from 'node:crypto'
import { base64url, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TOKEN_PERMISSIONS } from '#domain/access/grant.ts'
import { SESSION } from '#domain/specification.ts'
import type { Route } from '#server/platform/http/route.ts'
import { openKeyRing, type SigningKey } from '#server/platform/crypto/key-ring.ts'
import { type Answer, type Caller, openTestApp, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'

/** Paths of account endpoints, which grant, change or remove access. */
const ROOMS = /^\/api\/(?:auth|account|tokens|users|roles|policies|view-as|audit|outbox)(?:\/|$)/

const AUTH_CODES = ['token-missing', 'token-expired', 'token-invalid', 'session-ended']

let app: TestApp
let owner: Caller
/** Signing out works with an expired access token. */
let victim: Caller
let other: Caller
let routes: readonly Route[]
let bad: readonly BadToken[]

/** A token without access and the expected error code. */
type BadToken = { readonly what: string; readonly authorization: string; readonly code: string }

type Claims = { readonly sub: string; readonly sid: string; readonly aud?: string; readonly expiresAtSeconds: number }

type Form = { readonly alg?: string; readonly typ?: string; readonly kid: string }

const sign = ({ sub, sid, aud = 'dossier', expiresAtSeconds }: Claims, form: Form, key: CryptoKey | Uint8Array) =>
  new SignJWT({ sid, gen: 0 })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...form })
    .setSubject(sub)
    .setAudience(aud)
    .setIssuedAt(expiresAtSeconds - SESSION.tokenMaxAgeSeconds)
    .setExpirationTime(expiresAtSeconds)
    .sign(key)

/** Flips one bit of the token's signature. */
function spoil(token: string): string {
  const [header = '', payload = '', signature = ''] = token.split('.')
  const bytes = base64url.decode(signature)
  bytes[16] = (bytes[16] ?? 0) ^ 1
  return [header, payload, base64url.encode(bytes)].join('.')
}

const unsigned = (header: object, claims: object): string =>
  `${base64url.encode(JSON.stringify(header))}.${base64url.encode(JSON.stringify(claims))}.`

const sessionOf = (token: string): string =>
  JSON.parse(new TextDecoder().decode(base64url.decode(token.split('.')[1] ?? ''))).sid

async function endedToken(): Promise<string> {
  const gone = await app.asOwner()
  await gone.post('/api/auth/logout')
  return gone.token ?? ''
}

async function disabledToken(): Promise<string> {
  const user = await app.asOwner()
  const at = app.clock.now().toISOString()
  await app.database.write(({ db }) =>
    db
      .updateTable('users')
      .set({ disabled_at: at })
      .where('id', '=', user.userId ?? '')
      .execute(),
  )
  return user.token ?? ''
}

async function badTokens(key: SigningKey): Promise<BadToken[]> {
  const [sub, good] = [victim.userId ?? '', victim.token ?? '']
  const nowSeconds = Math.floor(app.clock.now().getTime() / 1000)
  const right: Claims = { sub, sid: sessionOf(good), expiresAtSeconds: nowSeconds + 600 }
  const form: Form = { kid: key.id }
  const secret = key.keyFor('access-token')
  const [rsa, ecdsa] = [await generateKeyPair('RS256'), await generateKeyPair('ES256')]
  const claims = { sub, sid: right.sid, gen: 0, aud: 'dossier', exp: right.expiresAtSeconds }
  const none = { alg: 'none', typ: 'at+jwt', kid: key.id }

  const tokens: [string, string, string][] = [
    ['expired', await sign({ ...right, expiresAtSeconds: nowSeconds - 1 }, form, secret), 'token-expired'],
    [
      'expired in less than 500 ms',
      await sign({ ...right, expiresAtSeconds: nowSeconds }, form, secret),
      'token-expired',
    ],
    ['of a session that was ended', await endedToken(), 'session-ended'],
    ['of a user who was disabled', await disabledToken(), 'session-ended'],
    ['of a session that never was', await sign({ ...right, sid: '0'.repeat(26) }, form, secret), 'session-ended'],
    [
      'of another user’s session',
      await sign({ ...right, sid: sessionOf(other.token ?? '') }, form, secret),
      'session-ended',
    ],
    ['for another audience', await sign({ ...right, aud: 'another' }, form, secret), 'token-invalid'],
    ['of another type', await sign(right, { ...form, typ: 'JWT' }, secret), 'token-invalid'],
    [
      'with a longer hash',
      await sign(right, { ...form, alg: 'HS512' }, Buffer.concat([secret, secret])),
      'token-invalid',
    ],
    ['signed by RSA', await sign(right, { ...form, alg: 'RS256' }, rsa.privateKey), 'token-invalid'],
    ['signed by an elliptic curve', await sign(right, { ...form, alg: 'ES256' }, ecdsa.privateKey), 'token-invalid'],
    ['without a signature', unsigned(none, claims), 'token-invalid'],
    ['that says None', unsigned({ ...none, alg: 'None' }, claims), 'token-invalid'],
    ['with a spoiled signature', spoil(good), 'token-invalid'],
    ['with its signature cut off', good.split('.').slice(0, 2).join('.'), 'token-invalid'],
    ['signed with another secret', await sign(right, form, randomBytes(32)), 'token-invalid'],
    ['signed with an empty secret', await sign(right, form, new Uint8Array(32)), 'token-invalid'],
    ['signed with the key of file addresses', await sign(right, form, key.keyFor('file-address')), 'token-invalid'],
    ['of an unknown key', await sign(right, { kid: 'unknown' }, randomBytes(32)), 'token-invalid'],
    ['that is a refresh token', 'r2.abc.0.key.AAAA', 'token-invalid'],
    ['that is an API token nobody made', `dsr_${randomBytes(32).toString('base64url')}`, 'token-invalid'],
    ['that is empty', '', 'token-invalid'],
  ]
  const others: BadToken[] = [
    { what: 'a password instead of a token', authorization: `Basic ${btoa('a:b')}`, code: 'token-invalid' },
    { what: 'a token without its word', authorization: good, code: 'token-invalid' },
    { what: 'two tokens', authorization: `Bearer ${good}, Bearer ${good}`, code: 'token-invalid' },
  ]
  return [
    ...tokens.map(([what, token, code]) => ({ what: `a token ${what}`, authorization: `Bearer ${token}`, code })),
    ...others,
  ]
}

beforeAll(async () => {
  app = await openTestApp()
  ;[owner, victim, other] = [await app.asOwner(), await app.asOwner(), await app.asOwner()]
  routes = app.routes.filter(({ endpoint }) => ROOMS.test(endpoint.path))
  bad = await badTokens(openKeyRing(app.config.dataFolder, { clock: app.clock.now }).current)
})
afterAll(() => app.close())

const NOBODY = '00000000000000000000000000'

const nameOf = ({ endpoint }: Route): string => `${endpoint.method} ${endpoint.path}`

const isOpen = ({ access }: Route): boolean => access.type === 'open'

const ask = (route: Route, authorization?: string): Promise<Answer> =>
  app.guest.request(route.endpoint.method, route.endpoint.path.replace(/:[^/]+/g, NOBODY), {
    headers: { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) },
  })

const codeOf = ({ status, body }: Answer): string => `${status} ${body?.code ?? ''}`.trim()

describe('every protected account endpoint', () => {
  test('is covered by these tests', () => {
    expect(routes.filter((route) => !isOpen(route)).length).toBeGreaterThan(15)
  })

  test('requires a token', async () => {
    const closed = routes.filter((route) => !isOpen(route))
    const answers = await Promise.all(closed.map(async (route) => [nameOf(route), codeOf(await ask(route))]))
    expect(answers).toEqual(closed.map((route) => [nameOf(route), '401 token-missing']))
  })

  test('rejects each invalid token with its own error code, uncached', async () => {
    const closed = routes.filter((route) => !isOpen(route))
    for (const { what, authorization, code } of bad) {
      const answers = await Promise.all(
        closed.map(async (route) => ({ route, answer: await ask(route, authorization) })),
      )
      const said = answers.map(({ route, answer }) => `${what}: ${nameOf(route)} ${codeOf(answer)}`)
      expect(said).toEqual(closed.map((route) => `${what}: ${nameOf(route)} 401 ${code}`))
      for (const { answer } of answers) expect(answer.headers['cache-control']).toBe('no-store')
    }
  })

  test('accepts a valid token, so only the invalid token causes the rejections', async () => {
    const answer = await owner.get('/api/auth/user')
    expect([answer.status, answer.body.user.id]).toEqual([200, owner.userId])
  })
})

describe('every public account endpoint', () => {
  test('treats an invalid token as if it were missing', async () => {
    const opened = routes.filter(isOpen)
    expect(opened.length).toBeGreaterThan(5)
    const without = await Promise.all(opened.map(async (route) => `${nameOf(route)} ${codeOf(await ask(route))}`))
    for (const { authorization } of bad) {
      const answers = await Promise.all(
        opened.map(async (route) => `${nameOf(route)} ${codeOf(await ask(route, authorization))}`),
      )
      expect(answers).toEqual(without)
    }
    expect(without.filter((said) => AUTH_CODES.some((code) => said.includes(code)))).toEqual([])
  })
})

describe('resources of another user', () => {
  test('are reported as missing to other signed-in users', async () => {
    const [mine, theirs] = [await app.asEditor(), await app.asEditor()]
    const { body: sessions } = await theirs.get('/api/account/sessions')
    const made = await theirs.post('/api/tokens', { name: 'theirs', scopes: ['records:read'] })
    expect(made.status).toBe(201)
    for (const path of [`/api/account/sessions/${sessions.items[0].id}`, `/api/tokens/${made.body.id}`]) {
      expect(codeOf(await mine.delete(path))).toBe('404 not-found')
    }
    expect((await theirs.get('/api/auth/user')).status).toBe(200)
    expect((await theirs.get('/api/tokens')).body.items).toHaveLength(1)
    const lists = ['/api/account/sessions', '/api/tokens', '/api/account/providers', '/api/account/factors']
    const said = await Promise.all(lists.map(async (path) => (await mine.get(path)).text))
    for (const id of [sessions.items[0].id, made.body.id, theirs.userId]) expect(said.join()).not.toContain(id)
  })
})

describe('an API token', () => {
  test('can access the current-user endpoint, but no other account endpoint', async () => {
    const { status, body } = await owner.post('/api/tokens', { name: 'all', scopes: TOKEN_PERMISSIONS })
    expect(status).toBe(201)
    const authorization = `Bearer ${body.token}`
    const answers = await Promise.all(
      routes.map(async (route) => ({ route, said: codeOf(await ask(route, authorization)) })),
    )
    const opened = answers.filter(({ said }) => said !== '403 forbidden').map(({ route }) => nameOf(route))
    expect(opened.toSorted()).toEqual(['GET /api/audit', 'GET /api/auth/user'])
  })

  test('is rejected if revoked, expired or issued to a disabled user', async () => {
    const user = await app.asEditor()
    const expiresAt = new Date(app.clock.now().getTime() + 60_000).toISOString()
    const make = async (more = {}): Promise<{ readonly id: string; readonly token: string }> =>
      (await user.post('/api/tokens', { name: 't', scopes: ['records:read'], ...more })).body
    const [revoked, old, kept] = [await make(), await make({ expiresAt }), await make()]
    const said = async ({ token }: { readonly token: string }) =>
      codeOf(await app.withToken(token).get('/api/auth/user'))
    expect(await Promise.all([revoked, old, kept].map(said))).toEqual(['200', '200', '200'])
    await user.delete(`/api/tokens/${revoked.id}`)
    app.clock.move(60_000)
    expect(await said(revoked)).toBe('401 token-invalid')
    expect(await said(old)).toBe('401 token-expired')
    expect(await said(kept)).toBe('200')
    const owning = await app.asOwner()
    await owning.patch(`/api/users/${user.userId ?? ''}`, { isDisabled: true })
    expect((await said(kept)).startsWith('401')).toBe(true)
  })
})

describe('a sign-out token', () => {
  test('always gets the same response, no matter why it is invalid', async () => {
    for (const { authorization } of bad) {
      expect((await app.guest.post('/api/auth/logout', undefined, { authorization })).status).toBe(204)
    }
    expect((await app.guest.post('/api/auth/login', { email: 'x@y.example', password: TEST_PASSWORD })).status).toBe(
      401,
    )
  })
})
