import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import type { Permission } from '#domain/access/permission.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import {
  createRecords,
  defineCollection,
  doctorFindings,
  recordsPath as at,
  type TestCollection,
} from '#tests/support/server/test-collections.ts'
import { tusSender } from '#tests/support/files/tus-sender.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let app: TestApp
let url: string
let owner: Caller
let cases: TestCollection
let tasks: TestCollection

beforeAll(async () => {
  app = await openTestApp()
  url = await app.listen()
})
afterAll(() => app.close())

const define = (label: string, fields: readonly object[]) => defineCollection(owner, label, fields)

beforeEach(async () => {
  owner = await app.asOwner()
  cases = await define('Cases', [
    { label: 'Title', kind: 'text' },
    { label: 'Code', kind: 'text', unique: true },
    { label: 'Size', kind: 'number' },
    { label: 'Files', kind: 'files' },
  ])
  tasks = await define('Tasks', [
    { label: 'Title', kind: 'text' },
    { label: 'Case', kind: 'relation', options: { collection: cases.id } },
  ])
})

const create = (of: TestCollection, ...values: readonly object[]) => createRecords(owner, of, ...values)

async function remove(of: TestCollection, ids: readonly string[], who = owner): Promise<void> {
  const { status, text } = await who.post(`${at(of)}/bulk`, { delete: ids })
  expect(status, text).toBe(200)
}

type Item = { readonly record: { readonly id: string; readonly values: { readonly title?: string } } }

const trash = async (query = '', who = owner): Promise<readonly Item[]> =>
  (await who.get(`/api/trash?collection=${cases.id}${query}`)).body.items

const titles = (items: readonly Item[]) => items.map(({ record }) => record.values.title)

async function restore(ids: readonly string[], who = owner) {
  const { status, body, text } = await who.post('/api/trash/restore', { records: ids })
  expect(status, text).toBe(200)
  return body
}

const grant = (permission: Permission, rest: Partial<Grant> = {}): Grant => ({
  permission,
  collection: cases.id,
  ...rest,
})

const small = (): Partial<Grant> => ({ where: { field: cases.fields['size'] ?? '', op: '<', value: 10 } })

describe('the trash', () => {
  test('lists deleted records with their values, who deleted them, and until when they are kept', async () => {
    const [id = ''] = await create(cases, { title: 'First', size: 4 })
    await remove(cases, [id])
    const deletedAt = app.clock.now()
    const expiresAt = new Date(deletedAt.getTime() + 30 * DAY_MS).toISOString()
    const deletedBy = { id: owner.userId, name: 'owner' }
    const [item] = await trash()
    expect(item).toMatchObject({ collection: cases.id, deletedAt: deletedAt.toISOString(), deletedBy, expiresAt })
    expect(item?.record).toMatchObject({ id, version: 1, values: { title: 'First', size: 4 } })
  })

  test('is searched by words, and is paged', async () => {
    const ids = await create(cases, ...['Red house', 'Blue house', 'Red boat'].map((title) => ({ title })))
    await remove(cases, ids)
    expect(titles(await trash('&search=HOUSE red'))).toEqual(['Red house'])
    const first = (await owner.get(`/api/trash?collection=${cases.id}&perPage=2`)).body
    const second = await trash(`&perPage=2&before=${first.next}`)
    expect(new Set([...titles(first.items), ...titles(second)])).toEqual(
      new Set(['Blue house', 'Red boat', 'Red house']),
    )
  })

  test('no longer contains restored records', async () => {
    const [id = ''] = await create(cases, { title: 'First' })
    await remove(cases, [id])
    expect(await restore([id])).toEqual({ restored: 1 })
    expect(await trash()).toEqual([])
    expect((await owner.get(`${at(cases)}/${id}`)).body.values.title).toBe('First')
  })

  test('keeps records for as many days as the owner sets', async () => {
    const [old = '', young = ''] = await create(cases, { title: 'Old' }, { title: 'Young' })
    await remove(cases, [old])
    app.clock.move(20 * DAY_MS)
    owner = await app.asOwner()
    await remove(cases, [young])
    const editor = await app.asEditor()
    expect((await editor.patch('/api/workspace/trash', { days: 7 })).status).toBe(403)
    expect((await owner.patch('/api/workspace/trash', { days: 0 })).body.errors[0].path).toBe('days')
    expect((await owner.patch('/api/workspace/trash', { days: 7 })).body).toEqual({ days: 7, historyDays: null })
    expect(titles(await trash())).toEqual(['Young'])
    expect((await restore([old, young])).restored).toBe(1)
    await owner.patch('/api/workspace/trash', { days: 30 })
    // A starting server removes expired records.
    app.clock.move(31 * DAY_MS)
    owner = await app.asOwner()
    await (await app.startAnother()).stop()
    await owner.patch('/api/workspace/trash', { days: 365 })
    expect(await trash()).toEqual([])
    await owner.patch('/api/workspace/trash', { days: 30 })
  })

  test('forgets records that are deleted permanently, with their files', async () => {
    const target = { collection: cases.name, field: 'files' }
    const file = await tusSender(url, owner).send(target, Buffer.from('one'), 'a.txt')
    const [id = ''] = await create(cases, { title: 'First', files: [file] })
    await remove(cases, [id])
    expect((await owner.post('/api/trash/delete', { records: [id] })).body).toEqual({ deleted: 1 })
    expect(await trash()).toEqual([])
    const said = await restore([id])
    expect([said.restored, said.refused[0].records]).toEqual([0, [id]])
    app.clock.move(1000)
    await (await app.startAnother()).stop()
    expect((await owner.get(`/api/files/${file}`)).status).toBe(404)
    expect(await doctorFindings(app)).toEqual([])
  })
})

