import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { SESSION } from '#domain/specification.ts'
import { KEY_AGE_MS, KEY_OVERLAP_MS, rotateKeys } from '#server/platform/crypto/key-ring.ts'
import { type StartedServer, startServer } from '#tests/support/server/started-server.ts'
import { type Caller, openTestApp, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'
import { EVENTUALLY } from '#tests/support/clock/eventually.ts'

const run = promisify(execFile)

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const keyOf = (token: string): string => JSON.parse(atob(token.split('.')[0] ?? '')).kid

const statusOf = async (caller: Caller): Promise<string> => {
  const { status, body } = await caller.get('/api/auth/user')
  return `${status} ${body?.code ?? ''}`.trim()
}

const signIn = async () => {
  const { body: account } = await app.asEditor().then((caller) => caller.get('/api/auth/user'))
  const login = { email: account.user.email, password: TEST_PASSWORD, client: 'api' }
  return (await app.guest.post('/api/auth/login', login)).body
}

const keyIdOfRefresh = (token: string): string => token.split('.')[3] ?? ''

/** The ID of the current signing key. */
const keyInUse = async (): Promise<string> => keyOf((await app.asViewer()).token ?? '')

describe('a signing key', () => {
  test('can be replaced on a running server without rejecting tokens', async () => {
    const before = await app.asEditor()
    const { id } = rotateKeys(app.config.dataFolder, app.clock.now(), { atOnce: false })
    await vi.waitFor(async () => expect(await keyInUse()).toBe(id), EVENTUALLY)
    expect(keyOf(before.token ?? '')).not.toBe(id)
    expect(await statusOf(before)).toBe('200')
    app.clock.move((SESSION.tokenMaxAgeSeconds - 1) * 1000)
    expect(await statusOf(before)).toBe('200')
    // Rotates the key because of its age, long before the key expires.
    app.clock.move(1000)
    expect(await statusOf(before)).toBe('401 token-expired')
    expect(KEY_OVERLAP_MS).toBeGreaterThan(2 * SESSION.tokenMaxAgeSeconds * 1000)
  })

  test('a replaced key can still refresh the sessions it signed', async () => {
    const signedIn = await signIn()
    const { id } = rotateKeys(app.config.dataFolder, app.clock.now(), { atOnce: false })
    await vi.waitFor(async () => expect(await keyInUse()).toBe(id), EVENTUALLY)
    app.clock.move(5 * 24 * 60 * 60 * 1000)
    const refreshed = await app.guest.post('/api/auth/refresh', { refresh_token: signedIn.refresh_token })
    expect(refreshed.status).toBe(200)
    expect(await statusOf(app.withToken(refreshed.body.token))).toBe('200')
    expect(keyIdOfRefresh(refreshed.body.refresh_token)).not.toBe(keyIdOfRefresh(signedIn.refresh_token))
  })

  test('invalidates older tokens immediately, including those cached by the server', async () => {
    const body = await signIn()
    const signedIn = app.withToken(body.token)
    expect(await statusOf(signedIn)).toBe('200')
    rotateKeys(app.config.dataFolder, app.clock.now(), { atOnce: true })
    await vi.waitFor(async () => expect(await statusOf(signedIn)).toBe('401 token-invalid'), EVENTUALLY)
    // The server issued this token, so it doesn't count as a forgery attempt.
    for (let round = 0; round < 40; round += 1) {
      const { status, body: answer } = await app.guest.post('/api/auth/refresh', { refresh_token: body.refresh_token })
      expect([status, answer.code]).toEqual([401, 'session-ended'])
    }
    expect(await statusOf(app.withToken((await signIn()).token))).toBe('200')
  })

  test('a replaced key can still decrypt authenticator secrets', async () => {
    const user = await app.asEditor()
    const { status, body } = await user.post('/api/account/factors/totp')
    expect(status).toBe(200)
    rotateKeys(app.config.dataFolder, app.clock.now(), { atOnce: false })
    const { id } = rotateKeys(app.config.dataFolder, app.clock.now(), { atOnce: false })
    await vi.waitFor(async () => expect(await keyInUse()).toBe(id), EVENTUALLY)
    const wrong = await user.put('/api/account/factors/totp', { code: '000000' })
    // A wrong-code error shows that the secret could be decrypted.
    expect([wrong.status, wrong.body.code, body.secret.length > 15]).toEqual([401, 'login-refused', true])
  })

  test('is replaced automatically after 90 days', async () => {
    const before = await keyInUse()
    app.clock.move(KEY_AGE_MS + 1000)
    await vi.waitFor(async () => expect(await keyInUse()).not.toBe(before), EVENTUALLY)
  })
})

describe('keys:rotate', () => {
  let server: StartedServer

  beforeAll(async () => {
    const env = {
      DOSSIER_OWNER_EMAIL: 'owner@example.org',
      DOSSIER_OWNER_PASSWORD: TEST_PASSWORD,
      DOSSIER_SAMPLE: 'no',
    }
    server = await startServer({ env })
  })
  afterAll(() => server.stop())

  const command = (...args: string[]) =>
    run(process.execPath, ['dist/server/cli.js', 'keys:rotate', ...args], {
      env: { ...process.env, DOSSIER_DATA: server.dataFolder },
    })

  const login = async (): Promise<string> => {
    const answer = await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'owner@example.org', password: TEST_PASSWORD, client: 'api' }),
    })
    return (await answer.json()).token
  }

  const use = async (token: string): Promise<number> =>
    (await fetch(`${server.url}/api/auth/user`, { headers: { authorization: `Bearer ${token}` } })).status

  test('replaces the key of a running server', async () => {
    const before = await login()
    const { stdout } = await command()
    expect(stdout).toContain('is now the signing key')
    await vi.waitFor(async () => expect(keyOf(await login())).not.toBe(keyOf(before)), EVENTUALLY)
    expect(await use(before)).toBe(200)
    const { stdout: atOnce } = await command('--at-once')
    expect(atOnce).toContain('are invalid')
    await vi.waitFor(async () => expect(await use(before)).toBe(401), EVENTUALLY)
  })

  test('ends every session on request, and otherwise none', async () => {
    const [first, second] = [await login(), await login()]
    const { stdout } = await command('--sign-out')
    expect(stdout).toMatch(/[2-9] sessions were ended/)
    for (const token of [first, second]) expect(await use(token)).toBe(401)
    expect(await use(await login())).toBe(200)
    expect((await command('--at-once', '--sign-out')).stdout).toContain('1 sessions were ended')
  })

  test('prints usage for unknown arguments', async () => {
    await expect(command('--yesterday')).rejects.toMatchObject({ stderr: expect.stringContaining('keys:rotate') })
  })
})
