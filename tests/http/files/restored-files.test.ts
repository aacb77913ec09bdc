import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outcome, uploadInto } from '#tests/conformance/csv-import.ts'
import { card, doc, picture, words } from '#tests/support/documents/documents.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { EVENTUALLY } from '#tests/support/clock/eventually.ts'
import { tusSender } from '#tests/support/files/tus-sender.ts'

let app: TestApp
let url: string
let owner: Caller
const records = '/api/collections/notes/records'
const DAY_MS = 24 * 60 * 60 * 1000

beforeAll(async () => {
  app = await openTestApp({ changedAtOnce: 20 })
  url = await app.listen()
  owner = await app.asOwner()
  const fields = [
    { label: 'Title', kind: 'text', unique: true },
    { label: 'Text', kind: 'rich-text' },
  ]
  const made = await owner.post('/api/collections', { label: 'Notes', fields })
  expect(made.status, made.text).toBe(201)
})
afterAll(() => app.close())

let sent = 0
const send = (): Promise<string> =>
  tusSender(url, owner).send({ collection: 'notes', field: 'text' }, Buffer.from(`bytes ${(sent += 1)}`), 'note.txt')

async function make(...texts: readonly object[]): Promise<readonly string[]> {
  const create = texts.map((text) => ({ values: { title: `${(sent += 1)}`, text } }))
  const { status, body, text } = await owner.post(`${records}/bulk`, { create })
  expect(status, text).toBe(200)
  return body.created
}

const bulk = (body: object, by = owner) => by.post(`${records}/bulk`, body)
const read = async (record: string, query = '') => (await owner.get(`${records}/${record}${query}`)).body
const textOf = async (record: string) => (await read(record)).values.text

/** Whether a file is attached to a record, listed for its readers, and readable. */
async function standsIn(record: string, file: string): Promise<boolean> {
  const place = await owner.get(`/api/files/${file}/place`)
  const opened = await owner.get(`/api/files/${file}`)
  const { files } = (await read(record, '?expand=text')).inside
  const facts = [place.body.record === record, opened.status === 200, Object.hasOwn(files, file)]
  expect(new Set(facts).size, JSON.stringify(facts)).toBe(1)
  return facts.every(Boolean)
}

/** Advances the clock and runs the cleanup worker. */
async function letPass(ms: number): Promise<void> {
  app.clock.move(ms)
  owner = await app.asOwner()
  await (await app.startAnother()).stop()
}

test("canceling an import restores documents with their files, which cleanup doesn't delete", async () => {
  const count = 3000
  const holding = [0, 2, 700, count - 1]
  const files = await Promise.all(holding.map(() => send()))
  const texts = Array.from({ length: count }, (_, at) => {
    const file = files[holding.indexOf(at)]
    return file === undefined ? doc(words(`Before ${at}`)) : doc(words('With'), picture(file), card(file))
  })
  const create = texts.map((text, at) => ({ values: { title: `c${at}`, text } }))
  const ids = (await bulk({ create })).body.created
  const csv = `title,text\n${texts.map((_, at) => `c${at},Only words`).join('\n')}\n`

  const started = await uploadInto(owner, 'notes', csv, '?key=title')
  expect(started.status, started.text).toBe(202)
  // Waits until some changes are visible, so that there is something to revert.
  await expect.poll(() => textOf(ids[0]), EVENTUALLY).toEqual(doc(words('Only words')))
  expect((await owner.delete(`/api/imports/${started.body.id}`)).status).toBe(204)
  expect((await outcome(owner, started.body.id)).body.state).toBe('cancelled')

  await letPass(DAY_MS + 60_000)
  for (const [at, place] of holding.entries()) {
    expect(await textOf(ids[place])).toEqual(texts[place])
    expect(await standsIn(ids[place], files[at] ?? '')).toBe(true)
  }
})

describe('files in documents cleared in bulk', () => {
  /** Clears text fields in bulk, as the list does; returns the data needed to undo this. */
  async function empty(only: readonly string[], by: Caller) {
    const { status, body, text } = await bulk(
      { where: { only }, update: { values: { text: null } }, remember: true },
      by,
    )
    expect(status, text).toBe(200)
    return { update: body.before }
  }

  test('are restored by undo, regardless of who uploaded them', async () => {
    const files = await Promise.all([send(), send()])
    const ids = await make(...files.map((file) => doc(card(file))))
    const editor = await app.asEditor()
    const undo = await empty(ids, editor)
    await letPass(DAY_MS - 60_000)
    const again = await app.asEditor()
    const { status, text } = await bulk(undo, again)
    expect(status, text).toBe(200)
    await letPass(2 * DAY_MS)
    for (const [at, id] of ids.entries()) expect(await standsIn(id, files[at] ?? '')).toBe(true)
  })

  test('make undo fail without changes once they are deleted', async () => {
    const file = await send()
    const ids = await make(doc(card(file)), doc(words('Words alone')))
    const undo = await empty(ids, owner)
    await letPass(31 * DAY_MS + 60_000)
    const { status, body } = await bulk(undo)
    expect([status, body.errors[0].code]).toEqual([422, 'unknown-file'])
    expect(await Promise.all(ids.map(textOf))).toEqual([null, null])
  })
})

describe('files of a deleted record', () => {
  test('can be attached to a new record by their uploader within a day, including in bulk', async () => {
    const files = await Promise.all([send(), send()])
    const texts = files.map((file) => doc(card(file)))
    expect((await bulk({ delete: await make(...texts) })).status).toBe(200)
    const editor = await app.asEditor()
    expect((await editor.get(`/api/files/${files[0]}`)).status).toBe(404)
    const refused = await editor.post(records, { values: { text: texts[0] } })
    expect([refused.status, refused.body.errors[0].code]).toEqual([422, 'unknown-file'])
    const made = await make(...texts)
    await letPass(DAY_MS + 60_000)
    for (const [at, id] of made.entries()) expect(await standsIn(id, files[at] ?? '')).toBe(true)
  })

  test('are deleted after a day', async () => {
    const file = await send()
    const [id] = await make(doc(card(file)))
    await bulk({ where: { only: [id] }, delete: true })
    await letPass(DAY_MS + 60_000)
    expect((await owner.get(`/api/files/${file}`)).status).toBe(404)
    const again = await owner.post(records, { values: { text: doc(card(file)) } })
    expect([again.status, again.body.errors[0].code]).toEqual([422, 'unknown-file'])
  })
})

test('a document with a deleted file can be read, written, exported, archived and deleted', async () => {
  const [gone, stays] = await Promise.all([send(), send()])
  const [id = ''] = await make(doc(card(gone), picture(stays)))
  await app.database.write(({ db }) => sql`delete from assets where id = ${gone}`.execute(db))
  expect([await standsIn(id, gone), await standsIn(id, stays)]).toEqual([false, true])
  const text = doc(words('And on'), card(gone), picture(stays))
  const written = await owner.patch(`${records}/${id}`, { values: { text } })
  expect([written.status, written.body.values.text]).toEqual([200, text])
  const roads = [
    ...['html', 'markdown', 'text', 'document'].map((form) => `${records}/${id}?expand=*&richText=${form}`),
    `${records}/${id}/files.zip`,
    '/api/collections/notes/files.zip',
    '/api/collections/notes/export.csv',
  ]
  for (const road of roads) expect((await owner.get(road)).status, road).toBe(200)
  expect((await owner.delete(`${records}/${id}`)).status).toBe(204)
})
