import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { type TusSender, tusSender } from '#tests/support/files/tus-sender.ts'

let app: TestApp
let owner: Caller
let one: TusSender
let other: TusSender
let end: () => Promise<void>
const target = { collection: 'plans', field: 'files' }

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  await owner.post('/api/collections', { label: 'Plans', fields: [{ label: 'Files', kind: 'files' }] })
  one = tusSender(await app.listen(), owner)
  const another = await app.startAnother()
  other = tusSender(await another.listen(), owner)
  end = another.stop
})
afterAll(async () => {
  await end()
  await app.close()
})

const bytesOf = async (id: string): Promise<Buffer> =>
  Buffer.from(
    (await app.app.inject({ url: `/api/files/${id}`, headers: { authorization: `Bearer ${owner.token}` } })).rawPayload,
  )

test('chunks of a file can be sent alternately to two servers', async () => {
  const bytes = randomBytes(50_000)
  const id = await one.begin(target, bytes.length)
  for (const [at, sender] of [one, other, other, one, other].entries()) {
    expect((await sender.patch(id, at * 10_000, bytes.subarray(at * 10_000, at * 10_000 + 10_000))).status).toBe(204)
  }
  expect((await bytesOf(id)).equals(bytes)).toBe(true)
})

test('if two servers receive the same chunk, only one stores it and the file is complete', async () => {
  for (let round = 0; round < 5; round += 1) {
    const bytes = randomBytes(60_000)
    const id = await one.begin(target, bytes.length)
    for (let offset = 0; offset < bytes.length; offset += 20_000) {
      const chunk = bytes.subarray(offset, offset + 20_000)
      const answers = await Promise.all([one, other].map((sender) => sender.patch(id, offset, chunk)))
      const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
      expect([
        [204, 409],
        [204, 410],
        [200, 204],
      ]).toContainEqual(statuses)
    }
    expect((await bytesOf(id)).equals(bytes)).toBe(true)
  }
})
