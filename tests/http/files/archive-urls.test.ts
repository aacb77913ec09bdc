import { randomBytes } from 'node:crypto'
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { type BrowserSession, browserSessionOf } from '#tests/support/browser/browser-session.ts'
import { readZip } from '#tests/support/files/read-zip.ts'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { tusSender } from '#tests/support/files/tus-sender.ts'

let app: TestApp
let url: string
let owner: Caller
let collection: { readonly id: string }
const records = '/api/collections/plans/records'
const ofList = '/api/collections/plans/archive'
const sockets: Socket[] = []

beforeAll(async () => {
  app = await openTestApp()
  app.app.server.on('connection', (socket: Socket) => void sockets.push(socket))
  url = await app.listen()
  owner = await app.asOwner()
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Files', kind: 'files' },
  ]
  collection = (await owner.post('/api/collections', { label: 'Plans', fields, titleField: 'title' })).body
})
afterAll(() => app.close())

const codeOf = ({ status, body }: Answer) => `${status} ${body?.code ?? ''}`.trim()
const REFUSED = '403 forbidden'

/** Creates a record with files that have the given contents; returns the record's ID. */
async function aRecord(title: string, ...contents: readonly Buffer[]): Promise<string> {
  const sender = tusSender(url, owner)
  const files: string[] = []
  for (const [at, bytes] of contents.entries())
    files.push(await sender.send({ collection: 'plans', field: 'files' }, bytes, `${at + 1}.bin`))
  const made = await owner.post(records, { values: { title, files } })
  expect(made.status, made.text).toBe(201)
  return made.body.id
}

const words = (text: string): Buffer => Buffer.from(text)

/** The archive URL that the API returns to a browser session. */
async function addressOf(record: string, { page }: Pick<BrowserSession, 'page'>): Promise<string> {
  const { status, text, body } = await page.get(`${records}/${record}/archive?field=files`)
  expect(status, text).toBe(200)
  return body.url
}

/** Requests a URL as a browser does when a link is clicked. */
const followed = (address: string, cookie?: string): Promise<Answer> =>
  app.guest.get(address, cookie === undefined ? {} : { cookie })

async function unzipped(address: string, init: RequestInit): Promise<readonly string[]> {
  const answer = await fetch(url + address, init)
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(answer.status, bytes.subarray(0, 500).toString()).toBe(200)
  return readZip(bytes).map(({ path }) => path)
}

const asForm = (cookie: string, requested: unknown): RequestInit => ({
  method: 'POST',
  headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ asked: JSON.stringify(requested) }),
})

const granted = async (grants: () => readonly Grant[]): Promise<BrowserSession> =>
  browserSessionOf(app, (await app.asGranted(grants)).userId)

