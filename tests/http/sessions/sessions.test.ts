import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DUPLICATE_WINDOW_MS } from '#domain/sessions/session.ts'
import { DEFAULT_SESSION_POLICY } from '#domain/sessions/session-policy.ts'
import { prepareUser, storeUser } from '#server/identity/users/create-user.ts'
import { type Answer, openTestApp, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'

const OWN_PAGE = { 'x-requested-with': 'dossier', origin: 'http://localhost:4100', 'sec-fetch-site': 'same-origin' }

const SESSION_IDLE_MS = DEFAULT_SESSION_POLICY.remembered.idleMinutes * 60_000
const SESSION_LENGTH_MS = DEFAULT_SESSION_POLICY.remembered.longestMinutes * 60_000

let app: TestApp
let made = 0

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

/** Each test has its own account, because attempts are counted by account and IP address. */
async function anAccount(): Promise<{ readonly id: string; readonly email: string }> {
  made += 1
  const id = `user-${made}`
  const deps = { clock: app.clock.now, newId: () => id }
  const user = {
    email: `user-${made}@example.org`,
    name: `User ${made}`,
    password: TEST_PASSWORD,
    roles: ['editor'],
  } as const
  const prepared = await prepareUser(deps, user)
  await app.database.write((transaction) => storeUser(transaction, prepared))
  return { id, email: user.email }
}

const signIn = (email: string, client: 'browser' | 'api' = 'api', headers = {}) =>
  app.guest.post('/api/auth/login', { email, password: TEST_PASSWORD, client }, headers)

async function aProgram(): Promise<{ readonly token: string; readonly refreshToken: string; readonly email: string }> {
  const { email } = await anAccount()
  const { body } = await signIn(email)
  return { token: body.token, refreshToken: body.refresh_token, email }
}

const refreshWith = (token: string, headers = {}) =>
  app.guest.post('/api/auth/refresh', { refresh_token: token }, headers)

/** The refresh cookie for the next request. */
function cookieOf(answer: Answer): string {
  return String(answer.headers['set-cookie']).split(';', 1)[0] ?? ''
}

const refreshCookie = (cookie: string, headers: Record<string, string> = OWN_PAGE) =>
  app.guest.post('/api/auth/refresh', undefined, { cookie, ...headers })

const setsRefresh = ({ headers }: Answer): boolean => String(headers['set-cookie']).includes('dossier_refresh=')

/** The rotation count of the session that an access token belongs to. */
async function counterOf(token: string): Promise<number | undefined> {
  const { sid } = JSON.parse(atob(token.split('.')[1] ?? ''))
  const sought = app.database.read.selectFrom('sessions').select('counter').where('id', '=', sid)
  return (await sought.executeTakeFirst())?.counter
}

const statusOf = async (token: string): Promise<[number, string | undefined]> => {
  const { status, body } = await app.withToken(token).get('/api/auth/user')
  return [status, body.code]
}

describe('signing in', () => {
  test('as a browser returns a token and sets an HttpOnly cookie', async () => {
    const { email } = await anAccount()
    const answer = await signIn(email, 'browser')
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 1800,
      expires_at: expect.stringMatching(/Z$/),
      session_id: expect.any(String),
    })
    expect(answer.headers['cache-control']).toBe('no-store')
    const cookie = String(answer.headers['set-cookie'])
    expect(cookie).toMatch(/^dossier_refresh=r2\./)
    expect(cookie).toContain('HttpOnly')
    expect(cookie).toContain('SameSite=Strict')
    expect(cookie).toContain('Path=/')
    expect(cookie).not.toContain('Secure')
  })

  test('as an API client returns the refresh token and sets no cookie', async () => {
    const { email } = await anAccount()
    const answer = await signIn(email)
    expect(answer.body.refresh_token).toMatch(/^r2\./)
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('ignores the case of the email address', async () => {
    const { email } = await anAccount()
    expect((await signIn(` ${email.toUpperCase()} `)).status).toBe(200)
  })

  test('returns the same message for a wrong password and an unknown address', async () => {
    const { email } = await anAccount()
    const wrong = await app.guest.post('/api/auth/login', { email, password: 'not it', client: 'api' })
    const unknown = await app.guest.post('/api/auth/login', {
      email: 'no@body.example',
      password: 'not it',
      client: 'api',
    })
    expect([wrong.status, wrong.body.code]).toEqual([401, 'login-refused'])
    expect({ ...wrong.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
  })

  test('is delayed after failed attempts, with Retry-After', async () => {
    const { email } = await anAccount()
    const fail = () => app.guest.post('/api/auth/login', { email, password: 'not it', client: 'api' })
    for (let round = 0; round < 5; round += 1) expect((await fail()).status).toBe(401)
    const refused = await fail()
    expect([refused.status, refused.body.code]).toEqual([429, 'too-many-requests'])
    expect(refused.headers['retry-after']).toBe('1')
    expect((await signIn(email)).status).toBe(429)
    app.clock.move(1000)
    expect((await signIn(email)).status).toBe(200)
  })

  test('as a disabled user is rejected like a wrong password', async () => {
    const { email, id } = await anAccount()
    await disable(id)
    expect((await signIn(email)).body.code).toBe('login-refused')
  })

  test("is rejected from another site's page, and from any page in API client mode", async () => {
    const { email } = await anAccount()
    const foreign = await signIn(email, 'browser', { origin: 'https://evil.example' })
    expect([foreign.status, foreign.body.code]).toEqual([403, 'origin-refused'])
    expect((await signIn(email, 'browser', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await signIn(email, 'api', { origin: 'http://localhost:4100' })).status).toBe(403)
    expect((await signIn(email, 'browser', OWN_PAGE)).status).toBe(200)
  })

  test('ends the previous session of the same browser', async () => {
    const { email } = await anAccount()
    const first = await signIn(email, 'browser')
    await app.guest.post('/api/auth/login', { email, password: 'wrong' }, { cookie: cookieOf(first) })
    expect((await statusOf(first.body.token))[0]).toBe(200)
    const second = await signIn(email, 'browser', { cookie: cookieOf(first) })
    expect(await statusOf(first.body.token)).toEqual([401, 'session-ended'])
    expect((await statusOf(second.body.token))[0]).toBe(200)
  })
})

const disable = (id: string) =>
  app.database.write(({ db }) =>
    db.updateTable('users').set({ disabled_at: app.clock.now().toISOString() }).where('id', '=', id).execute(),
  )

describe('a token', () => {
  test('returns the current user with scopes and roles', async () => {
    const { token, email } = await aProgram()
    const { body } = await app.withToken(token).get('/api/auth/user')
    expect(body.user).toMatchObject({
      email,
      scope: expect.arrayContaining(['records:read']),
      roles: [{ id: 'editor', name: 'Editor' }],
    })
    expect(body.user.scope).not.toContain('workspace:manage')
  })

  test('missing, expired, foreign and invalid tokens are rejected with separate error codes', async () => {
    const { token } = await aProgram()
    expect((await app.guest.get('/api/auth/user')).body.code).toBe('token-missing')
    expect(await statusOf('abc')).toEqual([401, 'token-invalid'])
    const basic = await app.guest.get('/api/auth/user', { authorization: 'Basic YTpi' })
    expect(basic.body.code).toBe('token-invalid')
    app.clock.move(1_800_000)
    expect(await statusOf(token)).toEqual([401, 'token-expired'])
  })

  test("a disabled user's session ends on the next request", async () => {
    const { email, id } = await anAccount()
    const { body } = await signIn(email)
    await disable(id)
    expect(await statusOf(body.token)).toEqual([401, 'session-ended'])
  })
})

describe('refreshing', () => {
  test('a refresh returns new tokens for the same session and user', async () => {
    const { token, refreshToken } = await aProgram()
    app.clock.move(60_000)
    const { status, body } = await refreshWith(refreshToken)
    expect(status).toBe(200)
    expect(body.token).not.toBe(token)
    expect(body.refresh_token).not.toBe(refreshToken)
    expect((await statusOf(body.token))[0]).toBe(200)
  })

  test('twenty concurrent refreshes return the same successor token', async () => {
    const { refreshToken } = await aProgram()
    const answers = await Promise.all(Array.from({ length: 20 }, () => refreshWith(refreshToken)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
  })

  test('the previous refresh token is still accepted if the response was lost', async () => {
    const { refreshToken } = await aProgram()
    const lost = await refreshWith(refreshToken)
    app.clock.move(3_600_000)
    const again = await refreshWith(refreshToken)
    expect([again.status, again.body.refresh_token]).toEqual([200, lost.body.refresh_token])
  })

  test('the previous refresh token ends the session if its successor has already been used', async () => {
    const { refreshToken } = await aProgram()
    const successor = (await refreshWith(refreshToken)).body
    // Using the new access token confirms that the client received the response.
    expect((await statusOf(successor.token))[0]).toBe(200)
    app.clock.move(DUPLICATE_WINDOW_MS + 1)
    const stolen = await refreshWith(refreshToken)
    expect([stolen.status, stolen.body.code]).toEqual([401, 'refresh-reused'])
    expect(await statusOf(successor.token)).toEqual([401, 'session-ended'])
    expect((await refreshWith(successor.refresh_token)).body.code).toBe('session-ended')
  })

  test('any older refresh token ends the session and invalidates all its tokens', async () => {
    const { refreshToken } = await aProgram()
    const second = (await refreshWith(refreshToken)).body
    const third = (await refreshWith(second.refresh_token)).body
    expect((await refreshWith(refreshToken)).body.code).toBe('refresh-reused')
    for (const one of [second, third]) {
      expect((await refreshWith(one.refresh_token)).body.code).toBe('session-ended')
      expect(await statusOf(one.token)).toEqual([401, 'session-ended'])
    }
  })

  test("an invalid refresh token doesn't affect the session", async () => {
    const { refreshToken } = await aProgram()
    const ahead = refreshToken.replace(/\.0\./, '.9.')
    for (const wrong of ['x', ahead, `${refreshToken.slice(0, -2)}xx`]) {
      const answer = await refreshWith(wrong)
      expect([answer.status, answer.body.code]).toEqual([401, 'refresh-invalid'])
    }
    expect((await refreshWith(refreshToken)).status).toBe(200)
  })

  test('keeps an active session alive until its absolute expiry', async () => {
    let { refreshToken } = await aProgram()
    const steps = Math.floor(SESSION_LENGTH_MS / (SESSION_IDLE_MS - 60_000))
    for (let step = 0; step < steps; step += 1) {
      app.clock.move(SESSION_IDLE_MS - 60_000)
      const answer = await refreshWith(refreshToken)
      expect(answer.status).toBe(200)
      refreshToken = answer.body.refresh_token
    }
    app.clock.move(SESSION_IDLE_MS - 60_000)
    expect((await refreshWith(refreshToken)).body.code).toBe('session-ended')
  })

  test('expires after a week of inactivity', async () => {
    const { refreshToken } = await aProgram()
    app.clock.move(SESSION_IDLE_MS)
    expect((await refreshWith(refreshToken)).body.code).toBe('session-ended')
  })
})

describe('cookie mode', () => {
  async function aBrowser(): Promise<{ readonly cookie: string; readonly token: string; readonly userId: string }> {
    const { email, id } = await anAccount()
    const answer = await signIn(email, 'browser', OWN_PAGE)
    return { cookie: cookieOf(answer), token: answer.body.token, userId: id }
  }

  test('returns a new cookie and never the refresh token', async () => {
    const { cookie } = await aBrowser()
    app.clock.move(DUPLICATE_WINDOW_MS + 1)
    const answer = await refreshCookie(cookie)
    expect(answer.status).toBe(200)
    expect(answer.body.refresh_token).toBeUndefined()
    expect(cookieOf(answer)).not.toBe(cookie)
  })

  test('rotates the token only once for ten sequential and ten concurrent refreshes', async () => {
    const { cookie, token } = await aBrowser()
    app.clock.move(DUPLICATE_WINDOW_MS + 1)
    let held = cookie
    const inTurn: Answer[] = []
    for (let tab = 0; tab < 10; tab += 1) {
      app.clock.move(1000)
      const answer = await refreshCookie(held)
      if (setsRefresh(answer)) held = cookieOf(answer)
      inTurn.push(answer)
    }
    const atOnce = await Promise.all(Array.from({ length: 10 }, () => refreshCookie(held)))
    expect([...inTurn, ...atOnce].map(({ status }) => status)).toEqual(Array(20).fill(200))
    for (const { body } of [...inTurn, ...atOnce]) expect((await statusOf(body.token))[0]).toBe(200)
    expect(new Set(inTurn.map(({ body }) => body.token)).size, 'fresh each time').toBe(10)
    expect(await counterOf(token)).toBe(1)
    // Only the response that rotates the token sets the cookie, so that a late response can't overwrite a newer cookie.
    expect([...inTurn, ...atOnce].filter(setsRefresh)).toHaveLength(1)
    app.clock.move(DUPLICATE_WINDOW_MS)
    expect((await refreshCookie(held)).status).toBe(200)
    expect(await counterOf(token)).toBe(2)
  })

  test('accepts only requests from pages of this workspace', async () => {
    const { cookie } = await aBrowser()
    const { 'x-requested-with': mark, ...withoutMark } = OWN_PAGE
    const foreign = [
      withoutMark,
      { 'x-requested-with': mark },
      { ...OWN_PAGE, origin: 'https://evil.example' },
      { ...OWN_PAGE, 'sec-fetch-site': 'same-site' },
      { ...OWN_PAGE, origin: 'https://localhost:4100' },
      { ...OWN_PAGE, origin: 'null' },
    ]
    for (const headers of foreign) {
      const answer = await refreshCookie(cookie, headers)
      expect([answer.status, answer.body.code]).toEqual([403, 'origin-refused'])
    }
    expect((await refreshCookie(cookie, { 'x-requested-with': mark, origin: OWN_PAGE.origin })).status).toBe(200)
  })

  test('works under another host name for the same server', async () => {
    const { cookie } = await aBrowser()
    const headers = { ...OWN_PAGE, origin: 'http://127.0.0.1:4100', host: '127.0.0.1:4100' }
    expect((await refreshCookie(cookie, headers)).status).toBe(200)
  })

  test("can't be combined with body mode", async () => {
    const { cookie } = await aBrowser()
    const value = decodeURIComponent(cookie.split('=')[1] ?? '')
    const both = await app.guest.post('/api/auth/refresh', { refresh_token: value }, { cookie, ...OWN_PAGE })
    expect(both.status).toBe(400)
    expect((await refreshWith(value)).body.code).toBe('refresh-invalid')
    const { refreshToken } = await aProgram()
    expect((await refreshCookie(`dossier_refresh=${refreshToken}`)).body.code).toBe('refresh-invalid')
    expect((await refreshWith(refreshToken, { origin: OWN_PAGE.origin })).body.code).toBe('origin-refused')
    expect((await refreshWith(refreshToken, { 'sec-fetch-site': 'same-origin' })).body.code).toBe('origin-refused')
  })

  test('never continues as a user other than the one the page shows', async () => {
    const { cookie, userId } = await aBrowser()
    const changed = await refreshCookie(cookie, { ...OWN_PAGE, 'x-dossier-user': 'another' })
    expect([changed.status, changed.body.code]).toEqual([409, 'user-changed'])
    expect((await refreshCookie(cookie, { ...OWN_PAGE, 'x-dossier-user': userId })).status).toBe(200)
  })

  test('clears only the cookie of an ended session', async () => {
    const { cookie } = await aBrowser()
    const malformed = await refreshCookie('dossier_refresh=nonsense')
    expect([malformed.status, malformed.headers['set-cookie']]).toEqual([401, undefined])
    await app.guest.post('/api/auth/logout', undefined, { cookie, ...OWN_PAGE })
    const over = await refreshCookie(cookie)
    expect(over.body.code).toBe('session-ended')
    expect(String(over.headers['set-cookie'])).toMatch(/^dossier_refresh=;.*Expires=Thu, 01 Jan 1970/)
  })

  test('reports a missing token', async () => {
    expect((await app.guest.post('/api/auth/refresh', undefined, OWN_PAGE)).body.code).toBe('refresh-invalid')
  })
})

describe('signing out', () => {
  test('always succeeds and invalidates the token immediately', async () => {
    const { token, refreshToken } = await aProgram()
    expect((await app.withToken(token).post('/api/auth/logout')).status).toBe(204)
    expect(await statusOf(token)).toEqual([401, 'session-ended'])
    expect((await refreshWith(refreshToken)).body.code).toBe('session-ended')
    expect((await app.withToken(token).post('/api/auth/logout')).status).toBe(204)
    expect((await app.withToken('nonsense').post('/api/auth/logout')).status).toBe(204)
    expect((await app.guest.post('/api/auth/logout')).status).toBe(204)
  })

  test('accepts an expired token', async () => {
    const { token, refreshToken } = await aProgram()
    app.clock.move(7_200_000)
    await app.withToken(token).post('/api/auth/logout')
    expect((await refreshWith(refreshToken)).body.code).toBe('session-ended')
  })

  test('has no effect if requested from another site', async () => {
    const { email } = await anAccount()
    const signedIn = await signIn(email, 'browser')
    const answer = await app.guest.post('/api/auth/logout', undefined, {
      cookie: cookieOf(signedIn),
      origin: 'https://evil.example',
    })
    expect([answer.status, answer.headers['set-cookie']]).toEqual([204, undefined])
    expect((await statusOf(signedIn.body.token))[0]).toBe(200)
  })

  test('can end other sessions, or all sessions', async () => {
    const { email } = await anAccount()
    const [one, two, three] = [(await signIn(email)).body, (await signIn(email)).body, (await signIn(email)).body]
    await app.withToken(one.token).post('/api/auth/logout', { scope: 'others' })
    expect(await Promise.all([one, two, three].map(async ({ token }) => (await statusOf(token))[0]))).toEqual([
      200, 401, 401,
    ])
    const four = (await signIn(email)).body
    // A session that has ended can't end other sessions.
    await app.withToken(two.token).post('/api/auth/logout', { scope: 'all' })
    expect((await statusOf(four.token))[0]).toBe(200)
    await app.withToken(one.token).post('/api/auth/logout', { scope: 'all' })
    expect(await statusOf(four.token)).toEqual([401, 'session-ended'])
  })
})

describe('with HTTPS', () => {
  test('the refresh cookie is bound to its host and to HTTPS', async () => {
    const secure = await openTestApp({ config: { publicUrl: new URL('https://records.example') } })
    await secure.asOwner()
    const prepared = await prepareUser(
      { clock: secure.clock.now, newId: () => 'u-https' },
      { email: 'secure@example.org', name: 'S', password: TEST_PASSWORD, roles: ['viewer'] },
    )
    await secure.database.write((transaction) => storeUser(transaction, prepared))
    const answer = await secure.guest.post('/api/auth/login', { email: 'secure@example.org', password: TEST_PASSWORD })
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^__Host-dossier_refresh=.*Path=\/; HttpOnly; Secure; SameSite=Strict/,
    )
    await secure.close()
  })
})

describe('stored and logged data', () => {
  test('contain no tokens or passwords', async () => {
    const { token, refreshToken, email } = await aProgram()
    await app.guest.post('/api/auth/login', { email, password: 'a-wrong-secret-password', client: 'api' })
    await app.withToken(token).get('/api/auth/user')
    const sessions = await app.database.read.selectFrom('sessions').selectAll().execute()
    const everything = app.logged() + JSON.stringify(sessions)
    for (const secret of [token, refreshToken, TEST_PASSWORD, 'a-wrong-secret-password']) {
      expect(everything).not.toContain(secret)
    }
  })
})
