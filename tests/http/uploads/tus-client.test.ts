import { createHash, randomBytes } from 'node:crypto'
import { type HttpRequest, Upload, type UploadOptions } from 'tus-js-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { UPLOAD } from '#domain/specification.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let url: string
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  url = await app.listen()
  owner = await app.asOwner()
  await owner.post('/api/collections', { label: 'Plans', fields: [{ label: 'Files', kind: 'files' }] })
})
afterAll(() => app.close())

/** The same options as in the web app. */
const options = (): UploadOptions => ({
  endpoint: `${url}/api/tus?collection=plans&field=files`,
  chunkSize: UPLOAD.chunkBytes,
  retryDelays: [...UPLOAD.chunkRetryDelaysMs],
  metadata: { name: 'Überblick.bin', type: 'application/octet-stream' },
  headers: { authorization: `Bearer ${owner.token}` },
})

/** Uploads the complete file; returns the upload URL. */
function send(bytes: Buffer, more: Partial<UploadOptions> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const upload = new Upload(bytes, {
      ...options(),
      ...more,
      onError: reject,
      onSuccess: () => resolve(upload.url ?? ''),
    })
    upload.start()
  })
}

const idOf = (address: string): string => address.split('/').at(-1) ?? ''

async function fileOf(address: string): Promise<{ readonly bytes: Buffer; readonly disposition: string | null }> {
  const answer = await fetch(`${url}/api/files/${idOf(address)}`, {
    headers: { authorization: `Bearer ${owner.token}` },
  })
  return { bytes: Buffer.from(await answer.arrayBuffer()), disposition: answer.headers.get('content-disposition') }
}

test('tus-js-client uploads a file in chunks with a Unicode name', async () => {
  const bytes = randomBytes(12_000_000)
  const address = await send(bytes)
  expect(address).toMatch(/\/api\/tus\/[0-9a-z]{26}$/)
  const file = await fileOf(address)
  expect(file.bytes.equals(bytes)).toBe(true)
  expect(file.disposition).toContain("UTF-8''%C3%9Cberblick.bin")
})

test('tus-js-client uploads a file in one request', async () => {
  const bytes = randomBytes(3_000_000)
  const address = await send(bytes, { chunkSize: Number.POSITIVE_INFINITY, uploadDataDuringCreation: true })
  expect((await fileOf(address)).bytes.equals(bytes)).toBe(true)
})

test('tus-js-client resumes an interrupted upload', async () => {
  const bytes = randomBytes(2_000_000)
  const address = await new Promise<string>((resolve, reject) => {
    const upload = new Upload(bytes, {
      ...options(),
      chunkSize: 500_000,
      onError: reject,
      onChunkComplete: (_size, sent) => {
        if (sent >= 1_000_000) void upload.abort().then(() => resolve(upload.url ?? ''), reject)
      },
    })
    upload.start()
  })
  const resumed = await send(bytes, { uploadUrl: address, chunkSize: 500_000 })
  expect(resumed).toBe(address)
  expect((await fileOf(address)).bytes.equals(bytes)).toBe(true)
})

test('tus-js-client terminates an upload and leaves no data', async () => {
  const bytes = randomBytes(1_000_000)
  const address = await new Promise<string>((resolve, reject) => {
    const upload = new Upload(bytes, {
      ...options(),
      chunkSize: 300_000,
      onError: reject,
      onChunkComplete: () => void upload.abort(true).then(() => resolve(upload.url ?? ''), reject),
    })
    upload.start()
  })
  const rows = await app.database.read.selectFrom('uploads').select('id').execute()
  expect(rows.map(({ id }) => id)).not.toContain(idOf(address))
})

const CHUNK = 500_000

/** Adds a checksum to each chunk; `spoil` can replace it with a wrong one. */
const summing = (bytes: Buffer, spoil: (sum: string) => string) => (request: HttpRequest) => {
  if (request.getMethod() !== 'PATCH') return
  const from = Number(request.getHeader('Upload-Offset'))
  const sum = createHash('sha1')
    .update(bytes.subarray(from, from + CHUNK))
    .digest('base64')
  request.setHeader('Upload-Checksum', `sha1 ${spoil(sum)}`)
}

type Answered = NonNullable<UploadOptions['onAfterResponse']>

/** Records requests and their response statuses. */
function noting(): { readonly requested: string[]; readonly onAfterResponse: Answered } {
  const requested: string[] = []
  return {
    requested,
    onAfterResponse: (request, response) => void requested.push(`${request.getMethod()} ${response.getStatus()}`),
  }
}

test('tus-js-client sends a chunk with a wrong checksum again once', async () => {
  const bytes = randomBytes(3 * CHUNK)
  const { requested, onAfterResponse } = noting()
  let sums = 0
  const address = await send(bytes, {
    chunkSize: CHUNK,
    retryDelays: [0, 10, 20],
    onBeforeRequest: summing(bytes, (sum) => ((sums += 1) === 2 ? createHash('sha1').digest('base64') : sum)),
    onAfterResponse,
    // By default, tus-js-client doesn't retry 4xx statuses except 409 and 423.
    onShouldRetry: ({ originalResponse }) => originalResponse?.getStatus() === 460,
  })
  expect(requested).toEqual(['POST 201', 'PATCH 204', 'PATCH 460', 'HEAD 200', 'PATCH 204', 'PATCH 204'])
  expect((await fileOf(address)).bytes.equals(bytes)).toBe(true)
})

test("tus-js-client without retries doesn't lose earlier chunks after a wrong checksum", async () => {
  const bytes = randomBytes(2 * CHUNK)
  const { requested, onAfterResponse } = noting()
  let address = ''
  let sums = 0
  const sum = summing(bytes, (right) => ((sums += 1) === 2 ? createHash('sha1').digest('base64') : right))
  const sending = send(bytes, {
    chunkSize: CHUNK,
    onBeforeRequest: (request) => {
      if (request.getMethod() === 'PATCH') address = request.getURL()
      sum(request)
    },
    onAfterResponse,
  })
  await expect(sending).rejects.toThrow('460')
  expect(requested).toEqual(['POST 201', 'PATCH 204', 'PATCH 460'])
  const resumed = await send(bytes, { uploadUrl: address, chunkSize: CHUNK, onBeforeRequest: summing(bytes, String) })
  expect(resumed).toBe(address)
  expect((await fileOf(address)).bytes.equals(bytes)).toBe(true)
})
