import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { importInto } from '#tests/conformance/csv-import.ts'
import { card, doc, picture, words } from '#tests/support/documents/documents.ts'
import { sampleImage, photoWithGps } from '#tests/support/files/image-samples.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { type TusSender, tusSender } from '#tests/support/files/tus-sender.ts'

let app: TestApp
let url: string
let owner: Caller
let mine: TusSender
let collection: { readonly id: string; readonly fields: readonly { readonly id: string; readonly name: string }[] }
const target = { collection: 'notes', field: 'text' }
const records = '/api/collections/notes/records'
const DAY_MS = 24 * 60 * 60 * 1000

beforeAll(async () => {
  app = await openTestApp({ convertedAtOnce: 20 })
  url = await app.listen()
  owner = await app.asOwner()
  mine = tusSender(url, owner)
  const fields = [
    { label: 'Title', kind: 'text', unique: true },
    { label: 'Text', kind: 'rich-text' },
    { label: 'Other', kind: 'rich-text' },
  ]
  const made = await owner.post('/api/collections', { label: 'Notes', fields })
  expect(made.status, made.text).toBe(201)
  collection = made.body
})
afterAll(() => app.close())

const fieldId = (name: string): string => collection.fields.find((field) => field.name === name)?.id ?? ''

let sent = 0
const send = (name = 'note.txt', where: Readonly<Record<string, string>> = target, by = mine): Promise<string> =>
  by.send(where, Buffer.from(`bytes ${(sent += 1)}`), name, 'text/plain')

async function make(values: object, by = owner): Promise<string> {
  const { status, body, text } = await by.post(records, { values })
  expect(status, text).toBe(201)
  return body.id
}

const write = (record: string, values: object, by = owner) => by.patch(`${records}/${record}`, { values })

const isThere = async (file: string, by = owner): Promise<boolean> =>
  (await by.get(`/api/files/${file}`)).status === 200

const standsIn = async (file: string): Promise<unknown> => (await owner.get(`/api/files/${file}/place`)).body.record

/** Advances the clock and runs the cleanup worker. */
async function letDaysPass(days: number): Promise<void> {
  app.clock.move(days * DAY_MS + 60_000)
  owner = await app.asOwner()
  mine = tusSender(url, owner)
  await (await app.startAnother()).stop()
}

describe('a file in a document', () => {
  test('is attached to the record when the document is saved, and is deleted with the record', async () => {
    const [shown, offered] = [await send('shown.txt'), await send('offered.txt')]
    const record = await make({ title: 'one', text: doc(words('See'), picture(shown), card(offered)) })
    expect(await Promise.all([shown, offered].map(standsIn))).toEqual([record, record])
    expect((await write(record, { text: doc(card(offered)) })).status).toBe(200)
    expect([await standsIn(shown), await standsIn(offered)]).toEqual([undefined, record])
    expect((await owner.delete(`${records}/${record}`)).status).toBe(204)
    expect(await standsIn(offered)).toBeUndefined()
  })

  test('can be removed and restored by undo', async () => {
    const file = await send()
    const record = await make({ text: doc(card(file)) })
    expect((await write(record, { text: null })).status).toBe(200)
    expect((await write(record, { text: doc(words('back'), card(file), card(file)) })).status).toBe(200)
    expect(await standsIn(file)).toBe(record)
  })

  test('is treated as missing if it belongs to another record, field or user', async () => {
    const [elsewhere, field, strange] = [
      await send(),
      await send('other.txt', { ...target, field: 'other' }),
      await send('strange.txt', target, tusSender(url, await app.asOwner())),
    ]
    await make({ text: doc(card(elsewhere)) })
    const record = await make({})
    for (const file of [elsewhere, field, strange, '0'.repeat(26)]) {
      const { status, body } = await write(record, { text: doc(picture(file)) })
      expect([status, body.errors[0].path, body.errors[0].code]).toEqual([422, 'text', 'unknown-file'])
      const bulk = await owner.post(`${records}/bulk`, {
        update: [
          { id: record, values: { text: doc(card(file)) } },
          { id: await make({}), values: { title: null } },
        ],
      })
      expect(bulk.status).not.toBe(200)
    }
    expect((await owner.get(`${records}/${record}`)).body.values.text).toBeNull()
  })

  test('is attached to only one record, even in bulk writes', async () => {
    const [file, many] = [await send(), [await make({}), await make({})]]
    const update = many.map((id) => ({ id, values: { text: doc(card(file)) } }))
    expect((await owner.post(`${records}/bulk`, { update })).status).toBe(422)
    const [first] = update
    expect((await owner.post(`${records}/bulk`, { update: [first] })).status).toBe(200)
    expect(await standsIn(file)).toBe(many[0])
  })

  test('can be read only through its field and record', async () => {
    const file = await send()
    await make({ title: 'shared', text: doc(picture(file)) })
    const reading = { permission: 'records:read', collection: collection.id } as const
    const [all, blind, elsewhere] = await Promise.all([
      app.asGranted([reading]),
      app.asGranted([{ ...reading, fields: { except: [fieldId('text')] } }]),
      app.asGranted([{ ...reading, where: { field: 'title', op: '=', value: 'other' } }]),
    ])
    expect([await isThere(file, all), await isThere(file, blind), await isThere(file, elsewhere)]).toEqual([
      true,
      false,
      false,
    ])
    const reported = await blind.get(`${records}?expand=*`)
    expect(reported.text).not.toContain(file)
  })

  test('requires access to the field for upload, attachment and download', async () => {
    const writing = { permission: 'records:update', collection: collection.id } as const
    const reading = { permission: 'records:read', collection: collection.id } as const
    let grants: readonly Grant[] = [reading, writing]
    const writer = await app.asGranted(() => grants)
    const record = await make({})
    const theirs = tusSender(url, writer)
    const place = { ...target, record }
    const begun = await theirs.begin(place, 10)
    grants = [reading, { ...writing, fields: { except: [fieldId('text')] } }]
    const refused = [
      await theirs.patch(begun, 0, Buffer.alloc(10)),
      await theirs.head(begun),
      await theirs.create(place, { 'upload-length': '10' }),
    ]
    for (const { status } of refused) expect(status).toBeGreaterThanOrEqual(400)
    grants = [reading, writing]
    expect((await theirs.patch(begun, 0, Buffer.alloc(10))).status).toBe(204)
    expect((await write(record, { text: doc(card(begun)) }, writer)).status).toBe(200)
  })

  test('has its location removed if it is a photo', async () => {
    const { photo, latitude } = await photoWithGps()
    const file = await mine.send(target, photo, 'there.jpg', 'image/jpeg')
    await make({ text: doc(picture(file)) })
    const answer = await fetch(`${url}/api/files/${file}`, { headers: { authorization: `Bearer ${owner.token}` } })
    const kept = Buffer.from(await answer.arrayBuffer())
    expect([photo.includes(latitude), kept.includes(latitude), kept.length]).toEqual([true, false, photo.length])
  })
})

