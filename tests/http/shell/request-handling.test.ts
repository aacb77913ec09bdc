import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { request as rawRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { brotliCompressSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#api/endpoint.ts'
import type { Actor } from '#domain/access/actor.ts'
import { grantsOfBuiltIn } from '#domain/access/built-in-roles.ts'
import { Problem } from '#domain/shared/problem.ts'
import { fail, ok } from '#domain/shared/result.ts'
import { can, open, signedIn } from '#server/platform/http/access.ts'
import { DEFAULT_SESSION_SETTINGS } from '#server/platform/config/session-settings.ts'
import { buildApp } from '#server/http/app.ts'
import type { Authenticate } from '#server/platform/http/guard.ts'
import { openLog } from '#server/platform/http/logging.ts'
import { type Route, route } from '#server/platform/http/route.ts'

const forAll = open('a test')

const viewer: Actor = { type: 'user', userId: 'u', sessionId: 's', name: 'V', grants: grantsOfBuiltIn('viewer') }

/** Three fake tokens are enough here; the session tests cover real ones. */
const authenticate: Authenticate = async (request) => {
  const { authorization } = request.headers
  if (authorization === undefined) return ok({ type: 'guest' })
  return authorization === 'Bearer viewer' ? ok(viewer) : fail(new Problem('token-expired', 'It is too old.'))
}

const number = z.strictObject({ amount: z.number(), list: z.array(z.strictObject({ name: z.string() })).optional() })

let openExports = 0
let startExport = () => {}
const exportStarted = new Promise<void>((resolve) => {
  startExport = resolve
})

const ROUTES: readonly Route[] = [
  route(
    endpoint({
      method: 'GET',
      path: '/api/greet/:name',
      summary: '',
      params: z.object({ name: z.string() }),
      query: z.strictObject({ loud: z.string().optional() }),
      response: z.object({ greeting: z.string() }),
    }),
    forAll,
    async ({ params, query }) => {
      const answer = { greeting: `Hello ${params.name}${query.loud ?? ''}`, secret: 'stays here' }
      return answer
    },
  ),
  route(
    endpoint({ method: 'POST', path: '/api/numbers', summary: '', body: number, response: number, status: 201 }),
    forAll,
    async ({ body }) => body,
  ),
  route(
    endpoint({ method: 'POST', path: '/api/press', summary: '', response: 'empty' }),
    forAll,
    async () => undefined,
  ),
  route(
    endpoint({
      method: 'GET',
      path: '/api/large',
      summary: '',
      query: z.strictObject({ times: z.coerce.number().default(2000) }),
      response: z.object({ text: z.string() }),
    }),
    forAll,
    async ({ query }) => ({ text: 'long '.repeat(query.times) }),
  ),
  route(
    endpoint({
      method: 'GET',
      path: '/api/export',
      summary: '',
      query: z.strictObject({ fails: z.literal('yes').optional(), pages: z.coerce.number().default(50) }),
      response: 'raw',
    }),
    forAll,
    async ({ query, reply }) => {
      async function* lines() {
        openExports += 1
        try {
          for (let page = 0; page < query.pages; page += 1) {
            if (query.fails && page === 40) {
              await exportStarted
              throw new Error('the database is gone')
            }
            // Random data fills the compressor's buffer, so that the response starts before the error.
            yield query.fails ? randomBytes(4000).toString('base64') : 'a;b\n'.repeat(1000)
            await setImmediate()
          }
        } finally {
          openExports -= 1
        }
      }
      await reply.type('text/csv; charset=utf-8').send(Readable.from(lines()))
    },
  ),
  route(endpoint({ method: 'GET', path: '/api/broken', summary: '', response: 'empty' }), forAll, async () => {
    throw new Error('the password is hunter2')
  }),
  route(endpoint({ method: 'GET', path: '/api/refused', summary: '', response: 'empty' }), forAll, async () => {
    throw new Problem('version-conflict', 'Somebody was faster.', { extra: { current: { version: 3 } } })
  }),
  route(endpoint({ method: 'GET', path: '/api/half-open', summary: '', response: 'empty' }), forAll, async () => {
    throw new Problem('token-missing', 'Sign in to do this.')
  }),
  route(
    endpoint({ method: 'GET', path: '/api/mine', summary: '', response: 'empty' }),
    signedIn,
    async () => undefined,
  ),
  route(
    endpoint({ method: 'POST', path: '/api/manage', summary: '', body: number, response: 'empty' }),
    can('collections:manage'),
    async () => undefined,
  ),
  route(
    endpoint({
      method: 'POST',
      path: '/api/bytes',
      summary: '',
      body: 'stream',
      response: z.object({ bytes: z.number() }),
    }),
    forAll,
    async ({ body }) => {
      let bytes = 0
      for await (const part of body as AsyncIterable<Buffer>) bytes += part.length
      return { bytes }
    },
  ),
  route(endpoint({ method: 'GET', path: '/api/file', summary: '', response: 'raw' }), forAll, async ({ reply }) => {
    await reply
      .type('text/plain')
      .header('etag', '"1"')
      .send(Readable.from(['raw '.repeat(1000)]))
  }),
]

let app: FastifyInstance
let url: string
let folder: string
let logged = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-web-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<html><meta name="csp-nonce" content=""><p>the page</p></html>')
  await writeFile(
    join(folder, 'index.de.html'),
    '<html lang="de"><meta name="csp-nonce" content=""><p>die Seite</p></html>',
  )
  await writeFile(join(folder, 'assets', 'main-abc123.js'), 'let a = 1')
  await writeFile(join(folder, 'assets', 'main-abc123.js.br'), brotliCompressSync('let a = 1'))
  await writeFile(join(folder, 'favicon.svg'), '<svg/>')
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      logged += chunk.toString()
      done()
    },
  })
  app = await buildApp({
    routes: ROUTES,
    authenticate,
    forgetDefinitions: () => {},
    log: openLog('debug', sink),
    publicUrl: new URL('https://records.example'),
    trustedProxies: [],
    corsOrigins: [],
    webFolder: folder,
    session: DEFAULT_SESSION_SETTINGS,
  })
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})

afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers })
const post = (path: string, body: string, type = 'application/json') =>
  fetch(url + path, { method: 'POST', body, headers: { 'content-type': type } })

async function problemOf(answer: Response): Promise<Record<string, unknown>> {
  expect(answer.headers.get('content-type')).toContain('application/problem+json')
  // Problem bodies are always objects.
  return (await answer.json()) as Record<string, unknown>
}

describe('an API response', () => {
  test('contains only properties that its endpoint declares', async () => {
    expect(await (await get('/api/greet/Ada?loud=!')).json()).toEqual({ greeting: 'Hello Ada!' })
  })

  test('with data is not cached, sniffed or framed', async () => {
    const { headers } = await get('/api/greet/Ada')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('strict-transport-security')).toContain('max-age=')
  })

  test("can't be framed and has a content security policy", async () => {
    for (const path of [
      '/',
      '/favicon.svg',
      '/assets/main-abc123.js',
      '/assets/gone.js',
      '/api/greet/Ada',
      '/api/gone',
    ]) {
      const policy = (await get(path)).headers.get('content-security-policy')
      expect([path, policy]).toEqual([path, expect.stringContaining("frame-ancestors 'none'")])
    }
  })

  test('is compressed if it is large', async () => {
    expect((await get('/api/large')).headers.get('content-encoding')).toBe('gzip')
    expect((await get('/api/greet/Ada')).headers.get('content-encoding')).toBeNull()
  })

  test.each([
    ['gzip, deflate, br', 'gzip'],
    ['br;q=1.0, GZIP;q=0.5', 'gzip'],
    ['*', 'gzip'],
    ['gzip;q=0, *', null],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['zstd;q=0.5, gzip;q=0.8', 'gzip'],
    ['zstd;q=0, gzip', 'gzip'],
    ['zstd;q=x', null],
    ['br', null],
    ['identity', null],
    ['identity, zstd;q=0.5, gzip;q=0.5', null],
  ])('to a client that accepts “%s” is compressed with %s', async (accepted, encoding) => {
    const answer = await get('/api/large', { 'accept-encoding': accepted })
    expect(answer.headers.get('content-encoding')).toBe(encoding)
    expect(answer.headers.get('vary')).toBe('accept-encoding')
    expect(await answer.json()).toEqual({ text: 'long '.repeat(2000) })
  })

  test.each(['zstd', 'gzip'])(
    'that is too large for synchronous compression is complete when sent with %s',
    async (encoding) => {
      const answer = await get('/api/large?times=100000', { 'accept-encoding': encoding })
      expect(answer.headers.get('content-encoding')).toBe(encoding)
      expect(await answer.json()).toEqual({ text: 'long '.repeat(100_000) })
    },
  )

  test.each(['zstd', 'gzip', null])('that streams an export is sent with encoding %s', async (encoding) => {
    const answer = await get('/api/export', { 'accept-encoding': encoding ?? 'identity' })
    expect(answer.headers.get('content-encoding')).toBe(encoding)
    expect(answer.headers.get('vary')).toBe('accept-encoding')
    expect(await answer.text()).toBe('a;b\n'.repeat(50_000))
  })

  test("is aborted if an export fails, so that it isn't mistaken for complete", async () => {
    const answer = await get('/api/export?fails=yes', { 'accept-encoding': 'zstd' })
    expect(answer.status).toBe(200)
    startExport()
    await expect(answer.text()).rejects.toThrow()
  })

  test('stops reading an export when the client disconnects', async () => {
    const answer = await get('/api/export?pages=1000000000', { 'accept-encoding': 'zstd' })
    const reader = answer.body?.getReader()
    await reader?.read()
    expect(openExports).toBe(1)
    await reader?.cancel()
    await expect.poll(() => openExports).toBe(0)
  })

  test('written directly by a handler is sent unchanged', async () => {
    const answer = await get('/api/file')
    expect(answer.headers.get('content-encoding')).toBeNull()
    expect(answer.headers.get('etag')).toBe('"1"')
    expect((await answer.text()).length).toBe(4000)
  })
})

