import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleImage, photoWithGps } from '#tests/support/files/image-samples.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { type TusSender, tusSender } from '#tests/support/files/tus-sender.ts'

let app: TestApp
let owner: Caller
let mine: TusSender
let fieldPath: string
let url: string
const target = { collection: 'plans', field: 'files' }

beforeAll(async () => {
  app = await openTestApp()
  url = await app.listen()
  owner = await app.asOwner()
  mine = tusSender(url, owner)
  const made = await owner.post('/api/collections', { label: 'Plans', fields: [{ label: 'Files', kind: 'files' }] })
  fieldPath = `/api/collections/plans/fields/${made.body.fields[0].id}`
})
afterAll(() => app.close())

const rule = async (options: object) => {
  const changed = await owner.patch(fieldPath, { options })
  expect(changed.status, changed.text).toBe(200)
}
const record = (files: readonly string[]) => owner.post('/api/collections/plans/records', { values: { files } })

describe("a file uploaded before its field's rules changed", () => {
  test('is not attached if its type is no longer accepted, and the error lists the accepted types', async () => {
    const id = await mine.send(target, Buffer.from('hello'), 'a.txt', 'text/plain')
    await rule({ accept: ['image/*'] })
    const refused = await record([id])
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [
        {
          path: 'files',
          code: 'file-type-refused',
          message: '“a.txt” is text/plain, but this field accepts only Images. Choose another file.',
        },
      ],
    ])
    await rule({})
    expect((await record([id])).status).toBe(201)
  })

  test('is not attached if it exceeds the new size limit', async () => {
    const id = await mine.send(target, randomBytes(2000), 'a.bin')
    await rule({ maxBytes: 1999 })
    expect((await record([id])).body.errors).toMatchObject([{ path: 'files', code: 'too-large' }])
    await rule({})
  })

  test('is validated by its detected type, not by its name', async () => {
    await rule({ accept: ['.jpg', '.png'] })
    const id = await mine.send(target, await sampleImage(10, 10), 'a.dat')
    expect((await record([id])).status).toBe(201)
    await rule({})
  })

  test('remains attached to its record', async () => {
    const id = await mine.send(target, Buffer.from('hello'), 'a.txt', 'text/plain')
    const { body } = await record([id])
    await rule({ accept: ['image/*'] })
    const picture = await mine.send(target, await sampleImage(10, 10), 'a.png')
    const path = `/api/collections/plans/records/${body.id}`
    expect((await owner.patch(path, { values: { files: [id, picture] } })).status).toBe(200)
    await rule({})
  })

  test("counts toward the field's maximum number of files", async () => {
    const ids = await Promise.all(['a', 'b'].map((text) => mine.send(target, Buffer.from(text), `${text}.txt`)))
    await rule({ max: 1 })
    expect((await record(ids)).body.errors).toMatchObject([{ path: 'files', code: 'too-many' }])
    await rule({})
  })
})

describe('a file rule', () => {
  test('is rejected if no file can match it, and the error suggests an alternative', async () => {
    const refused = await owner.patch(fieldPath, { options: { accept: ['pdf'] } })
    expect([refused.status, refused.body.errors]).toMatchObject([
      422,
      [{ path: 'options.accept', code: 'bad-type', message: expect.stringContaining('such as .pdf') }],
    ])
  })

  test('is rejected by name if it belongs to another field type', async () => {
    const refused = await owner.post('/api/collections/plans/fields', {
      label: 'Title',
      kind: 'text',
      options: { stripLocation: true },
    })
    expect([refused.status, refused.body.errors[0].path]).toEqual([422, 'options.stripLocation'])
  })
})

describe('a field that removes photo locations', () => {
  const bytesOf = async (id: string): Promise<Buffer> => {
    const file = await fetch(`${url}/api/files/${id}`, { headers: { authorization: `Bearer ${owner.token}` } })
    return Buffer.from(await file.arrayBuffer())
  }

  test('stores the image without its location, with the new hash and size', async () => {
    const { photo, latitude } = await photoWithGps()
    expect(photo.includes(latitude)).toBe(true)
    const before = await bytesOf(await mine.send(target, photo, 'a.jpg'))
    expect(before.equals(photo)).toBe(true)
    await rule({ stripLocation: true })
    const id = await mine.send(target, photo, 'a.jpg')
    const kept = await bytesOf(id)
    expect([kept.includes(latitude), kept.includes('Otter Camera'), kept.length]).toEqual([false, true, photo.length])
    const asset = await app.database.read
      .selectFrom('assets')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect([asset.hash, Number(asset.width)]).toEqual([createHash('sha256').update(kept).digest('hex'), 60])
    expect(await readdir(join(app.config.dataFolder, 'uploads'))).toEqual([])
  })

  test('stores all other files unchanged', async () => {
    for (const bytes of [await sampleImage(20, 20), randomBytes(5000), Buffer.from('text')]) {
      expect((await bytesOf(await mine.send(target, bytes, 'a.bin'))).equals(bytes)).toBe(true)
    }
    await rule({})
  })
})