describe('files in changed documents', () => {
  test('are deleted once the values they were removed from can no longer be restored', async () => {
    const [stays, goes] = [await send(), await send()]
    const record = await make({ text: doc(card(stays), card(goes)) })
    await write(record, { text: doc(card(stays)) })
    await letDaysPass(31)
    expect([await isThere(stays), await isThere(goes)]).toEqual([true, false])
    const { status, body } = await write(record, { text: doc(card(stays), card(goes)) })
    expect([status, body.errors[0].code]).toEqual([422, 'unknown-file'])
  })

  test('are detached when a CSV import replaces the text', async () => {
    const file = await send()
    await make({ title: 'imported', text: doc(card(file)) })
    const { body } = await importInto(owner, 'notes', 'Title,Text\nimported,Only words\n', '?key=title')
    expect(body).toMatchObject({ state: 'done' })
    expect(await standsIn(file)).toBeUndefined()
  })

  test('are detached when the field changes type or is deleted permanently', async () => {
    const [other, text] = [await send('o.txt', { ...target, field: 'other' }), await send()]
    await make({ other: doc(words('Some'), card(other)), text: doc(card(text)) })
    expect((await owner.patch('/api/collections/notes/fields/other', { kind: 'long-text' })).status).toBe(200)
    expect(await standsIn(other)).toBeUndefined()
    expect((await owner.delete('/api/collections/notes/fields/text')).status).toBe(200)
    const [deleted] = (await owner.get('/api/trash/definitions')).body.items
    expect((await owner.delete(`/api/trash/definitions/${deleted.id}`)).status).toBe(204)
    expect([await standsIn(text), await isThere(text)]).toEqual([undefined, true])
  })
})

test('an archive of a record contains the files in its documents', async () => {
  await owner.post('/api/collections', { label: 'Papers', fields: [{ label: 'Text', kind: 'rich-text' }] })
  const place = { collection: 'papers', field: 'text' }
  const shown = await mine.send(place, await sampleImage(40, 30), 'shown.png', 'image/png')
  const made = await owner.post('/api/collections/papers/records', { values: { text: doc(picture(shown)) } })
  const zip = await owner.get(`/api/collections/papers/records/${made.body.id}/files.zip`)
  expect([zip.status, zip.text.includes('shown.png')]).toEqual([200, true])
})

test('default values cannot contain files or mentions', async () => {
  const field = { label: 'Letter', kind: 'rich-text', default: doc(card('0'.repeat(26))) }
  const { status, body } = await owner.post('/api/collections', { label: 'Letters', fields: [field] })
  expect([status, body.errors[0].code]).toEqual([422, 'not-for-all'])
})
