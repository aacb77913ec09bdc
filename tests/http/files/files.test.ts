import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleImage, decompressionBomb, rotatedPhoto } from '#tests/support/files/image-samples.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { type TusSender, tusSender } from '#tests/support/files/tus-sender.ts'

let app: TestApp
let url: string
let owner: Caller
let mine: TusSender
const target = { collection: 'plans', field: 'files' }
const records = '/api/collections/plans/records'

beforeAll(async () => {
  app = await openTestApp()
  url = await app.listen()
  owner = await app.asOwner()
  mine = tusSender(url, owner)
  await owner.post('/api/collections', { label: 'Plans', fields: [{ label: 'Files', kind: 'files' }] })
})
afterAll(() => app.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(url + path, { headers: { authorization: `Bearer ${owner.token}`, ...headers } })

const read = (id: string, headers: Record<string, string> = {}, query = '') => get(`/api/files/${id}${query}`, headers)

/** Creates a record with a file; returns the file as contained in the record. */
async function attached(bytes: Buffer, name: string, type = '') {
  const id = await mine.send(target, bytes, name, type)
  const made = await owner.post(records, { values: { files: [id] } })
  expect(made.status, made.text).toBe(201)
  const shown = await owner.get(`${records}/${made.body.id}?expand=files`)
  const [file] = shown.body.values.files
  return file as {
    id: string
    url: string
    thumbUrl: string | null
    width: number
    height: number
    type: string
    name: string
  }
}

test("returns a record's files with current names to its readers", async () => {
  const file = await attached(Buffer.from('here'), 'here.txt')
  const place = await owner.get(`/api/files/${file.id}/place`)
  const record = place.body.record
  expect(place.body).toEqual({ collection: 'plans', record: expect.any(String), field: 'files' })
  expect((await owner.get(`${records}/${record}`)).body.values.files).toEqual([file.id])
  expect((await app.guest.get(`/api/files/${file.id}/place`)).status).toBe(401)
  const nobody = await app.asGranted([])
  expect((await nobody.get(`/api/files/${file.id}/place`)).status).toBe(404)
  expect((await owner.get(`/api/files/${await mine.send(target, Buffer.from('loose'), 'loose')}/place`)).status).toBe(
    404,
  )
  await owner.delete(`${records}/${record}`)
  expect((await owner.get(`/api/files/${file.id}/place`)).status).toBe(404)
})

describe('a file', () => {
  const bytes = randomBytes(100_000)
  let id: string
  beforeAll(async () => {
    id = await mine.send(target, bytes, 'Plan ü 100%.bin')
  })

  test('is sent with its length, an ETag and headers that prevent execution', async () => {
    const answer = await read(id)
    expect(answer.status).toBe(200)
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes)
    const { headers } = answer
    expect(headers.get('content-length')).toBe('100000')
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="Plan _ 100_.bin"; filename*=UTF-8''Plan%20%C3%BC%20100%25.bin`,
    )
  })

  test('supports byte ranges', async () => {
    for (const [range, from, to] of [
      ['bytes=0-0', 0, 1],
      ['bytes=10-19', 10, 20],
      ['bytes=99990-', 99_990, 100_000],
      ['bytes=-5', 99_995, 100_000],
      ['bytes=99999-200000', 99_999, 100_000],
    ] as const) {
      const answer = await read(id, { range })
      expect([range, answer.status, answer.headers.get('content-range')]).toEqual([
        range,
        206,
        `bytes ${from}-${to - 1}/100000`,
      ])
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes.subarray(from, to))
    }
  })

  test('rejects a range that starts after the end of the file', async () => {
    const answer = await read(id, { range: 'bytes=100000-' })
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */100000'])
    expect((await answer.json()).code).toBe('range-not-satisfiable')
  })

  test('is sent in full if the requested range refers to an older version', async () => {
    const tag = (await read(id)).headers.get('etag') ?? ''
    expect((await read(id, { range: 'bytes=0-1', 'if-range': tag })).status).toBe(206)
    expect((await read(id, { range: 'bytes=0-1', 'if-range': '"older"' })).status).toBe(200)
  })

  test('responds with 304 to clients that have a cached copy', async () => {
    const tag = (await read(id)).headers.get('etag') ?? ''
    const answer = await read(id, { 'if-none-match': `"x", ${tag}` })
    expect([answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([304, '', tag])
  })

  test('responds to HEAD without a body', async () => {
    const answer = await fetch(`${url}/api/files/${id}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${owner.token}` },
    })
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '100000', ''])
  })

  test('treats hidden files as missing, and requires guests to sign in', async () => {
    const unknown = await read('0'.repeat(26))
    expect([unknown.status, (await unknown.json()).code]).toEqual([404, 'not-found'])
    expect((await read('..%2F..%2Fetc%2Fpasswd')).status).toBe(404)
    expect((await fetch(`${url}/api/files/${id}`)).status).toBe(401)
  })

  test('displays only safe types inline', async () => {
    const cases = [
      [await sampleImage(2, 2), 'a.png', 'image/png', 'inline'],
      [Buffer.from('%PDF-1.7\n'), 'a.pdf', 'application/pdf', 'inline'],
      [Buffer.from('<script>alert(1)</script>'), 'a.html', 'text/plain; charset=utf-8', 'attachment'],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'a.svg', 'image/svg+xml', 'attachment'],
      [Buffer.from('a;b\n1;2\n'), 'a.csv', 'text/csv; charset=utf-8', 'attachment'],
      [Buffer.from('<script>alert(1)</script>'), 'a.png', 'text/plain; charset=utf-8', 'inline'],
    ] as const
    for (const [content, name, type, disposition] of cases) {
      const { headers } = await read(await mine.send(target, content, name, 'image/png'))
      expect([name, headers.get('content-type')]).toEqual([name, type])
      expect(headers.get('content-disposition')).toBe(`${disposition}; filename=${name}`)
    }
    const saved = await read(await mine.send(target, await sampleImage(2, 2), 'a.png'), {}, '?download')
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment/)
  })
})

describe('an image', () => {
  const measuresOf = async (answer: Response) => {
    const { width, height, format, exif } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    return { width, height, format, hasMetadata: exif !== undefined }
  }

  test('has correctly rotated thumbnails without metadata', async () => {
    const file = await attached(await rotatedPhoto(2000, 1000), 'holiday.jpg')
    expect(file).toMatchObject({ type: 'image/jpeg', width: 1000, height: 2000 })
    const small = await get(file.thumbUrl ?? '')
    expect(small.headers.get('content-type')).toBe('image/webp')
    expect(await measuresOf(small)).toEqual({ width: 240, height: 480, format: 'webp', hasMetadata: false })
    for (const width of [96, 640]) {
      expect(await measuresOf(await read(file.id, {}, `?w=${width}`))).toMatchObject({ width, height: width * 2 })
    }
    expect(await measuresOf(await read(file.id))).toMatchObject({ format: 'jpeg', width: 2000, hasMetadata: true })
  })

  test('is never enlarged, and unsupported widths are rejected', async () => {
    const file = await attached(await sampleImage(100, 50), 'a.png')
    expect(await measuresOf(await read(file.id, {}, '?w=1600'))).toMatchObject({ width: 100, height: 50 })
    expect((await read(file.id, {}, '?w=97')).status).toBe(400)
  })

  test('generates one thumbnail for concurrent requests, with its own ETag', async () => {
    const file = await attached(await sampleImage(3000, 2000, 'jpeg'), 'a.jpg')
    const answers = await Promise.all(Array.from({ length: 10 }, () => read(file.id, {}, '?w=640')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const tags = new Set(answers.map(({ headers }) => headers.get('etag')))
    expect(tags.size).toBe(1)
    expect((await read(file.id)).headers.get('etag')).not.toBe([...tags][0])
    expect((await read(file.id, { 'if-none-match': [...tags][0] ?? '' }, '?w=640')).status).toBe(304)
  })

  test('other files have no thumbnails', async () => {
    const file = await attached(Buffer.from('only text'), 'a.txt')
    expect(file).toMatchObject({ thumbUrl: null, width: null, height: null })
    expect((await read(file.id, {}, '?w=240')).status).toBe(404)
  })

  test('is rejected as a decompression bomb before it is decoded', async () => {
    const trap = decompressionBomb(16_383)
    expect(trap.length).toBeLessThan(40_000)
    const id = await mine.begin(target, trap.length, 'trap.png')
    const answer = await mine.patch(id, 0, trap)
    expect([answer.status, (await answer.json()).code]).toEqual([422, 'file-type-refused'])
    expect((await read(id)).status).toBe(404)
  })

  test('is stored as a regular file if it is damaged', async () => {
    const whole = await sampleImage(500, 500, 'jpeg')
    const file = await attached(whole.subarray(0, 200), 'torn.jpg')
    expect(file.type).toBe('image/jpeg')
    expect((await read(file.id)).status).toBe(200)
    expect([200, 404]).toContain((await read(file.id, {}, '?w=240')).status)
  })
})
