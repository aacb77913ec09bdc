import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { card, doc, person, recordMention, words } from '#tests/support/documents/documents.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { tusSender } from '#tests/support/files/tus-sender.ts'

let app: TestApp
let url: string
let owner: Caller
let places: { readonly id: string; readonly fields: readonly { readonly id: string; readonly name: string }[] }
let notes: { readonly id: string; readonly fields: readonly { readonly id: string; readonly name: string }[] }

const at = (collection: string, rest = ''): string => `/api/collections/${collection}/records${rest}`

async function make(collection: string, values: object, by = owner): Promise<string> {
  const { status, body, text } = await by.post(at(collection), { values })
  expect(status, text).toBe(201)
  return body.id
}

beforeAll(async () => {
  app = await openTestApp()
  url = await app.listen()
  owner = await app.asOwner()
  const title = { label: 'Title', kind: 'text' }
  places = (
    await owner.post('/api/collections', { label: 'Places', fields: [title, { label: 'Region', kind: 'text' }] })
  ).body
  notes = (
    await owner.post('/api/collections', {
      label: 'Notes',
      fields: [title, { label: 'Text', kind: 'rich-text' }, { label: 'Secret', kind: 'rich-text' }],
    })
  ).body
})
afterAll(() => app.close())

const secretField = (): string => notes.fields.find(({ name }) => name === 'secret')?.id ?? ''

/** A user who can read all notes except their secret, and only places in the north. */
const northerner = () =>
  app.asGranted([
    { permission: 'records:read', collection: notes.id, fields: { except: [secretField()] } },
    { permission: 'records:update', collection: notes.id },
    { permission: 'records:export', collection: notes.id },
    { permission: 'records:read', collection: places.id, where: { field: 'region', op: '=', value: 'north' } },
  ])

const insideOf = async (record: string, by = owner) => (await by.get(at('notes', `/${record}?expand=*`))).body.inside

type Road = readonly [method: string, path: string, body?: object]

/** All requests that return a record's data. */
const roadsTo = (record: string): readonly Road[] => [
  ['GET', at('notes', `/${record}`)],
  ['GET', at('notes', `/${record}?expand=*`)],
  ['GET', at('notes', '?expand=*')],
  ['GET', at('notes', '?expand=text&marks=true&search=quietwater')],
  ...['html', 'markdown', 'text', 'document'].map(
    (form): Road => ['GET', at('notes', `/${record}?expand=*&richText=${form}`)],
  ),
  ['GET', '/api/collections/notes/groups?by=title'],
  ['GET', '/api/search?q=quiet'],
  ['GET', '/api/collections/notes/export.csv'],
  ['POST', '/api/collections/notes/export.csv', { only: [record] }],
  ['POST', '/api/explain', { permission: 'records:read', collection: 'notes', record, field: 'text' }],
  ['PATCH', at('notes', `/${record}`), { values: { title: 'written' } }],
  [
    'POST',
    at('notes', '/bulk'),
    { where: { only: [record] }, update: { values: { title: 'emptied', text: null } }, remember: true },
  ],
]

async function reported(who: Caller, [method, path, body]: Road): Promise<string> {
  const { status, text } = await who.request(method, path, { body })
  expect(status, `${method} ${path}: ${text}`).toBe(200)
  return text
}

describe('a mention in a document', () => {
  test('is stored by ID and returned with the current name of its target', async () => {
    const somebody = await app.asEditor()
    const place = await make('places', { title: 'Old harbour', region: 'north' })
    const text = doc(person(somebody.userId ?? ''), recordMention(places.id, place))
    const record = await make('notes', { text })
    expect(await insideOf(record)).toEqual({
      files: {},
      people: { [somebody.userId ?? '']: 'editor' },
      records: { [place]: 'Old harbour' },
    })
    await owner.patch(at('places', `/${place}`), { values: { title: 'New harbour' } })
    await somebody.patch('/api/account/profile', { name: 'Ada Byron' })
    const inside = await insideOf(record)
    expect([inside.people, inside.records]).toEqual([
      { [somebody.userId ?? '']: 'Ada Byron' },
      { [place]: 'New harbour' },
    ])
    expect((await owner.get(at('notes', `/${record}`))).body.inside).toBeUndefined()
    expect((await owner.get(at('notes', `/${record}`))).body.values.text).toEqual(text)
  })

  test('is returned without a name if its target was deleted', async () => {
    const place = await make('places', { title: 'Gone', region: 'north' })
    const record = await make('notes', { text: doc(recordMention(places.id, place)) })
    expect((await owner.delete(at('places', `/${place}`))).status).toBe(204)
    expect((await insideOf(record)).records).toEqual({})
    const kept = await owner.patch(at('notes', `/${record}`), {
      values: { text: doc(words('Still'), recordMention(places.id, place)) },
    })
    expect(kept.status, kept.text).toBe(200)
  })

  test('must have an existing target when it is added', async () => {
    const { status, body } = await owner.post(at('notes'), { values: { text: doc(person('0'.repeat(26))) } })
    expect([status, body.errors[0].code]).toEqual([422, 'unknown-user'])
  })
})

