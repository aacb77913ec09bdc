import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RecordChange } from '#api/changes.ts'
import type { Grant } from '#domain/access/grant.ts'
import type { Permission } from '#domain/access/permission.ts'
import { storeWorkspaceValue } from '#server/platform/database/workspace-values.ts'
import { CHANGE_LOG_ID } from '#server/records/changes/change-log.ts'
import { readLogId } from '#server/records/changes/commit-order-store.ts'
import { EVENTUALLY } from '#tests/support/clock/eventually.ts'
import { logSettled } from '#tests/support/database/settled-log.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import {
  createRecords,
  defineCollection,
  recordsPath as at,
  type TestCollection,
} from '#tests/support/server/test-collections.ts'

let app: TestApp
let owner: Caller
let cases: TestCollection

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

beforeEach(async () => {
  owner = await app.asOwner()
  cases = await defineCollection(owner, 'Cases', [
    { label: 'Title', kind: 'text' },
    { label: 'Code', kind: 'text' },
    { label: 'Size', kind: 'number' },
    { label: 'State', kind: 'state', options: { choices: [{ name: 'New' }, { name: 'Open' }] } },
  ])
})

const create = (...values: readonly object[]) => createRecords(owner, cases, ...values)

async function edit(id: string, values: object, who = owner): Promise<void> {
  const { status, text } = await who.patch(`${at(cases)}/${id}`, { values })
  expect(status, text).toBe(200)
}

async function change(body: object, who = owner): Promise<string> {
  const { status, body: said, text } = await who.post(`${at(cases)}/bulk`, body)
  expect(status, text).toBe(200)
  return said.changeSet
}

type Page = { readonly items: readonly RecordChange[]; readonly next: string; readonly isComplete: boolean }

async function page(query: object, who = owner): Promise<Page> {
  await logSettled(app.database)
  const { status, body, text } = await who.get(`/api/changes?${new URLSearchParams({ ...query })}`)
  expect(status, text).toBe(200)
  return body
}

const now = async (who = owner): Promise<string> => (await page({ after: 'now' }, who)).next

/** All pages after a cursor. */
async function pagesAfter(after: string, query: object = {}, who = owner): Promise<readonly Page[]> {
  const pages: Page[] = []
  for (let next = after; ; ) {
    const one = await page({ ...query, after: next }, who)
    pages.push(one)
    if (one.isComplete) return pages
    expect(one.next).not.toBe(next)
    next = one.next
  }
}

const itemsAfter = async (...from: Parameters<typeof pagesAfter>): Promise<readonly RecordChange[]> =>
  (await pagesAfter(...from)).flatMap(({ items }) => items)

const grant = (permission: Permission, rest: Partial<Grant> = {}): Grant => ({
  permission,
  collection: cases.id,
  ...rest,
})

const small = (): Partial<Grant> => ({ where: { field: cases.fields['size'] ?? '', op: '<', value: 10 } })

