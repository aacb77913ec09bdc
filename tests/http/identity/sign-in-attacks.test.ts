import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LOGIN_RULES } from '#domain/sessions/login-throttle.ts'
import { createTestUser } from '#tests/support/identity/test-user.ts'
import { openTestApp, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'

const OWN_PAGE = { 'x-requested-with': 'dossier', origin: 'http://localhost:4100', 'sec-fetch-site': 'same-origin' }
const DAY_MS = 86_400_000
const FREE = LOGIN_RULES.address.freeFailures

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

async function ask(path: string, from: string, body: object, headers: Record<string, string> = {}) {
  const answer = await app.app.inject({ method: 'POST', url: path, remoteAddress: from, headers, payload: body })
  const waitSeconds = Number(answer.headers['retry-after'] ?? 0)
  return { status: answer.statusCode, waitSeconds, cookies: String(answer.headers['set-cookie']) }
}

type Attempt = { readonly email: string; readonly from: string; readonly password?: string; readonly device?: string }

const signIn = ({ email, from, password = TEST_PASSWORD, device }: Attempt) =>
  ask(
    '/api/auth/login',
    from,
    { email, password, client: device === undefined ? 'api' : 'browser' },
    device === undefined ? {} : { ...OWN_PAGE, cookie: device },
  )

const fail = async (email: string, from: string) => (await signIn({ email, from, password: 'not it' })).status

/** Fails to sign in `times` times, waiting for each delay to elapse. */
async function failPatiently(email: string, from: string, times: number): Promise<void> {
  for (let round = 0; round < times; round += 1) {
    const answer = await signIn({ email, from, password: 'not it' })
    if (answer.status === 429) {
      app.clock.move(answer.waitSeconds * 1000)
      expect(await fail(email, from)).toBe(401)
    }
  }
}

/** The device cookie of a browser in which this user has signed in before. */
async function deviceOf(email: string, from: string): Promise<string> {
  const { cookies } = await signIn({ email, from, device: 'none=1' })
  return /dossier_device=[^;]+/.exec(cookies)?.[0] ?? ''
}

describe('an office sharing one IP address', () => {
  test('can sign in after a colleague enters 21 wrong passwords', async () => {
    const [colleague, other] = [await createTestUser(app), await createTestUser(app)]
    await failPatiently(colleague.email, '203.0.113.1', 21)
    expect((await signIn({ email: other.email, from: '203.0.113.1' })).status).toBe(200)
  })

  test('can sign in when many users mistype passwords daily', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => createTestUser(app)))
    for (let day = 0; day < 5; day += 1) {
      for (const { email } of people) {
        for (let round = 0; round < 3; round += 1) expect(await fail(email, '203.0.113.2')).toBe(401)
        expect((await signIn({ email, from: '203.0.113.2' })).status).toBe(200)
      }
      app.clock.move(DAY_MS / 2)
    }
  })

  test('can sign in from known devices while a colleague attacks every account', async () => {
    const { email } = await createTestUser(app)
    const device = await deviceOf(email, '203.0.113.3')
    for (let round = 0; round < 2 * FREE; round += 1) await fail(`other-${round}@example.org`, '203.0.113.3')
    expect((await signIn({ email, from: '203.0.113.3' })).status).toBe(429)
    expect((await signIn({ email, from: '203.0.113.3', device })).status).toBe(200)
  })

  test('can reset passwords after a colleague sends 21 reset requests', async () => {
    const [colleague, other] = [await createTestUser(app), await createTestUser(app)]
    const reset = (email: string) => ask('/api/auth/password-reset', '203.0.113.4', { email })
    for (let round = 0; round < 21; round += 1) {
      const { waitSeconds } = await reset(colleague.email)
      app.clock.move(waitSeconds * 1000)
      if (waitSeconds > 0) expect((await reset(colleague.email)).status).toBeLessThan(300)
    }
    expect((await reset(other.email)).status).toBeLessThan(300)
  })
})

describe('one password tried on 1,000 accounts from one address', () => {
  const spray = async (from: (round: number) => string) => {
    let looked = 0
    for (let round = 0; round < 1000; round += 1) {
      if ((await fail(`sprayed-${round}@example.org`, from(round))) === 401) looked += 1
    }
    return looked
  }

  test('is checked against only 31 accounts', async () => {
    expect(await spray(() => '198.51.100.1')).toBe(FREE + 1)
  })

  test('is counted per IPv6 /64 network', async () => {
    expect(await spray((round) => `2001:db8:1:1:${round.toString(16)}::${round}`)).toBe(FREE + 1)
    expect(await fail('sprayed@example.org', '2001:db8:1:2::1')).toBe(401)
  })

  test('takes more than a week, even if the attacker waits out every delay', async () => {
    let looked = 0
    const begunAt = app.clock.now().getTime()
    while (app.clock.now().getTime() - begunAt < DAY_MS) {
      const { status, waitSeconds } = await signIn({
        email: `slow-${looked}@example.org`,
        from: '198.51.100.2',
        password: 'not it',
      })
      if (status === 401) looked += 1
      app.clock.move(Math.max(1, waitSeconds) * 1000)
    }
    expect(looked).toBeLessThan(1000 / 7)
  })
})

describe('one account attacked from 200 addresses', () => {
  test('is limited to ten password checks, and the owner can still sign in on a known device', async () => {
    const { email } = await createTestUser(app)
    const device = await deviceOf(email, '192.0.2.250')
    const statuses: number[] = []
    for (let round = 0; round < 200; round += 1) statuses.push(await fail(email, `192.0.2.${round}`))
    expect(statuses.filter((status) => status === 401)).toHaveLength(LOGIN_RULES.account.freeFailures + 1)
    expect((await signIn({ email, from: '192.0.2.250' })).status).toBe(429)
    expect((await signIn({ email, from: '192.0.2.250', device })).status).toBe(200)
  })
})

describe('unguessable codes', () => {
  test('are accepted after many wrong codes from the same address', async () => {
    const owner = await app.asOwner()
    const invited = { email: 'new@example.org', name: 'New', roles: ['viewer'] }
    await owner.post('/api/users', invited)
    const { items } = (await owner.get('/api/outbox')).body
    const sent = items.find((one: { to: string }) => one.to === invited.email)
    const code = /code=([\w-]+)/.exec(sent?.text ?? '')?.[1] ?? ''
    const read = (given: string) => ask('/api/invitations/read', '203.0.113.9', { code: given })
    const statuses = new Set<number>()
    for (let round = 0; round < 60; round += 1) statuses.add((await read(`x${round}`.padEnd(43, 'x'))).status)
    expect(statuses).toContain(429)
    expect((await read(code)).status).toBe(200)
  })
})
