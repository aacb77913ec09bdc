import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { LEAKED_PASSWORD_MESSAGE } from '#domain/sessions/password-rules.ts'
import { openPasswordRange, type PasswordRange, rangeOf } from '#tests/support/identity/password-range.ts'
import { type Answer, type Caller, openTestApp, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'
import { EVENTUALLY } from '#tests/support/clock/eventually.ts'

const LEAKED = 'four walruses paint the fence'
const ACCENTED = 'vier Walrösser malen am Zaun'
const GOOD = 'nine herons read the paper'
const MINUTE_MS = 60_000
const REPORTED = 'leaked password check failed'

let range: PasswordRange
let app: TestApp
let owner: Caller

beforeAll(async () => {
  range = await openPasswordRange()
  range.leak(LEAKED, 3)
  range.leak(ACCENTED, 1)
  app = await openTestApp({ config: { passwordRangeUrl: range.url } })
  owner = await app.asOwner()
})
afterEach(() => {
  range.answerWith(undefined)
  range.requests.length = 0
})
afterAll(async () => {
  await app.close()
  await range.close()
})

const change = (caller: Caller, next: string, current = TEST_PASSWORD) =>
  caller.post('/api/account/password', { current, next })

async function emailCode(email: string): Promise<string> {
  return vi.waitFor(async () => {
    const { items } = (await owner.get('/api/outbox')).body
    const message = items.find(({ to, text }: { to: string; text: string }) => to === email && text.includes('code='))
    return new URL(/http:\S+code=\S+/.exec(message.text)?.[0] ?? '').searchParams.get('code') ?? ''
  }, EVENTUALLY)
}

/** Asserts that the password is rejected with exactly one error, on the password field. */
function expectLeaked({ status, body }: Answer, path = 'password'): void {
  expect([status, body.code]).toEqual([422, 'password-weak'])
  expect(body.errors).toEqual([{ path, code: 'leaked', message: LEAKED_PASSWORD_MESSAGE }])
}

describe('a leaked password', () => {
  test('is rejected as a new password, while others are accepted', async () => {
    const user = await app.asEditor()
    expectLeaked(await change(user, LEAKED), 'next')
    expect((await change(user, GOOD)).status).toBe(204)
  })

  test('is rejected when an invitation is accepted, and the invitation link remains valid', async () => {
    const email = 'invited@example.org'
    await owner.post('/api/users', { email, name: 'I', roles: ['viewer'] })
    const code = await emailCode(email)
    const accept = (password: string) => app.guest.post('/api/invitations/accept', { code, name: 'I', password })
    expectLeaked(await accept(LEAKED))
    expect((await accept(GOOD)).status).toBe(201)
  })

  test('is rejected in a password reset, and the reset link remains valid', async () => {
    const { email } = (await (await app.asEditor()).get('/api/auth/user')).body.user
    await app.guest.post('/api/auth/password-reset', { email })
    const code = await emailCode(email)
    const reset = (password: string) => app.guest.put('/api/auth/password-reset', { code, password })
    expectLeaked(await reset(LEAKED))
    expect((await reset(GOOD)).status).toBe(204)
  })

  test('is rejected when the first owner is created', async () => {
    const fresh = await openTestApp({ config: { passwordRangeUrl: range.url } })
    const code = new URL(fresh.setupLink ?? '').searchParams.get('code')
    const setUp = (password: string) =>
      fresh.guest.post('/api/setup', { email: 'ada@example.org', name: 'Ada', code, password })
    expectLeaked(await setUp(LEAKED))
    expect((await setUp(GOOD)).status).toBe(201)
    await fresh.close()
  })

  test('is detected in any Unicode normalization form', async () => {
    const user = await app.asEditor()
    for (const form of ['NFC', 'NFD']) expectLeaked(await change(user, ACCENTED.normalize(form)), 'next')
  })

  test('ignores padding entries with a count of 0', async () => {
    const { suffix } = rangeOf(GOOD)
    range.answerWith((response) => response.end(`${suffix}:0\r\n`))
    expect((await change(await app.asEditor(), GOOD)).status).toBe(204)
    range.answerWith((response) => response.end(`${suffix.toLowerCase()}:2\n`))
    expectLeaked(await change(await app.asEditor(), GOOD), 'next')
  })
})

describe('the leaked-password service', () => {
  test('receives only the five-character hash prefix and the padding header', async () => {
    await change(await app.asEditor(), GOOD)
    const { prefix, suffix } = rangeOf(GOOD)
    expect(range.requests).toHaveLength(1)
    const [{ path, headers }] = range.requests as [(typeof range.requests)[number]]
    expect([path, headers['add-padding']]).toEqual([`/range/${prefix}`, 'true'])
    expect(JSON.stringify(range.requests)).not.toContain(suffix.slice(0, 8))
    expect(headers).not.toHaveProperty('cookie')
    expect(headers).not.toHaveProperty('authorization')
    expect(headers).not.toHaveProperty('referer')
  })

  test("isn't queried for passwords that fail the local password rules, or at sign-in", async () => {
    const user = await app.asEditor()
    for (const weak of ['short', 'password password', 'abcdefghijklmnop']) {
      expect((await change(user, weak)).body.code).toBe('password-weak')
    }
    await app.asViewer()
    expect(range.requests).toEqual([])
  })

  test("isn't queried if none is configured", async () => {
    const alone = await openTestApp()
    expect((await change(await alone.asEditor(), LEAKED)).status).toBe(204)
    await alone.close()
    expect(range.requests).toEqual([])
  })
})

describe('an unavailable leaked-password service', () => {
  const linesReported = () =>
    app
      .logged()
      .split('\n')
      .filter((line) => line.includes(REPORTED))

  test.each([
    ['answers 500', '500', (response) => response.writeHead(500).end()],
    ['answers 404', '404', (response) => response.writeHead(404).end()],
    [
      'leads elsewhere',
      'unreachable',
      (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
    ],
    ['answers garbage', 'invalid response', (response) => response.end('<html>Welcome to the hotel</html>')],
    ['answers without an end', 'response too large', (response) => response.end(`${'0'.repeat(99)}\n`.repeat(20_000))],
    ['hangs up', 'unreachable', (response) => response.destroy()],
    ['does not answer', 'timeout', () => undefined],
    ['stops in the middle', 'timeout', (response) => response.write('0018A45C4D1DEF81644B54AB7F969B88D65:1\r\n')],
  ] as const satisfies readonly (readonly [string, string, Parameters<PasswordRange['answerWith']>[0]])[])(
    'that %s delays no one for long, and is logged once a minute',
    async (_, fault, answering) => {
      app.clock.move(MINUTE_MS)
      const before = linesReported().length
      range.answerWith(answering)
      const user = await app.asEditor()
      const beganAt = performance.now()
      expect((await change(user, GOOD)).status).toBe(204)
      expect(performance.now() - beganAt).toBeLessThan(4000)
      expect((await change(user, TEST_PASSWORD, GOOD)).status).toBe(204)
      const reported = linesReported().slice(before)
      expect(reported).toHaveLength(1)
      expect(reported[0]).toContain(fault)
    },
  )

  test('leaves no part of a password, its hash or the URL in the log', () => {
    for (const password of [GOOD, LEAKED, TEST_PASSWORD]) {
      const { prefix, suffix } = rangeOf(password)
      expect(app.logged()).not.toContain(password)
      expect(app.logged().toUpperCase()).not.toContain(suffix.slice(0, 8))
      expect(app.logged()).not.toContain(`/${prefix}`)
    }
  })
})