describe('a request', () => {
  test('an unknown query parameter is rejected by name', async () => {
    const answer = await get('/api/greet/Ada?lout=!')
    expect(answer.status).toBe(400)
    expect(await problemOf(answer)).toMatchObject({ code: 'unknown-parameter', errors: [{ path: 'lout' }] })
  })

  test('a repeated query parameter is rejected by name', async () => {
    const answer = await get('/api/greet/Ada?loud=1&loud=2')
    expect(answer.status).toBe(400)
    expect(await problemOf(answer)).toMatchObject({ errors: [{ path: 'loud' }] })
  })

  test('an unknown or invalid body property is rejected with its path', async () => {
    const answer = await post('/api/numbers', '{"amount":"1","more":1,"list":[{}]}')
    expect(answer.status).toBe(400)
    const { code, errors } = await problemOf(answer)
    expect(code).toBe('invalid-request')
    expect(errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: 'amount', code: 'invalid-type' }),
        expect.objectContaining({ path: 'list.0.name', code: 'missing' }),
        expect.objectContaining({ path: 'more', code: 'unknown-key' }),
      ]),
    )
  })

  test('invalid, missing or prototype-polluting JSON is rejected', async () => {
    for (const body of ['{"amount":', '{"amount":1,"__proto__":{}}', '']) {
      const answer = await post('/api/numbers', body)
      expect([answer.status, (await problemOf(answer))['code']]).toEqual([400, 'invalid-request'])
    }
  })

  test('a number that would lose precision is rejected', async () => {
    const answer = await post('/api/numbers', '{"amount":1.00000000000000000001}')
    expect(answer.status).toBe(422)
    expect(await problemOf(answer)).toMatchObject({ errors: [{ path: 'amount', code: 'too-precise' }] })
    expect((await post('/api/numbers', '{"amount":123456789012345}')).status).toBe(201)
    expect((await post('/api/numbers', '{"amount":1000000000000000000000}')).status).toBe(201)
  })

  test('U+0000 is rejected anywhere in a request and never reaches the database', async () => {
    const answer = await post('/api/numbers', JSON.stringify({ amount: 1, list: [{ name: 'a\0b' }] }))
    expect(answer.status).toBe(422)
    expect(await problemOf(answer)).toMatchObject({ errors: [{ path: 'name', code: 'control-character' }] })
    expect((await post('/api/numbers', JSON.stringify({ amount: 1, 'a\0b': 1 }))).status).toBe(422)
    expect((await get('/api/greet/A%00da')).status).toBe(400)
  })

  test('an escaped backslash before u0000 is accepted', async () => {
    const list = [{ name: String.raw`C:\u0000 and \\u0000` }]
    expect((await post('/api/numbers', JSON.stringify({ amount: 1, list }))).status).toBe(201)
    expect((await get('/api/greet/A%2500da')).status).toBe(200)
  })

  test('long digit sequences in strings are accepted', async () => {
    const list = [{ name: '1.00000000000000000001 "\\ 12345678901234567890' }]
    expect((await post('/api/numbers', JSON.stringify({ amount: 1, list }))).status).toBe(201)
  })

  test("a body that isn't JSON is rejected with 415", async () => {
    const answer = await post('/api/numbers', 'amount=1', 'application/x-www-form-urlencoded')
    expect(answer.status).toBe(415)
    expect(await problemOf(answer)).toMatchObject({ code: 'wrong-content-type' })
  })

  test('a body over the size limit is rejected while it is received', async () => {
    const answer = await post('/api/numbers', `{"amount":1,"list":[{"name":"${'x'.repeat(20_000_000)}"}]}`)
    expect(answer.status).toBe(413)
    expect(await problemOf(answer)).toMatchObject({ code: 'too-large' })
  })

  test('an empty or missing body is accepted', async () => {
    expect((await fetch(`${url}/api/press`, { method: 'POST' })).status).toBe(204)
    expect((await post('/api/press', '{}')).status).toBe(204)
    expect((await post('/api/press', '{"unknown":1}')).status).toBe(400)
  })

  test('a streamed body is passed through, regardless of its content type', async () => {
    const bytes = 3_000_000
    for (const type of ['application/json', 'text/csv', 'image/png', 'application/offset+octet-stream']) {
      const answer = await post('/api/bytes', 'x'.repeat(bytes), type)
      expect([answer.status, await answer.json()]).toEqual([200, { bytes }])
    }
    const untyped = await fetch(`${url}/api/bytes`, { method: 'POST' })
    expect(await untyped.json()).toEqual({ bytes: 0 })
  })

  test('a streamed body without a content type is passed through', async () => {
    const bytes = await new Promise<string>((resolve, reject) => {
      const sent = rawRequest(`${url}/api/bytes`, { method: 'POST' }, (answer) => {
        answer.setEncoding('utf8').on('data', resolve)
      })
      sent.on('error', reject)
      sent.end('12345')
    })
    expect(JSON.parse(bytes)).toEqual({ bytes: 5 })
  })
})