describe('a record hidden from a user', () => {
  let unseen: string
  let note: string
  let reader: Caller
  beforeAll(async () => {
    unseen = await make('places', { title: 'Quietwater', region: 'south' })
    note = await make('notes', { title: 'n', text: doc(words('At'), recordMention(places.id, unseen)) })
    reader = await northerner()
  })

  test("can't be mentioned by that user, and is reported as missing", async () => {
    const other = await make('notes', {})
    const requested = (id: string) =>
      reader.patch(at('notes', `/${other}`), { values: { text: doc(recordMention(places.id, id)) } })
    const [hidden, none] = [await requested(unseen), await requested('0'.repeat(26))]
    const said = ({ status, body }: typeof hidden, id: string) => [
      status,
      body.detail.replace(id, ''),
      body.errors.length,
    ]
    expect(said(hidden, unseen)).toEqual(said(none, '0'.repeat(26)))
    expect(hidden.body.errors[0].code).toBe('unknown-record')
    const inBulk = await reader.post(at('notes', '/bulk'), {
      where: {},
      update: { values: { text: doc(recordMention(places.id, unseen)) } },
    })
    expect([inBulk.status, inBulk.body.errors[0].code]).toEqual([422, 'unknown-record'])
  })

  test('remains mentioned after the user edits the text', async () => {
    const text = doc(words('Near'), recordMention(places.id, unseen))
    const { status, text: reported } = await reader.patch(at('notes', `/${note}`), { values: { text } })
    expect(status, reported).toBe(200)
  })

  test("doesn't reveal its name in any response", async () => {
    const record = await make('notes', { text: doc(recordMention(places.id, unseen)) })
    expect((await owner.get(at('notes', `/${record}?expand=*`))).text).toContain('Quietwater')
    for (const road of roadsTo(record)) expect(await reported(reader, road), road[1]).not.toMatch(/quietwater/i)
  })

  test("doesn't reveal its name to someone impersonating a user who can't see it", async () => {
    expect((await owner.post('/api/view-as', { user: reader.userId })).status).toBe(201)
    const as = { 'view-as': reader.userId ?? '' }
    for (const [method, path] of roadsTo(note)) {
      const isReading = method === 'GET' && !path.endsWith('export.csv')
      const seen = await owner.request(method, path, { headers: as })
      expect([seen.status, /quietwater/i.test(seen.text)], path).toEqual([isReading ? 200 : 403, false])
    }
    await owner.delete('/api/view-as')
    expect((await insideOf(note)).records).toEqual({ [unseen]: 'Quietwater' })
  })

  test('is named in HTML and Markdown only for users who can see it', async () => {
    const printed = async (who: Caller, form: string) =>
      (await who.get(at('notes', `/${note}?richText=${form}`))).body.values.text
    expect(await printed(owner, 'html')).toContain('Quietwater')
    expect(await printed(owner, 'markdown')).toContain('@Quietwater')
    expect(await printed(owner, 'text')).not.toContain('Quietwater')
    expect(await printed(reader, 'html')).toContain('@record')
    expect(await printed(reader, 'markdown')).toContain('@record')
  })

  test("can't be found through its mentions by search or filter", async () => {
    for (const who of [owner, reader]) {
      for (const query of ['search=quietwater', `filter=${encodeURIComponent('text ~ "quietwater"')}`]) {
        const { status, body } = await who.get(at('notes', `?${query}&count=exact`))
        expect([status, body.total]).toEqual([200, 0])
      }
    }
  })

  test('mentions and files in a hidden field are not revealed', async () => {
    const seen = await make('places', { title: 'Brightwater', region: 'north' })
    const file = await tusSender(url, owner).send({ collection: 'notes', field: 'secret' }, Buffer.from('x'), 'x.txt')
    const record = await make('notes', { secret: doc(recordMention(places.id, seen), card(file)) })
    expect(Object.keys((await insideOf(record)).files)).toEqual([file])
    expect(await insideOf(record, reader)).toEqual({ files: {}, people: {}, records: {} })
    for (const road of roadsTo(record)) {
      const answer = await reported(reader, road)
      expect([answer.includes(file), /brightwater/i.test(answer)], road[1]).toEqual([false, false])
    }
    const closed = [`/api/files/${file}`, `/api/files/${file}/place`, at('notes', `/${record}/files.zip`)]
    for (const road of closed) expect((await reader.get(road)).status, road).toBe(404)
  })
})
