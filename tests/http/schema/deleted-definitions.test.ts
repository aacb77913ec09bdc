import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { tusSender } from '#tests/support/files/tus-sender.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import {
  createRecords,
  defineCollection,
  doctorFindings,
  recordsPath as at,
  type TestCollection,
} from '#tests/support/server/test-collections.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let app: TestApp
let url: string
let owner: Caller
let cases: TestCollection

beforeAll(async () => {
  app = await openTestApp()
  url = await app.listen()
})
afterAll(() => app.close())

beforeEach(async () => {
  owner = await app.asOwner()
  cases = await defineCollection(owner, 'Cases', [
    { label: 'Title', kind: 'text' },
    { label: 'Code', kind: 'text', unique: true },
    { label: 'Number', kind: 'auto-number' },
    { label: 'Tags', kind: 'multi-select', options: { choices: [{ name: 'Big' }, { name: 'Small' }] } },
    { label: 'Files', kind: 'files' },
    { label: 'State', kind: 'state', options: { choices: [{ name: 'New' }, { name: 'Closed' }] } },
  ])
})

const path = (of: TestCollection) => `/api/collections/${of.name}`
const values = async (of: TestCollection, id: string) => (await owner.get(`${at(of)}/${id}`)).body.values
const found = async (of: TestCollection, search: string) =>
  (await owner.get(`${at(of)}?search=${search}`)).body.items.map(({ id }: { id: string }) => id)

async function removeField(of: TestCollection, name: string): Promise<string> {
  const id = of.fields[name] ?? ''
  const { status, text } = await owner.delete(`${path(of)}/fields/${id}`)
  expect(status, text).toBe(200)
  return id
}

async function removeCollection(of: TestCollection): Promise<void> {
  const { status, text } = await owner.delete(path(of))
  expect(status, text).toBe(204)
}

const restore = (id: string, who = owner) => who.post(`/api/trash/definitions/${id}/restore`)

async function restored(id: string) {
  const { status, body, text } = await restore(id)
  expect(status, text).toBe(200)
  return body
}

type Deleted = { readonly id: string; readonly kind: string; readonly label: string; readonly collection: string }

const listed = async (who = owner): Promise<readonly Deleted[]> => (await who.get('/api/trash/definitions')).body.items

describe('a deleted field', () => {
  test('is listed in the trash, and comes back with its values, files, place and unique values', async () => {
    const file = await tusSender(url, owner).send(
      { collection: cases.name, field: 'files' },
      Buffer.from('one'),
      'a.txt',
    )
    const given = { title: 'First', code: 'A-1', tags: ['Big'], files: [file] }
    const [id = ''] = await createRecords(owner, cases, given)
    const before = (await owner.get(path(cases))).body
    const was = await values(cases, id)
    const gone: string[] = []
    for (const name of ['title', 'code', 'number', 'tags', 'files', 'state']) gone.push(await removeField(cases, name))
    expect((await owner.get(path(cases))).body.fields).toEqual([])
    expect((await owner.get(`/api/files/${file}`)).status).toBe(404)
    expect(await listed()).toContainEqual(
      expect.objectContaining({ id: gone[1], kind: 'field', label: 'Code', collection: before.label }),
    )
    expect(await doctorFindings(app)).toEqual([])
    const [since = ''] = await createRecords(owner, cases, {})

    for (const field of gone.toReversed()) await restored(field)
    const after = (await owner.get(path(cases))).body
    expect(after.fields).toEqual(before.fields)
    expect(after.titleField).toBe(before.titleField)
    expect(await values(cases, id)).toEqual(was)
    expect(await values(cases, since)).toMatchObject({ number: was.number + 1, state: 'New' })
    expect((await owner.get(`/api/files/${file}`)).status).toBe(200)
    expect(await found(cases, 'First')).toEqual([id])
    expect((await owner.post(at(cases), { values: { code: 'A-1' } })).status).toBe(422)
    expect(await doctorFindings(app)).toEqual([])
    expect((await restore(gone[0] ?? '')).status).toBe(404)
  })

  test('gets another name if its name is in use', async () => {
    const [id = ''] = await createRecords(owner, cases, { title: 'First' })
    const field = await removeField(cases, 'title')
    await owner.post(`${path(cases)}/fields`, { label: 'Title', kind: 'number' })
    expect((await restored(field)).fields.map(({ name }: { name: string }) => name)).toContain('title2')
    expect(await values(cases, id)).toMatchObject({ title: null, title2: 'First' })
  })

  test('brings its workflow back', async () => {
    const [choices] = (await owner.get(path(cases))).body.fields.flatMap(
      ({ kind, options }: { kind: string; options: { choices: object } }) =>
        kind === 'state' ? [options.choices] : [],
    )
    const workflow = { transitions: [{ name: 'Close', from: choices[0].id, to: choices[1].id }] }
    await owner.patch(path(cases), { workflow })
    const field = await removeField(cases, 'state')
    expect((await owner.get(path(cases))).body.workflow ?? null).toBeNull()
    expect((await restored(field)).workflow.transitions).toMatchObject([{ name: 'Close' }])
  })

  test('with links keeps only those to records that still exist', async () => {
    const tasks = await defineCollection(owner, 'Tasks', [
      { label: 'Case', kind: 'relation', options: { collection: cases.id } },
      { label: 'Cases', kind: 'relation', options: { collection: cases.id, many: true } },
    ])
    const [a = '', b = ''] = await createRecords(owner, cases, { title: 'a' }, { title: 'b' })
    const [task = ''] = await createRecords(owner, tasks, { case: a, cases: [a, b] })
    const fields = [await removeField(tasks, 'case'), await removeField(tasks, 'cases')]
    await owner.delete(`${at(cases)}/${a}`)
    for (const field of fields) await restored(field)
    expect(await values(tasks, task)).toEqual({ case: null, cases: [b] })
    expect(await doctorFindings(app)).toEqual([])
  })

  test('can be restored by those who manage the collection, until it expires', async () => {
    const field = await removeField(cases, 'title')
    const reader = await app.asGranted([{ permission: 'records:read', collection: cases.id }])
    expect((await restore(field, reader)).status).toBe(403)
    const other = await app.asGranted([
      { permission: 'collections:manage', collection: (await defineCollection(owner, 'Other', [])).id },
    ])
    expect((await restore(field, other)).status).toBe(404)
    expect((await listed(other)).map(({ id }) => id)).not.toContain(field)
    app.clock.move(30 * DAY_MS + 1000)
    owner = await app.asOwner()
    expect((await restore(field)).status).toBe(404)
    await (await app.startAnother()).stop()
    expect(await listed()).toEqual([])
    expect(await doctorFindings(app)).toEqual([])
  })

  test('can be deleted permanently', async () => {
    const fields = [
      await removeField(cases, 'code'),
      await removeField(cases, 'tags'),
      await removeField(cases, 'number'),
    ]
    for (const field of fields) expect((await owner.delete(`/api/trash/definitions/${field}`)).status).toBe(204)
    expect((await restore(fields[0] ?? '')).status).toBe(404)
    expect(await doctorFindings(app)).toEqual([])
  })
})