describe('an archive URL', () => {
  test("works with the browser's cookie and reports the file count and size", async () => {
    const { page, cookie } = await browserSessionOf(app, owner.userId)
    const record = await aRecord('Bridge', words('one'), words('other'))
    const { body } = await page.get(`${records}/${record}/archive`)
    expect(body).toMatchObject({ files: 2, bytes: expect.any(Number) })
    expect(await unzipped(body.url, { headers: { cookie } })).toEqual(['1.bin', '2.bin'])
    const { headers } = await followed(body.url, cookie)
    expect(headers['content-length']).toBe(String(body.bytes))
    expect(headers['cache-control']).toBe('no-store')
  })

  test('accepts selected record IDs as form data', async () => {
    const { page, cookie } = await browserSessionOf(app, owner.userId)
    const [kept, left] = [await aRecord('Shelf, kept', words('kept')), await aRecord('Shelf, left', words('left'))]
    for (const [requested, expected] of [
      [{ only: [kept] }, ['Shelf, kept/1.bin']],
      [{ filter: 'title ^= "Shelf"', except: [left] }, ['Shelf, kept/1.bin']],
    ] as const) {
      const { body } = await page.post(ofList, requested)
      expect(body.files).toBe(1)
      expect(await unzipped(body.url, asForm(cookie, requested))).toEqual(expected)
    }
    const { body } = await page.post(ofList, { only: [kept] })
    for (const form of [asForm(cookie, { nobody: 'asks' }), { ...asForm(cookie, {}), body: 'asked=%7B' }])
      expect((await fetch(url + body.url, form)).status).toBe(400)
  })

  test('works only for its user and its archive, and only for five minutes', async () => {
    const mine = await browserSessionOf(app, owner.userId)
    const others = await browserSessionOf(app, (await app.asOwner()).userId)
    const [record, other] = [await aRecord('Mine', words('mine')), await aRecord('Other', words('other'))]
    const address = await addressOf(record, mine)
    expect(codeOf(await followed(address))).toBe('401 token-missing')
    expect(codeOf(await followed(address, others.cookie))).toBe(REFUSED)
    expect(codeOf(await followed(address.replace(record, other), mine.cookie))).toBe(REFUSED)
    expect(codeOf(await followed(address.replace(/expires=\d/, 'expires=9'), mine.cookie))).toBe(REFUSED)
    expect(codeOf(await followed(address.replace(/\?.*/, ''), mine.cookie))).toBe('401 token-missing')
    const list = (await mine.page.post(ofList, {})).body.url
    const stolen = await fetch(url + list, asForm(others.cookie, {}))
    expect(stolen.status).toBe(403)
    app.clock.move(5 * 60 * 1000 + 1000)
    expect(codeOf(await followed(address, mine.cookie))).toBe(REFUSED)
  })

  test('expires when the permission is revoked or the session ends', async () => {
    let grants: readonly Grant[] = [{ permission: 'records:read', collection: collection.id }]
    const someone = await granted(() => grants)
    const record = await aRecord('Theirs', words('theirs'))
    const address = await addressOf(record, someone)
    expect((await followed(address, someone.cookie)).status).toBe(200)
    expect((await someone.page.post(ofList, {})).status).toBe(403)
    grants = []
    expect(codeOf(await followed(address, someone.cookie))).toBe(REFUSED)
    grants = [{ permission: 'records:read', collection: collection.id }]
    await someone.page.post('/api/auth/logout')
    expect(codeOf(await followed(address, someone.cookie))).toBe('401 session-ended')
  })

  test('is not created if the archive is too large, and the error explains why', async () => {
    const record = await aRecord('Huge', words('film'), words('films'))
    const { values } = (await owner.get(`${records}/${record}`)).body
    await app.database.write(({ db }) =>
      db.updateTable('assets').set({ bytes: 60_000_000_000 }).where('id', 'in', values.files).execute(),
    )
    for (const answer of [
      await owner.get(`${records}/${record}/archive`),
      await owner.post(ofList, { only: [record] }),
    ]) {
      expect(codeOf(answer)).toBe('413 too-large')
      expect(answer.body.detail).toBe(
        'These files total 120 GB; an archive can be at most 100 GB. Select fewer records.',
      )
    }
  })
})

/** Starts reading an archive and pauses after the first bytes. */
const begun = (address: string, cookie: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const asking = request(url + address, { headers: { cookie }, agent: false }, (answer) => {
      answer.once('data', () => {
        answer.pause()
        resolve(answer)
      })
    })
    asking.on('error', reject).end()
  })

/** Reads the rest of the response; returns its size in bytes and whether it was complete. */
async function readOn(answer: IncomingMessage): Promise<{ readonly bytes: number; readonly isWhole: boolean }> {
  let bytes = 0
  answer.on('data', (part: Buffer) => void (bytes += part.length)).resume()
  await new Promise((resolve) => answer.on('error', () => undefined).once('close', resolve))
  return { bytes, isWhole: answer.complete }
}

/** Returns the number of bytes sent to a client that doesn't read, once the number has stopped growing. */
async function leftFor(socket: Socket): Promise<number> {
  let before = -1
  await expect
    .poll(
      () => {
        const isResting = socket.bytesWritten === before
        before = socket.bytesWritten
        return isResting
      },
      { interval: 200, timeout: 20_000 },
    )
    .toBe(true)
  return socket.bytesWritten
}

describe('an archive sent to a slow client', () => {
  const PART = 8_000_000
  let record: string
  beforeAll(async () => {
    record = await aRecord('Large', ...Array.from({ length: 8 }, () => randomBytes(PART)), words('the last'))
  })

  test('is read from storage only as fast as the client receives it', async () => {
    const someone = await browserSessionOf(app, owner.userId)
    const address = await addressOf(record, someone)
    const answer = await begun(address, someone.cookie)
    const socket = sockets.at(-1)
    if (!socket) throw new Error('Nobody has connected.')
    // The operating system buffers several MB on both sides; the server process buffers almost nothing.
    expect(await leftFor(socket)).toBeLessThan(4 * PART)
    expect(socket.writableLength).toBeLessThan(1_000_000)
    const { isWhole } = await readOn(answer)
    expect(isWhole).toBe(true)
  })

  test('is aborted when its permission is revoked, so that clients detect the partial file', async () => {
    let grants: readonly Grant[] = [{ permission: 'records:read', collection: collection.id }]
    const someone = await granted(() => grants)
    const answer = await begun(await addressOf(record, someone), someone.cookie)
    grants = []
    const { bytes, isWhole } = await readOn(answer)
    expect(isWhole).toBe(false)
    expect(bytes).toBeLessThan(8 * PART)
  })
})