describe('access checks', () => {
  test('a guest is asked to sign in before the body is read', async () => {
    const answer = await post('/api/manage', 'not json')
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    expect(await problemOf(answer)).toMatchObject({ code: 'token-missing' })
  })

  test('an invalid token is reported as invalid', async () => {
    expect(await problemOf(await get('/api/mine', { authorization: 'Bearer old' }))).toMatchObject({
      code: 'token-expired',
    })
    expect((await get('/api/mine', { authorization: 'Bearer viewer' })).status).toBe(204)
  })

  test('a missing permission is rejected', async () => {
    const answer = await fetch(`${url}/api/manage`, { method: 'POST', headers: { authorization: 'Bearer viewer' } })
    expect([answer.status, (await problemOf(answer))['code']]).toEqual([403, 'forbidden'])
  })

  test('a public route ignores an invalid token unless it requires a user', async () => {
    expect((await get('/api/greet/Ada', { authorization: 'Bearer old' })).status).toBe(200)
    expect(await problemOf(await get('/api/half-open', { authorization: 'Bearer old' }))).toMatchObject({
      code: 'token-expired',
    })
    expect(await problemOf(await get('/api/half-open'))).toMatchObject({ code: 'token-missing' })
  })
})

describe('a failed request', () => {
  test('an expected error is returned with all details', async () => {
    const answer = await get('/api/refused')
    expect(answer.status).toBe(409)
    expect(await problemOf(answer)).toEqual({
      code: 'version-conflict',
      title: 'Version conflict',
      status: 409,
      detail: 'Somebody was faster.',
      current: { version: 3 },
      requestId: answer.headers.get('x-request-id'),
    })
  })

  test('an unexpected error returns only a request ID, and its cause is logged', async () => {
    const answer = await get('/api/broken')
    const text = await answer.text()
    expect(answer.status).toBe(500)
    expect(text).not.toContain('hunter2')
    const { requestId } = JSON.parse(text) as { requestId: string }
    const line = logged.split('\n').find((one) => one.includes(requestId) && one.includes('hunter2'))
    expect(line).toBeDefined()
  })

  test('an error in the URL is reported as a client error', async () => {
    expect((await get('/api/greet/%ZZ')).status).toBe(400)
    expect((await get(`/api/greet/${'x'.repeat(600)}`)).status).toBe(404)
  })
})