describe('a deleted collection', () => {
  test('comes back with its records, views and files, and with what is in the trash', async () => {
    const file = await tusSender(url, owner).send(
      { collection: cases.name, field: 'files' },
      Buffer.from('one'),
      'a.txt',
    )
    const [id = '', gone = ''] = await createRecords(owner, cases, { title: 'First', files: [file] }, { title: 'Gone' })
    await owner.post(`${path(cases)}/views`, { name: 'Mine' })
    await owner.delete(`${at(cases)}/${gone}`)
    const code = await removeField(cases, 'code')
    const before = (await owner.get(path(cases))).body
    const was = await values(cases, id)
    await removeCollection(cases)
    expect((await owner.get(path(cases))).status).toBe(404)
    expect((await owner.get(`/api/files/${file}`)).status).toBe(404)
    expect((await listed()).filter(({ id: one }) => one === cases.id || one === code)).toMatchObject([
      { id: cases.id, kind: 'collection', label: before.label },
    ])
    expect(await doctorFindings(app)).toEqual([])

    expect(await restored(cases.id)).toMatchObject({ name: cases.name, label: before.label, fields: before.fields })
    expect(await values(cases, id)).toEqual(was)
    expect(await found(cases, 'First')).toEqual([id])
    expect((await owner.get(`/api/files/${file}`)).status).toBe(200)
    const views = (await owner.get(`${path(cases)}/views`)).body.items
    expect(views.map(({ name }: { name: string }) => name)).toContain('Mine')
    expect((await owner.post('/api/trash/restore', { records: [gone] })).body.restored).toBe(1)
    await restored(code)
    expect(await doctorFindings(app)).toEqual([])
  })

  test('is restored without links to a collection that is still deleted, which come back later', async () => {
    const tasks = await defineCollection(owner, 'Tasks', [
      { label: 'Title', kind: 'text' },
      { label: 'Case', kind: 'relation', options: { collection: cases.id } },
    ])
    const [one = ''] = await createRecords(owner, cases, { title: 'one' })
    const [task = ''] = await createRecords(owner, tasks, { title: 'task', case: one })
    await removeCollection(tasks)
    await removeCollection(cases)
    const names = (await restored(tasks.id)).fields.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['title'])
    const link = tasks.fields['case'] ?? ''
    expect((await restore(link)).body).toMatchObject({ code: 'definition-invalid' })
    await restored(cases.id)
    await restored(link)
    expect(await values(tasks, task)).toEqual({ title: 'task', case: one })
    expect(await doctorFindings(app)).toEqual([])
  })

  test('gets another name if its name is in use, and can be deleted permanently', async () => {
    await createRecords(owner, cases, { title: 'one' })
    await removeCollection(cases)
    const { body } = await owner.post('/api/collections', { label: 'Other', name: cases.name })
    expect((await restored(cases.id)).name).not.toBe(cases.name)
    await owner.delete(`/api/collections/${cases.id}`)
    expect((await owner.delete(`/api/trash/definitions/${cases.id}`)).status).toBe(204)
    expect((await restore(cases.id)).status).toBe(404)
    await owner.delete(`/api/collections/${body.id}`)
    expect(await doctorFindings(app)).toEqual([])
  })
})
