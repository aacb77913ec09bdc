import { afterEach, describe, expect, test } from 'vitest'
import { openTestApp, TEST_PASSWORD, type TestApp, type TestAppOptions } from '#tests/support/server/test-app.ts'

const OWNER = { email: 'ada@example.org', name: 'Ada', password: TEST_PASSWORD }

let opened: TestApp[] = []

afterEach(async () => {
  await Promise.all(opened.map((app) => app.close()))
  opened = []
})

async function open(options?: TestAppOptions): Promise<TestApp> {
  const app = await openTestApp(options)
  opened.push(app)
  return app
}

const codeOf = (app: TestApp): string => new URL(app.setupLink ?? '').searchParams.get('code') ?? ''

describe('a workspace without an owner', () => {
  test('offers a setup link whose code creates and signs in the owner', async () => {
    const app = await open()
    expect(app.setupLink).toMatch(/^http:\/\/localhost:4100\/setup\?code=[\w-]{32}$/)
    expect((await app.guest.get('/api/setup')).body).toEqual({ needed: true, offersSample: true })

    const done = await app.guest.post('/api/setup', { ...OWNER, code: codeOf(app) })
    expect(done.status).toBe(201)
    expect(String(done.headers['set-cookie'])).toContain('dossier_refresh=')
    const { body } = await app.withToken(done.body.token).get('/api/auth/user')
    expect(body.user).toMatchObject({ email: OWNER.email, name: 'Ada', roles: [{ id: 'owner', name: 'Owner' }] })
    expect(body.user.scope).toContain('workspace:manage')
    expect((await app.guest.get('/api/setup')).body.needed).toBe(false)
  })

  test("rejects setup from another site's page without consuming the code", async () => {
    const app = await open()
    const ask = { ...OWNER, code: codeOf(app) }
    const foreign = await app.guest.post('/api/setup', ask, { origin: 'null' })
    expect([foreign.status, foreign.body.code]).toEqual([403, 'origin-refused'])
    expect((await app.guest.post('/api/setup', ask)).status).toBe(201)
  })

  test('accepts the setup code once', async () => {
    const app = await open()
    const code = codeOf(app)
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) => app.guest.post('/api/setup', { ...OWNER, email: `${name}@example.org`, code })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
    expect((await app.guest.post('/api/setup', { ...OWNER, code })).body.code).toBe('setup-done')
  })

  test('rejects wrong setup codes with increasing delays', async () => {
    const app = await open()
    const guess = () => app.guest.post('/api/setup', { ...OWNER, code: 'a-guess' })
    for (let round = 0; round < 6; round += 1) {
      const answer = await guess()
      expect([answer.status, answer.body.code]).toEqual([403, 'setup-code-wrong'])
    }
    expect((await guess()).status).toBe(429)
    app.clock.move(1000)
    expect((await app.guest.post('/api/setup', { ...OWNER, code: codeOf(app) })).status).toBe(201)
  })

  test('reports a weak password without consuming the setup code', async () => {
    const app = await open()
    const weak = await app.guest.post('/api/setup', { ...OWNER, password: 'short', code: codeOf(app) })
    expect(weak.status).toBe(422)
    expect(weak.body).toMatchObject({ code: 'password-weak', errors: [{ path: 'password', code: 'too-short' }] })
    expect((await app.guest.post('/api/setup', { ...OWNER, code: codeOf(app) })).status).toBe(201)
  })

  test('never logs the setup code', async () => {
    const app = await open()
    await app.guest.get(`/setup?code=${codeOf(app)}`)
    await app.guest.post('/api/setup', { ...OWNER, code: codeOf(app) })
    expect(app.logged()).not.toContain(codeOf(app))
  })

  test('can create the owner from environment variables', async () => {
    const app = await open({ config: { owner: { email: OWNER.email, password: OWNER.password } } })
    expect(app.setupLink).toBeUndefined()
    expect((await app.guest.get('/api/setup')).body.needed).toBe(false)
    const answer = await app.guest.post('/api/auth/login', { email: OWNER.email, password: OWNER.password })
    expect(answer.status).toBe(200)
    expect((await app.guest.post('/api/setup', { ...OWNER, code: 'any' })).body.code).toBe('setup-done')
  })

  test("doesn't offer sample data if it is turned off", async () => {
    const app = await open({ config: { sample: 'no' } })
    expect((await app.guest.get('/api/setup')).body.offersSample).toBe(false)
  })
})