describe('changes of records', () => {
  test('are listed in the order in which they were saved', async () => {
    const [fresh, open] = (await owner.get(`/api/collections/${cases.name}`)).body.fields
      .find(({ kind }: { kind: string }) => kind === 'state')
      .options.choices.map(({ id }: { id: string }) => id)
    await owner.patch(`/api/collections/${cases.name}`, {
      workflow: { transitions: [{ name: 'Begin', from: fresh, to: open }] },
    })
    const start = await now()
    const [a = '', b = ''] = await create({ title: 'a' }, { title: 'b' })
    await edit(a, { title: 'x', size: 1 })
    await change({ where: { only: [a] }, transition: { to: 'Open' } })
    const deletion = await change({ delete: [b] })
    const { status, text } = await owner.post(`/api/change-sets/${deletion}/undo`)
    expect(status, text).toBe(200)
    const items = await itemsAfter(start)
    const common = { user: owner.userId, via: 'web', collection: cases.id, fields: [] }
    expect(items).toMatchObject([
      { ...common, kind: 'created', record: a },
      { ...common, kind: 'created', record: b },
      { ...common, kind: 'changed', record: a, fields: ['title', 'size'] },
      { ...common, kind: 'moved', record: a, fields: ['state'] },
      { ...common, kind: 'deleted', record: b, changeSet: deletion },
      { ...common, kind: 'restored', record: b, via: 'restore' },
    ])
    expect(items[0]?.changeSet).toBe(items[1]?.changeSet)
    expect(JSON.stringify(items)).not.toMatch(/"x"/)
  })

  test('are neither missed nor repeated by a client that continues with `next`', async () => {
    const start = await now()
    await create(...Array.from({ length: 250 }, (_, size) => ({ title: 'a', size })))
    const pages = await pagesAfter(start, { limit: 120 })
    expect(pages.map(({ items }) => items.length)).toEqual([120, 120, 10])
    expect(pages.map(({ isComplete }) => isComplete)).toEqual([false, false, true])
    const [later = ''] = await create({ title: 'later' })
    const more = await itemsAfter(pages.at(-1)?.next ?? '')
    expect(more).toMatchObject([{ kind: 'created', record: later }])
    const all = await itemsAfter(start)
    expect(all).toEqual([...pages.flatMap(({ items }) => items), ...more])
    expect(new Set(all.map(({ id }) => id)).size).toBe(251)
  })

  test('begin with the first entry of the log, and can be limited to one collection', async () => {
    const [id = ''] = await create({ title: 'a' })
    const other = await defineCollection(owner, 'Others', [{ label: 'Title', kind: 'text' }])
    await createRecords(owner, other, { title: 'b' })
    const first = await page({ limit: '1' })
    const items = await itemsAfter(first.next)
    expect([...first.items, ...items].filter(({ collection }) => collection === cases.id)).toMatchObject([
      { record: id },
    ])
    expect(items.at(-1)?.collection).toBe(other.id)
    for (const collection of [cases.id, cases.name]) expect(await itemsAfter(await now(), { collection })).toEqual([])
    const only = await itemsAfter(first.next, { collection: cases.name })
    expect(new Set(only.map((item) => item.collection))).toEqual(new Set([cases.id]))
    expect((await owner.get('/api/changes?collection=nothing')).status).toBe(404)
  })

  test('from now on begin with the next change', async () => {
    await create({ title: 'before' })
    const begun = await page({ after: 'now' })
    expect(begun).toMatchObject({ items: [], isComplete: true })
    const [id = ''] = await create({ title: 'after' })
    expect(await itemsAfter(begun.next)).toMatchObject([{ kind: 'created', record: id }])
  })

  test('made by an import are one entry with the ID of the import', async () => {
    const start = await now()
    const path = `/api/collections/${cases.name}/imports`
    const headers = { 'content-type': 'text/csv' }
    const raw = 'Title,Size\na,1\nb,2\n'
    const begun = await owner.request('POST', `${path}?name=cases.csv`, { raw, headers })
    expect(begun.status, begun.text).toBe(202)
    const { id } = begun.body
    await expect.poll(async () => (await owner.get(`${path}/${id}`)).body.state, EVENTUALLY).toBe('done')
    expect(await itemsAfter(start)).toMatchObject([
      { kind: 'imported', via: 'import', collection: cases.id, record: null, changeSet: id, fields: [] },
    ])
  })

  test('are listed for an API token', async () => {
    const made = await owner.post('/api/tokens', { name: 'Sync', scopes: ['records:read', 'records:update'] })
    expect(made.status, made.text).toBe(201)
    const sync = app.withToken(made.body.token)
    const [id = ''] = await create({ title: 'a' })
    const start = await now(sync)
    await edit(id, { title: 'b' }, sync)
    expect(await itemsAfter(start, {}, sync)).toMatchObject([
      { kind: 'changed', via: 'token', user: owner.userId, record: id, fields: ['title'] },
    ])
    const without = await owner.post('/api/tokens', { name: 'Other', scopes: ['records:create'] })
    expect((await app.withToken(without.body.token).get('/api/changes')).status).toBe(403)
  })
})

