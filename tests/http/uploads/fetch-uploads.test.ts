import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type RemoteClient, remoteClient } from '#server/files/remote/remote-client.ts'
import { EVENTUALLY } from '#tests/support/clock/eventually.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

const bytes = randomBytes(20_000)
const PUBLIC = '93.184.216.34'

/** Host names that the test's DNS resolver knows. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'files.example': [PUBLIC],
  'inside.example': ['10.0.0.7'],
  'both.example': [PUBLIC, '127.0.0.1'],
  'nowhere.example': [],
}

let app: TestApp
let elsewhere: Server
let port: number
let owner: Caller
const requested: string[] = []
/** Responses that stay open until a test closes them. */
const held: ServerResponse[] = []

/** The external server runs on this machine; only the HTTP client of this test can reach it. */
function answer({ url: path = '' }: IncomingMessage, reply: ServerResponse): void {
  const to = /^\/to\/(.*)$/.exec(path)?.[1]
  if (to !== undefined) reply.writeHead(302, { location: decodeURIComponent(to) }).end()
  else if (path.startsWith('/round/')) reply.writeHead(301, { location: `/round/${Number(path.slice(7)) + 1}` }).end()
  else if (path.startsWith('/held/')) held.push(reply)
  else if (path === '/secret') reply.writeHead(401).end('the secret page')
  else if (path === '/packed') reply.writeHead(200, { 'content-encoding': 'gzip' }).end('x')
  else if (path === '/cut') {
    reply.writeHead(200, { 'content-length': '100000' }).write(bytes)
    setImmediate(() => reply.destroy())
  } else reply.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes)
}

const remote: RemoteClient = {
  resolve: async (name) => NAMES[name] ?? [name],
  ask: (url, address, signal) => {
    requested.push(`${url.href} at ${address}`)
    return remoteClient.ask(new URL(`${url.pathname}${url.search}`, `http://127.0.0.1:${port}`), '127.0.0.1', signal)
  },
}

beforeAll(async () => {
  elsewhere = createServer(answer).listen(0, '127.0.0.1')
  await once(elsewhere, 'listening')
  port = (elsewhere.address() as AddressInfo).port
  app = await openTestApp({ remote })
  Object.assign(app.config, { fetchesUploads: true })
  owner = await app.asOwner()
  await owner.post('/api/collections', {
    label: 'Plans',
    fields: [
      { label: 'Files', kind: 'files', options: { maxBytes: 50_000 } },
      { label: 'Pictures', kind: 'files', options: { accept: ['image/*'] } },
    ],
  })
})
afterAll(async () => {
  await app.close()
  elsewhere.close()
})

const path = (address: string, field = 'files') =>
  `/api/uploads?${new URLSearchParams({ fetch: address, collection: 'plans', field }).toString()}`
const fetched = async (address: string, field?: string, who = owner) => who.get(path(address, field))

