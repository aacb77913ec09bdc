import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type Caller, type TestApp } from '#tests/support/server/test-app.ts'

const ALLOWED = 'https://app.example.org'
const PREFLIGHT = { 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'authorization' }

let app: TestApp
let closed: TestApp
let owner: Caller
beforeAll(async () => {
  app = await openTestApp({ config: { corsOrigins: [ALLOWED] } })
  closed = await openTestApp()
  owner = await app.asOwner()
})
afterAll(async () => {
  await app.close()
  await closed.close()
})

const preflight = (path: string, origin: string, { guest } = app) =>
  guest.request('OPTIONS', path, { headers: { origin, ...PREFLIGHT } })

describe('a configured origin', () => {
  test('can read responses and their headers, including errors, but never with cookies', async () => {
    const { status, headers } = await owner.get('/api/collections', { origin: ALLOWED })
    expect([status, headers['access-control-allow-origin']]).toEqual([200, ALLOWED])
    expect(headers['access-control-expose-headers']).toContain('Upload-Offset')
    expect(headers['access-control-allow-credentials']).toBeUndefined()
    expect(headers['vary']).toContain('Origin')
    const refused = await app.guest.get('/api/collections', { origin: ALLOWED })
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, ALLOWED])
  })

  test('can send tokens with every method after a preflight', async () => {
    const { status, headers } = await preflight('/api/collections/x/records/y', ALLOWED)
    expect([status, headers['access-control-allow-origin']]).toEqual([204, ALLOWED])
    expect(headers['access-control-allow-methods']).toContain('PATCH')
    expect(headers['access-control-allow-headers']).toBe('authorization')
  })

  test("can't sign in or read pages", async () => {
    for (const path of ['/api/auth/login', '/api/auth/refresh', '/login']) {
      const { headers } = await preflight(path, ALLOWED)
      expect(headers['access-control-allow-origin'], path).toBeUndefined()
    }
  })

  test('gets the tus capabilities like other clients', async () => {
    const { status, headers } = await owner.request('OPTIONS', '/api/tus', { headers: { origin: ALLOWED } })
    expect([status, headers['tus-version']]).toEqual([204, '1.0.0'])
  })
})

test("other origins can't read any response", async () => {
  for (const origin of ['https://app.example.org.evil.example', 'http://app.example.org', 'null']) {
    const { headers } = await owner.get('/api/collections', { origin })
    expect(headers['access-control-allow-origin'], origin).toBeUndefined()
    expect((await preflight('/api/collections', origin)).headers['access-control-allow-origin'], origin).toBeUndefined()
  }
})

test('if no origin is configured, no response allows cross-origin access', async () => {
  const { headers } = await closed.guest.get('/api/health', { origin: ALLOWED })
  expect(headers['access-control-allow-origin']).toBeUndefined()
  const answer = await preflight('/api/collections', ALLOWED, closed)
  expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([405, undefined])
})
