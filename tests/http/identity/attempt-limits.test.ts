import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LOGIN_RULES } from '#domain/sessions/login-throttle.ts'
import { REFRESH_ATTEMPT_RULES } from '#server/identity/session-tokens/refresh-session.ts'
import { createTestUser, type TestUser } from '#tests/support/identity/test-user.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database/postgres.ts'
import { startServer } from '#tests/support/server/started-server.ts'
import { openTestApp, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'

const OWN_PAGE = { 'x-requested-with': 'dossier', origin: 'http://localhost:4100', 'sec-fetch-site': 'same-origin' }
const PAUSE_MS = 900_000

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

/** Sends a sign-in request from the given IP address. */
type Requested = { readonly path: string; readonly from: string; readonly body?: object; readonly cookie?: string }
type Listening = Pick<TestApp, 'app'>

async function ask(server: Listening, { path, from, body, cookie }: Requested) {
  const answer = await server.app.inject({
    method: 'POST',
    url: path,
    remoteAddress: from,
    headers: cookie === undefined ? {} : { ...OWN_PAGE, cookie },
    ...(body && { payload: body }),
  })
  return { status: answer.statusCode, code: answer.json().code, retryAfter: answer.headers['retry-after'], answer }
}

type Who = { readonly email: string; readonly from?: string; readonly password?: string; readonly cookie?: string }

const signIn = (server: Listening, { email, from = '10.0.0.1', password = TEST_PASSWORD, cookie }: Who) => {
  const client = cookie === undefined ? 'api' : 'browser'
  const body = { email, password, client }
  return ask(server, { path: '/api/auth/login', from, body, ...(cookie !== undefined && { cookie }) })
}

/** Fails to sign in `times` times from different IP addresses, waiting for each lockout to expire. */
async function attack(server: Listening, email: string, times: number): Promise<void> {
  for (let round = 0; round < times; round += 1) {
    if (round >= 10) app.clock.move(PAUSE_MS)
    const { status } = await signIn(server, { email, from: `10.1.${round}.1`, password: 'not it' })
    expect(status).toBe(401)
  }
}

/** The device cookie of a browser in which this user has signed in before. */
async function markOf({ email }: TestUser): Promise<string> {
  const { answer } = await signIn(app, { email, cookie: 'none=1' })
  return /dossier_device=[^;]+/.exec(String(answer.headers['set-cookie']))?.[0] ?? ''
}

/** Runs `work` on a second server with the same database, as after a restart. */
async function afterRestart<Answer>(work: (server: Listening) => Promise<Answer>): Promise<Answer> {
  const another = await app.startAnother()
  try {
    return await work(another)
  } finally {
    await another.stop()
  }
}

describe('a server restart', () => {
  test('preserves failed sign-in counts', async () => {
    const { email } = await createTestUser(app)
    for (let round = 0; round < 5; round += 1) await signIn(app, { email, password: 'not it' })
    const refused = await afterRestart((server) => signIn(server, { email }))
    expect([refused.status, refused.code, refused.retryAfter]).toEqual([429, 'too-many-requests', '1'])
    app.clock.move(1000)
    expect((await afterRestart((server) => signIn(server, { email }))).status).toBe(200)
  })

  test("preserves an account lockout, from which the owner's browser is exempt", async () => {
    const person = await createTestUser(app)
    const mark = await markOf(person)
    await attack(app, person.email, 10)
    await afterRestart(async (server) => {
      const stranger = await signIn(server, { email: person.email, from: '10.9.9.9' })
      expect([stranger.status, stranger.retryAfter]).toEqual([429, '900'])
      expect((await signIn(server, { email: person.email, cookie: mark })).status).toBe(200)
    })
  })

  test('preserves the count of wrong current passwords and codes', async () => {
    const { caller } = await createTestUser(app)
    const change = { current: 'not it', next: 'nine herons read the paper' }
    const prove = { proof: { method: 'password', password: 'not it' } }
    for (let round = 0; round < 6; round += 1) await caller.post('/api/account/password', change)
    for (let round = 0; round < 7; round += 1) await caller.post('/api/auth/step-up', prove)
    await afterRestart(async (server) => {
      const headers = { authorization: `Bearer ${caller.token}` }
      const changed = await server.app.inject({
        method: 'POST',
        url: '/api/account/password',
        headers,
        payload: change,
      })
      const proven = await server.app.inject({ method: 'POST', url: '/api/auth/step-up', headers, payload: prove })
      expect([changed.statusCode, proven.statusCode]).toEqual([429, 429])
    })
  })
})

describe('a hundred consecutive failed sign-ins', () => {
  test("lock the account, except in the owner's browser", async () => {
    const person = await createTestUser(app)
    const { email } = person
    const mark = await markOf(person)
    await attack(app, email, 100)
    app.clock.move(PAUSE_MS)
    await afterRestart(async (server) => {
      const stranger = await signIn(server, { email, from: '10.9.9.9' })
      expect([stranger.status, stranger.retryAfter]).toEqual([429, String(86_400 - PAUSE_MS / 1000)])
      expect((await signIn(server, { email, cookie: mark })).status).toBe(200)
      // A successful sign-in resets the counter, even if the failures came from other IP addresses.
      expect((await signIn(server, { email, from: '10.9.9.9' })).status).toBe(200)
    })
  })
})

describe('a successful sign-in', () => {
  test("resets the failure counter of the account but not of the client's address", async () => {
    const { email } = await createTestUser(app)
    for (let round = 0; round < 3; round += 1) {
      await attack(app, email, 9)
      expect((await signIn(app, { email, from: '10.2.0.1' })).status).toBe(200)
    }
    const most = LOGIN_RULES.address.freeFailures
    for (let round = 0; round <= most; round += 1) {
      await signIn(app, { email: `nobody-${round}@example.org`, from: '10.3.0.1', password: 'not it' })
      // Signing in to their own account must not give attackers more attempts on other accounts.
      if (round < most && round % 3 === 0) await signIn(app, { email, from: '10.3.0.1', password: 'not it' })
      if (round < most) await signIn(app, { email, from: '10.3.0.1' })
    }
    expect((await signIn(app, { email: 'nobody@example.org', from: '10.3.0.1', password: 'not it' })).status).toBe(429)
  })
})

describe('two processes sharing a database', () => {
  test('share failure counters, even for thirty concurrent attempts', async () => {
    const { email } = await createTestUser(app)
    const another = await app.startAnother()
    const tries = [app, another].flatMap((server) =>
      Array.from({ length: 15 }, () => signIn(server, { email, from: '10.4.0.1', password: 'not it' })),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    await another.stop()
    expect(statuses.filter((status) => status === 401)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(25)
  })
})

describe('forged refresh tokens', () => {
  const MAX = REFRESH_ATTEMPT_RULES.address.freeFailures + 1
  const cookieOf = (token: string) => `dossier_refresh=${token}`

  /** A user's valid tokens for an API client and a browser, and forged versions of both. */
  async function held() {
    const { email } = await createTestUser(app)
    const program = (await signIn(app, { email })).answer.json()
    const browser = (await signIn(app, { email, cookie: 'none=1' })).answer
    const own: string = program.refresh_token
    const cookie = /dossier_refresh=([^;]*)/.exec(String(browser.headers['set-cookie']))?.[1] ?? ''
    const forge = (token: string) => [`${token.slice(0, -3)}xxx`, token.replace(/\.0\./, '.1.'), 'nonsense', 'r2.a.0.']
    return {
      own,
      cookie,
      forgedOwn: forge(own),
      forgedCookie: forge(cookie),
      token: program.token,
      sid: program.session_id,
    }
  }

  type Form = (token: string) => { readonly body?: object; readonly cookie?: string }
  const inBody: Form = (token) => ({ body: { refresh_token: token } })
  const inCookie: Form = (token) => ({ cookie: cookieOf(token) })

  const refresh = (from: string, sent: ReturnType<Form>) => ask(app, { path: '/api/auth/refresh', from, ...sent })

  test.each([
    ['body', inBody, '10.5.0.1'],
    ['cookie', inCookie, '10.5.0.2'],
  ] as const)('are rate-limited by address when sent in the %s', async (_, form, from) => {
    const { forgedOwn, forgedCookie, own, cookie, token } = await held()
    const forged = form === inBody ? forgedOwn : forgedCookie
    for (let round = 0; round < MAX; round += 1) {
      const { status, code } = await refresh(from, form(forged[round % forged.length] ?? ''))
      expect([status, code]).toEqual([401, 'refresh-invalid'])
    }
    for (const one of forged) {
      const refused = await refresh(from, form(one))
      expect([refused.status, refused.code, refused.retryAfter]).toEqual([429, 'too-many-requests', '1'])
      expect(refused.answer.headers['set-cookie']).toBeUndefined()
    }
    expect((await refresh('10.5.0.3', form('nonsense'))).status).toBe(401)
    // Forgery attempts don't delay users with valid tokens at the same IP address.
    expect((await app.withToken(token).get('/api/auth/user')).status).toBe(200)
    expect((await refresh(from, inBody(own))).status).toBe(200)
    expect((await refresh(from, inCookie(cookie))).status).toBe(200)
    app.clock.move(1000)
    expect((await refresh(from, form('nonsense'))).status).toBe(401)
  })

  test('are counted for the whole /64 of an IPv6 address', async () => {
    for (let round = 0; round < MAX; round += 1) await refresh(`2001:db8:1:2::${round}`, inBody('nonsense'))
    expect((await refresh('2001:db8:1:2:ffff::1', inCookie('nonsense'))).status).toBe(429)
    expect((await refresh('2001:db8:1:3::1', inBody('nonsense'))).status).toBe(401)
  })

  test("share one limit whether sent in the cookie or the body; a browser that doesn't send a refresh cookie isn't counted", async () => {
    const from = '10.5.0.4'
    for (let round = 0; round < MAX; round += 1) {
      expect((await refresh(from, { cookie: 'none=1' })).status).toBe(401)
    }
    for (let round = 0; round < MAX; round += 1) {
      await refresh(from, round % 2 === 0 ? inBody('nonsense') : inCookie('nonsense'))
    }
    expect((await refresh(from, inBody('nonsense'))).status).toBe(429)
    expect((await refresh(from, { cookie: 'none=1' })).status).toBe(401)
  })
})

describe('a server that was killed and restarted', () => {
  let dataFolder = ''
  let postgres: TestDatabase | undefined

  beforeAll(async () => {
    dataFolder = await mkdtemp(join(tmpdir(), 'dossier-tries-'))
    postgres = process.env['DOSSIER_TEST_DATABASE'] === 'postgres' ? await createDatabase() : undefined
  })
  afterAll(async () => {
    await postgres?.drop()
    await rm(dataFolder, { recursive: true, force: true })
  })

  test('still enforces account lockouts', async () => {
    const env = {
      DOSSIER_OWNER_EMAIL: 'ada@example.org',
      DOSSIER_OWNER_PASSWORD: TEST_PASSWORD,
      DOSSIER_SAMPLE: 'no',
      DOSSIER_TRUSTED_PROXIES: '127.0.0.1 ::1',
    }
    const start = () => startServer({ dataFolder, env, ...(postgres && { databaseUrl: postgres.url }) })
    const login = (url: string, from: string, password: string) =>
      fetch(`${url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
        body: JSON.stringify({ email: env.DOSSIER_OWNER_EMAIL, password, client: 'api' }),
      })
    const before = await start()
    for (let round = 0; round < 10; round += 1) {
      expect((await login(before.url, `10.0.${round}.1`, 'not it')).status).toBe(401)
    }
    await before.kill()
    const after = await start()
    const refused = await login(after.url, '10.0.99.1', TEST_PASSWORD)
    await after.stop()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(600)
  })
})