describe('a reader with limited access', () => {
  test('gets changes of records and fields that they could and can read', async () => {
    const readable = { ...small(), fields: { except: [cases.fields['code'] ?? ''] } }
    const who = await app.asGranted([grant('records:read', readable)])
    const start = await now(who)
    const [seen = '', hidden = ''] = await create({ title: 'a', size: 1 }, { title: 'b', size: 11 })
    await edit(hidden, { title: 'hidden' })
    await edit(seen, { code: 'hidden' })
    await edit(seen, { title: 'x', code: 'both' })
    await edit(seen, { size: 2 })
    expect(await itemsAfter(start, {}, who)).toMatchObject([
      { kind: 'created', record: seen },
      { kind: 'changed', record: seen, fields: ['title'] },
      { kind: 'changed', record: seen, fields: ['size'] },
    ])
    await change({ delete: [seen, hidden] })
    expect((await itemsAfter(start, {}, who)).at(-1)).toMatchObject({ kind: 'deleted', record: seen })
    expect(JSON.stringify(await itemsAfter(start, {}, who))).not.toMatch(new RegExp(`${hidden}|code`))
  })

  test('gets no changes of fields or collections that they can’t read', async () => {
    const who = await app.asGranted([grant('records:read', { fields: { except: [cases.fields['code'] ?? ''] } })])
    const other = await defineCollection(owner, 'Others', [{ label: 'Title', kind: 'text' }])
    const [id = ''] = await create({ title: 'a' })
    const start = await now(who)
    await createRecords(owner, other, { title: 'b' })
    await edit(id, { code: 'hidden' })
    expect(await itemsAfter(start, {}, who)).toEqual([])
    expect((await who.get(`/api/changes?collection=${other.id}`)).status).toBe(404)
  })

  test('can’t tell from the cursor whether up to 99 hidden changes were made', async () => {
    const who = await app.asGranted([grant('records:read', small())])
    await create({ title: 'seen', size: 1 })
    const start = await now(who)
    await create(...Array.from({ length: 99 }, () => ({ size: 11 })))
    expect(await page({ after: start }, who)).toEqual({ items: [], next: start, isComplete: true })
    expect(await now(who)).toBe(start)
    await create({ size: 11 })
    const { next, ...rest } = await page({ after: start }, who)
    expect(rest).toEqual({ items: [], isComplete: true })
    expect(next).not.toBe(start)
    const [id = ''] = await create({ title: 'seen', size: 1 })
    for (const from of [start, next])
      expect(await itemsAfter(from, {}, who)).toMatchObject([{ kind: 'created', record: id }])
  })

  test('gets empty pages while there is more to read', async () => {
    const who = await app.asGranted([grant('records:read', small())])
    const start = await now(who)
    for (let round = 0; round < 2; round += 1) await create(...Array.from({ length: 200 }, () => ({ size: 11 })))
    const [id = ''] = await create({ title: 'seen', size: 1 })
    const [first, ...more] = await pagesAfter(start, {}, who)
    expect(first).toMatchObject({ items: [], isComplete: false })
    expect(more.flatMap(({ items }) => items)).toMatchObject([{ kind: 'created', record: id }])
  })
})

describe('a cursor', () => {
  test('that isn’t valid is rejected', async () => {
    const log = await readLogId(app.database.read)
    for (const after of ['x', `${log}.${'0'.repeat(26)}`, `${log}.'`, '']) {
      const { status, body } = await owner.get(`/api/changes?${new URLSearchParams({ after })}`)
      expect([status, body.code, body.errors?.[0]?.path], after).toEqual([400, 'invalid-cursor', 'after'])
    }
    expect((await owner.get('/api/changes?limit=501')).status).toBe(400)
    expect((await owner.get('/api/changes?limit=0')).status).toBe(400)
  })

  test('is no longer valid when the log was restored from a backup', async () => {
    const log = await readLogId(app.database.read)
    const start = await now()
    const rename = (id: string) => app.database.write(({ db }) => storeWorkspaceValue(db, CHANGE_LOG_ID, id))
    await rename('restored')
    const { status, body } = await owner.get(`/api/changes?after=${start}`)
    expect([status, body.code]).toEqual([410, 'gone'])
    await rename(log)
    expect(await itemsAfter(start)).toEqual([])
  })
})