describe('a file fetched from a URL', () => {
  test('becomes an upload that can be attached', async () => {
    requested.length = 0
    const got = await fetched('https://files.example/plans/%C3%9Cberblick%20100%25.bin')
    expect([got.status, got.headers['content-length']]).toEqual([200, '20000'])
    expect(got.headers['content-disposition']).toContain("filename*=UTF-8''%C3%9Cberblick%20100%25.bin")
    const id = String(got.headers['x-content-transfer-id'])
    expect((await owner.post('/api/collections/plans/records', { values: { files: [id] } })).status).toBe(201)
    expect(requested).toEqual([`https://files.example/plans/%C3%9Cberblick%20100%25.bin at ${PUBLIC}`])
  })

  test('can also be requested with HEAD', async () => {
    const got = await owner.request('HEAD', path('https://files.example/a.bin'))
    expect([got.status, got.headers['content-length'], got.text]).toEqual([200, '20000', ''])
    const restored = await owner.get(`/api/uploads?restore=${String(got.headers['x-content-transfer-id'])}`)
    expect(restored.status).toBe(200)
  })

  test('is fetched through redirects, and each target is checked', async () => {
    const to = (address: string) => `http://files.example/to/${encodeURIComponent(address)}`
    expect((await fetched(to('https://files.example/a.bin'))).status).toBe(200)
    for (const inside of [
      'http://inside.example/',
      'http://127.0.0.1/',
      '//127.0.0.1/',
      '\\\\127.0.0.1\\',
      'http://169.254.169.254/latest/meta-data/',
      'http://[::ffff:127.0.0.1]/',
      'http://[::ffff:169.254.169.254]/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://0177.0.0.1/',
      'http://files.example@127.0.0.1/',
      'http://both.example/',
      'gopher://files.example/_x',
      'file:///etc/passwd',
      'data:text/plain,x',
      'http://files.example:22/',
    ]) {
      for (const scheme of ['http', 'https']) {
        const address = to(inside).replace('http', scheme)
        requested.length = 0
        expect((await fetched(address)).status, inside).toBe(400)
        expect(requested, inside).toEqual([`${address} at ${PUBLIC}`])
      }
    }
    requested.length = 0
    expect((await fetched('http://files.example/round/1')).status).toBe(400)
    expect(requested).toHaveLength(4)
  })
})

describe('no request is sent', () => {
  test.each([
    'http://inside.example/',
    'http://both.example/',
    'http://nowhere.example/',
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://169.254.169.254/',
    'http://[64:ff9b::7f00:1]/',
    'ftp://files.example/',
    'file:///etc/passwd',
    'javascript:1',
    'nonsense',
    '',
    'http://me:secret@files.example/',
    'http://files.example:8080/',
    'https://files.example:22/',
  ])('at “%s”', async (address) => {
    requested.length = 0
    for (const method of ['GET', 'HEAD']) expect((await owner.request(method, path(address))).status).toBe(400)
    expect(requested).toEqual([])
  })

  test('without permission or an upload target', async () => {
    requested.length = 0
    expect((await fetched('http://files.example/', 'files', await app.asViewer())).status).toBe(403)
    expect((await owner.get('/api/uploads?fetch=http://files.example/')).body.code).toBe('upload-target-missing')
    expect((await app.guest.get(path('http://files.example/'))).status).toBe(401)
    expect(requested).toEqual([])
  })

  test('if fetching from URLs is turned off', async () => {
    Object.assign(app.config, { fetchesUploads: false })
    requested.length = 0
    expect((await fetched('http://files.example/a.bin')).status).toBe(403)
    expect((await owner.request('HEAD', path('http://files.example/a.bin'))).status).toBe(403)
    expect(requested).toEqual([])
    Object.assign(app.config, { fetchesUploads: true })
  })
})

test('all remote errors return the same message', async () => {
  const answers = await Promise.all(
    ['http://files.example/secret', 'http://inside.example/'].map(async (address) => (await fetched(address)).body),
  )
  expect(answers.map(({ detail }) => detail)).toEqual([answers[0].detail, answers[0].detail])
  expect(JSON.stringify(answers)).not.toContain('secret page')
  expect((await fetched('http://files.example/packed')).status).toBe(400)
  expect((await fetched('http://files.example/cut')).body.code).toBe('invalid-upload')
})

test('the file rules of the field apply to fetched files', async () => {
  expect((await fetched('http://files.example/a.png', 'pictures')).body.code).toBe('file-type-refused')
})

test('a user can fetch two files at a time', async () => {
  const both = [1, 2].map((each) => fetched(`http://files.example/held/${each}`))
  await vi.waitFor(() => expect(held).toHaveLength(2), EVENTUALLY)
  expect((await fetched('http://files.example/3')).status).toBe(429)
  for (const reply of held) reply.end(bytes)
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200])
})

test('the IP address that was checked is used for the request, without another DNS lookup', async () => {
  const url = new URL(`http://nowhere.invalid:${port}/a.bin`)
  const { status, body } = await remoteClient.ask(url, '127.0.0.1', AbortSignal.timeout(5000))
  body.destroy()
  expect(status).toBe(200)
})