describe('a request URL', () => {
  test("returns not found if it doesn't exist in the API, never the page", async () => {
    const answer = await get('/api/nothing', { accept: 'text/html' })
    expect([answer.status, (await problemOf(answer))['code']]).toEqual([404, 'not-found'])
    expect((await get('/api')).status).toBe(404)
  })

  test('lists the allowed methods if the method is not supported', async () => {
    const answer = await fetch(`${url}/api/greet/Ada`, { method: 'DELETE' })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET')
  })

  test('echoes nothing when requested with TRACE', async () => {
    const { statusCode, payload } = await app.inject({
      method: 'TRACE',
      url: '/api/greet/Ada',
      headers: { 'x-mine': 'a secret' },
    })
    expect([statusCode, payload.includes('a secret')]).toEqual([405, false])
  })

  test('returns the page with a fresh nonce in its policy and script tag', async () => {
    const pages = await Promise.all(['/', '/setup?code=abc', '/collections/films/01abc'].map((path) => get(path)))
    const nonces = new Set<string>()
    for (const page of pages) {
      expect(page.status).toBe(200)
      expect(page.headers.get('cache-control')).toBe('no-cache')
      expect(page.headers.get('etag')).toBeNull()
      const nonce = /<meta name="csp-nonce" content="([\w-]+)">/.exec(await page.text())?.[1] ?? ''
      expect(page.headers.get('content-security-policy')).toContain(`style-src-elem 'self' 'nonce-${nonce}'`)
      nonces.add(nonce)
    }
    expect(nonces.size).toBe(3)
  })

  test("returns the page in the selected language, or otherwise in the browser's", async () => {
    const said = async (headers: Record<string, string>) => {
      const page = await get('/', headers)
      expect(page.headers.get('vary')).toBe('Accept-Language, Cookie')
      return /<p>(.*)<\/p>/.exec(await page.text())?.[1]
    }
    expect(await said({ 'accept-language': 'de-CH,de;q=0.9,en;q=0.8' })).toBe('die Seite')
    expect(await said({ 'accept-language': 'fr' })).toBe('the page')
    expect(await said({ 'accept-language': 'en', cookie: 'language=de' })).toBe('die Seite')
    expect(await said({ 'accept-language': 'de', cookie: 'language=en' })).toBe('the page')
    // Over HTTPS, a `__Host-` cookie takes precedence over cookies set by sibling domains.
    expect(await said({ cookie: '__Host-language=de' })).toBe('die Seite')
    expect(await said({ cookie: 'language=en; __Host-language=de' })).toBe('die Seite')
    // Unsupported languages fall back to English.
    expect(await said({ cookie: 'language=ar' })).toBe('the page')
    expect(await said({ 'accept-language': 'de', cookie: 'language=../../x' })).toBe('die Seite')
  })

  test('is immutable and compressed for a file with a hashed name', async () => {
    const answer = await get('/assets/main-abc123.js', { 'accept-encoding': 'br' })
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('content-encoding')).toBe('br')
    expect(await answer.text()).toBe('let a = 1')
    expect((await get('/favicon.svg')).headers.get('cache-control')).toBe('no-cache')
  })

  test('returns not found for a missing file and for any file outside the public folder', async () => {
    for (const path of ['/assets/gone.js', '/assets/', '/robots.txt', '/assets/..%2f..%2fpackage.json']) {
      expect((await get(path)).status).toBe(404)
    }
    // Browsers resolve these paths themselves.
    for (const path of ['/assets/../package.json', '/assets/%2e%2e/package.json', '/assets/a%00b.js']) {
      const [answer] = await once(rawRequest(url + '/', { path }).end(), 'response')
      expect([path, answer.resume().statusCode]).toEqual([path, 404])
    }
  })
})

describe('the log', () => {
  test('never contains queries, tokens, cookies or bodies', async () => {
    const secret = 'a-secret-nobody-may-read'
    await get(`/api/greet/Ada?loud=${secret}`, {
      authorization: `Bearer ${secret}`,
      cookie: `dossier_refresh=${secret}`,
    })
    await post('/api/numbers', `{"amount":"${secret}"}`)
    expect(logged).toContain('/api/greet/Ada')
    expect(logged).not.toContain(secret)
  })

  test('includes the user of each request, even if it is forbidden', async () => {
    const ask = async (headers: Record<string, string>) => {
      const { status, headers: said } = await fetch(`${url}/api/manage`, { method: 'POST', headers })
      const ofIt = logged.split('\n').filter((line) => line.includes(`${said.get('x-request-id')}`))
      return { status, line: JSON.parse(ofIt.find((line) => line.includes('"answered"')) ?? '{}') }
    }
    expect(await ask({ authorization: 'Bearer viewer' })).toMatchObject({
      status: 403,
      line: { status: 403, user: 'u', path: '/api/manage' },
    })
    const guest = await ask({})
    expect(guest).toMatchObject({ status: 401, line: { status: 401 } })
    expect(guest.line).not.toHaveProperty('user')
  })
})