describe('restoring from the trash', () => {
  test('brings back files and links, also of records deleted later', async () => {
    const target = { collection: cases.name, field: 'files' }
    const file = await tusSender(url, owner).send(target, Buffer.from('one'), 'a.txt')
    const [case1 = ''] = await create(cases, { title: 'First', files: [file] })
    const [task = ''] = await create(tasks, { title: 'Call', case: case1 })
    await remove(cases, [case1])
    app.clock.move(25 * DAY_MS)
    owner = await app.asOwner()
    await restore([case1])
    expect((await owner.get(`${at(tasks)}/${task}`)).body.values.case).toBe(case1)
    expect((await owner.get(`${at(cases)}/${case1}`)).body.values.files).toEqual([file])
    expect((await owner.get(`/api/files/${file}`)).status).toBe(200)
    expect(await doctorFindings(app)).toEqual([])
  })

  test('names conflicts, and restores the rest', async () => {
    const [one = '', two = ''] = await create(cases, { title: 'One', code: 'A' }, { title: 'Two', code: 'B' })
    await remove(cases, [one, two])
    await create(cases, { title: 'New', code: 'A' })
    const said = await restore([one, two])
    expect(said.restored).toBe(1)
    expect(said.refused).toEqual([{ message: expect.stringMatching(/Code/), count: 1, records: [one] }])
    expect(titles(await trash())).toEqual(['One'])
  })

  test('is part of the history of the record', async () => {
    const [id = ''] = await create(cases, { title: 'One' })
    await remove(cases, [id])
    await restore([id])
    const { items } = (await owner.get(`${at(cases)}/${id}/history`)).body
    expect(items.map(({ kind, via }: { kind: string; via: string }) => [kind, via])).toEqual([
      ['restored', 'restore'],
      ['deleted', 'web'],
      ['created', 'web'],
    ])
  })
})

describe('what can no longer be restored', () => {
  test('a permanently deleted record, not even by undoing its deletion', async () => {
    const [id = ''] = await create(cases, { title: 'One' })
    const { changeSet } = (await owner.post(`${at(cases)}/bulk`, { delete: [id] })).body
    await owner.post('/api/trash/delete', { records: [id] })
    const said = (await owner.post(`/api/change-sets/${changeSet}/undo`)).body
    expect([said.restored, said.refused[0].records]).toEqual([0, [id]])
    expect((await owner.get(`${at(cases)}/${id}`)).status).toBe(404)
    const { items } = (await owner.get('/api/audit?kind=records-removed')).body
    expect(items[0]).toMatchObject({ user: { id: owner.userId }, details: { count: '1' } })
  })

  test('a link that was removed by hand together with the deletion', async () => {
    const [id = ''] = await create(cases, { title: 'One' })
    const [task = ''] = await create(tasks, { title: 'Call', case: id })
    const [other = ''] = await create(tasks, { title: 'Write' })
    await owner.post(`${at(tasks)}/bulk`, { update: [{ id: task, values: { case: null } }], delete: [other] })
    await remove(cases, [id])
    await restore([id])
    expect((await owner.get(`${at(tasks)}/${task}`)).body.values.case).toBe(null)
  })
})

describe('access to the trash', () => {
  test('is limited to records and fields that the user could read', async () => {
    const ids = await create(cases, { title: 'Small', code: 'A', size: 1 }, { title: 'Large', code: 'B', size: 11 })
    await remove(cases, ids)
    const reader = await app.asGranted([
      grant('records:read', { ...small(), fields: { except: [cases.fields['code'] ?? ''] } }),
    ])
    const items = await trash('', reader)
    expect(titles(items)).toEqual(['Small'])
    expect(items[0]?.record.values).not.toHaveProperty('code')
    expect(await trash('&search=large', reader)).toEqual([])
    expect(await trash('&search=a', reader)).toHaveLength(1)
    expect((await reader.get('/api/trash')).body.items).toHaveLength(1)
    const stranger = await app.asGranted([])
    expect((await stranger.get(`/api/trash?collection=${cases.id}`)).status).toBe(403)
  })

  test('requires permission to create or update the record for restoring it', async () => {
    const ids = await create(cases, { title: 'Small', size: 1 }, { title: 'Large', size: 11 })
    await remove(cases, ids)
    const reader = await app.asGranted([grant('records:read')])
    const refused = await restore(ids, reader)
    expect([refused.restored, refused.refused[0].count]).toEqual([0, 2])
    const writer = await app.asGranted([grant('records:read'), grant('records:update', small())])
    expect((await restore(ids, writer)).restored).toBe(1)
    expect(titles(await trash())).toEqual(['Large'])
  })

  test('requires permission to delete the record for deleting it permanently', async () => {
    const ids = await create(cases, { title: 'Small', size: 1 }, { title: 'Large', size: 11 })
    await remove(cases, ids)
    const editor = await app.asGranted([grant('records:read'), grant('records:delete', small())])
    expect((await editor.post('/api/trash/delete', { records: ids })).body).toEqual({ deleted: 1 })
    expect(titles(await trash())).toEqual(['Large'])
  })
})
