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

/** Number of matching records above which a bulk change becomes a job. */
const AT_ONCE = 20
const DAY_MS = 24 * 60 * 60 * 1000

let app: TestApp
let url: string
let owner: Caller
/** Cases, and tasks with links to one or several cases. */
let cases: TestCollection
let tasks: TestCollection

beforeAll(async () => {
  app = await openTestApp({ changedAtOnce: AT_ONCE })
  url = await app.listen()
})
afterAll(() => app.close())

const define = (label: string, fields: readonly object[]) => defineCollection(owner, label, fields)

beforeEach(async () => {
  owner = await app.asOwner()
  cases = await define('Cases', [
    { label: 'Title', kind: 'text', required: true },
    { label: 'Code', kind: 'text', unique: true },
    { label: 'Number', kind: 'auto-number' },
    { label: 'Size', kind: 'number' },
    { label: 'Files', kind: 'files' },
    { label: 'Status', kind: 'state', options: { choices: [{ name: 'New' }, { name: 'Closed' }] } },
  ])
  tasks = await define('Tasks', [
    { label: 'Title', kind: 'text' },
    { label: 'Case', kind: 'relation', options: { collection: cases.id } },
    { label: 'Cases', kind: 'relation', options: { collection: cases.id, many: true } },
  ])
})

const read = async (of: TestCollection, id: string, who = owner) => (await who.get(`${at(of)}/${id}`)).body

const create = (of: TestCollection, ...values: readonly object[]) => createRecords(owner, of, ...values)

async function remove(of: TestCollection, body: object, who = owner): Promise<string> {
  const { status, body: said, text } = await who.post(`${at(of)}/bulk`, body)
  expect(status, text).toBe(200)
  return said.changeSet
}

const undo = (changeSet: string, who = owner) => who.post(`/api/change-sets/${changeSet}/undo`)

async function undone(changeSet: string, who = owner) {
  const { status, body, text } = await undo(changeSet, who)
  expect(status, text).toBe(200)
  const { changeSet: _, ...outcome } = body
  return outcome
}

const restored = (count: number) => ({ restored: count, changed: 0, deleted: 0 })

const grant = (permission: Permission, rest: Partial<Grant> = {}): Grant => ({
  permission,
  collection: cases.id,
  ...rest,
})

async function ended(job: string) {
  for (;;) {
    const { body } = await owner.get(`/api/jobs/${job}`)
    if (body.state !== 'running') return body
  }
}

const count = async (of: TestCollection): Promise<number> =>
  (await owner.get(`${at(of)}?perPage=1&count=exact`)).body.total

describe('undoing a deletion', () => {
  test('restores values, creation data, number, status and files under the same ID with a new version', async () => {
    const file = await tusSender(url, owner).send(
      { collection: cases.name, field: 'files' },
      Buffer.from('one'),
      'a.txt',
    )
    const [id = ''] = await create(cases, { title: 'First', code: 'A', size: 4, files: [file] })
    await owner.patch(`${at(cases)}/${id}`, { values: { size: 5 } })
    const before = await read(cases, id)
    app.clock.move(1000)
    const changeSet = await remove(cases, { delete: [id] })
    expect((await owner.get(`${at(cases)}/${id}`)).status).toBe(404)
    app.clock.move(1000)
    expect(await undone(changeSet)).toEqual(restored(1))
    const { version, updatedAt, ...after } = await read(cases, id)
    expect(after).toEqual({ ...before, version: undefined, updatedAt: undefined })
    expect([version, Date.parse(updatedAt) - Date.parse(before.updatedAt)]).toEqual([before.version + 1, 2000])
    expect((await owner.get(`/api/files/${file}`)).status).toBe(200)
    // Auto numbers aren't reused after the undo.
    const [next = ''] = await create(cases, { title: 'Next' })
    expect((await read(cases, next)).values.number).toBe(before.values.number + 1)
    expect((await owner.get(`${at(cases)}?search=First`)).body.items).toHaveLength(1)
  })

  test('restores links at their original positions, alongside links added in the meantime', async () => {
    const [a = '', b = '', c = '', d = ''] = await create(cases, ...['a', 'b', 'c', 'd'].map((title) => ({ title })))
    const [one = '', other = ''] = await create(tasks, { case: b, cases: [a, b, c] }, { case: c, cases: [b] })
    const changeSet = await remove(cases, { delete: [b, c] })
    expect((await read(tasks, one)).values).toMatchObject({ case: null, cases: [a] })
    await owner.patch(`${at(tasks)}/${one}`, { values: { cases: [a, d] } })
    await owner.patch(`${at(tasks)}/${other}`, { values: { case: d } })
    expect(await undone(changeSet)).toEqual(restored(2))
    expect((await read(tasks, one)).values).toMatchObject({ case: b, cases: [a, b, c, d] })
    expect((await read(tasks, other)).values).toMatchObject({ case: d, cases: [b] })
  })

  test('restores links regardless of the order in which two deletions are undone', async () => {
    const undoBoth = async (isReversed: boolean) => {
      const [target = ''] = await create(cases, { title: 'Target' })
      const [task = ''] = await create(tasks, { case: target, cases: [target] })
      const sets = [await remove(cases, { delete: [target] }), await remove(tasks, { delete: [task] })]
      for (const set of isReversed ? sets.toReversed() : sets) await undone(set)
      expect((await read(tasks, task)).values).toMatchObject({ case: target, cases: [target] })
    }
    await undoBoth(false)
    await undoBoth(true)
  })

  test("doesn't restore a link that was removed after the deletion", async () => {
    const [target = ''] = await create(cases, { title: 'Target' })
    const [task = ''] = await create(tasks, { case: target })
    await undone(await remove(cases, { delete: [target] }))
    await owner.patch(`${at(tasks)}/${task}`, { values: { case: null } })
    await undone(await remove(tasks, { delete: [task] }))
    expect((await read(tasks, task)).values.case).toBeNull()
  })

  test("is idempotent and doesn't restore records that were deleted again", async () => {
    const ids = await create(cases, { title: 'a' }, { title: 'b' })
    const first = await remove(cases, { delete: ids })
    expect(await Promise.all([undone(first), undone(first)])).toEqual([restored(2), restored(2)])
    await owner.patch(`${at(cases)}/${ids[0]}`, { values: { title: 'changed' } })
    const second = await remove(cases, { delete: [ids[0]] })
    expect(await undone(first)).toMatchObject({
      restored: 1,
      refused: [{ message: 'Restored, then deleted again.', records: [ids[0]] }],
    })
    await undone(second)
    expect((await read(cases, ids[0] ?? '')).values.title).toBe('changed')
  })

  test('skips records whose unique value is now in use, and can restore them later', async () => {
    const [a = '', b = ''] = await create(cases, { title: 'a', code: 'A' }, { title: 'b', code: 'B' })
    const changeSet = await remove(cases, { where: { only: [a, b] }, delete: true })
    const [taker = ''] = await create(cases, { title: 'taker', code: 'A' })
    expect(await undone(changeSet)).toEqual({
      ...restored(1),
      refused: [{ message: 'Another record already has this Code, and it must be unique.', count: 1, records: [a] }],
    })
    await owner.patch(`${at(cases)}/${taker}`, { values: { code: 'C' } })
    expect(await undone(changeSet)).toEqual(restored(2))
    expect((await read(cases, a)).values.code).toBe('A')
  })

  test('omits values that can no longer be restored, and names their fields', async () => {
    const [target = ''] = await create(cases, { title: 'Target' })
    const [task = ''] = await create(tasks, { title: '12', case: target })
    const changeSet = await remove(tasks, { delete: [task] })
    await remove(cases, { delete: [target] })
    const title = `/api/collections/${tasks.name}/fields/${tasks.fields['title']}`
    expect((await owner.patch(title, { kind: 'number' })).status).toBe(200)
    await owner.post(`/api/collections/${tasks.name}/fields`, { label: 'Added', kind: 'checkbox' })
    expect(await undone(changeSet)).toEqual({
      ...restored(1),
      lost: [{ message: 'Case couldn’t be fully restored.', count: 1, records: [task] }],
    })
    expect((await read(tasks, task)).values).toMatchObject({ title: 12, case: null, added: false })
    expect(await doctorFindings(app)).toEqual([])
  })

  test('skips validation rules', async () => {
    const [id = ''] = await create(cases, { title: 'Small', size: 1 })
    const changeSet = await remove(cases, { delete: [id] })
    const rules = [{ when: '', then: 'size > 3', message: 'Too small.' }]
    await owner.patch(`/api/collections/${cases.name}`, { rules })
    expect(await undone(changeSet)).toEqual(restored(1))
  })

  test('is possible as long as the records are in the trash', async () => {
    const file = await tusSender(url, owner).send(
      { collection: cases.name, field: 'files' },
      Buffer.from('two'),
      'b.txt',
    )
    const [id = ''] = await create(cases, { title: 'First', files: [file] })
    const scopes = ['records:read', 'records:delete']
    const program = app.withToken((await owner.post('/api/tokens', { name: 't', scopes })).body.token)
    const first = await remove(cases, { delete: [id] }, program)
    app.clock.move(30 * DAY_MS)
    await (await app.startAnother()).stop()
    expect(await undone(first, program)).toEqual(restored(1))
    expect((await program.get(`/api/files/${file}`)).status).toBe(200)
    const second = await remove(cases, { delete: [id] }, program)
    app.clock.move(30 * DAY_MS + 1000)
    expect(await undo(second, program)).toMatchObject({ status: 410, body: { code: 'gone' } })
  })
})

describe('permission to undo a deletion', () => {
  test('is that to read and delete the records, for the user who deleted them', async () => {
    let grants: readonly Grant[] = []
    const mine = { field: cases.fields['size'] ?? '', op: '<', value: 10 } as const
    const who = await app.asGranted(() => grants)
    grants = [grant('records:read'), grant('records:delete')]
    const [small = '', large = ''] = await create(cases, { title: 'small', size: 1 }, { title: 'large', size: 11 })
    const changeSet = await remove(cases, { delete: [small, large] }, who)
    const stranger = await app.asGranted([grant('records:read', { collection: tasks.id })])
    expect((await undo(changeSet, stranger)).status).toBe(404)
    expect((await undo('0'.repeat(26), who)).status).toBe(404)

    grants = [grant('records:read')]
    expect((await undo(changeSet, who)).status).toBe(403)
    grants = []
    expect((await undo(changeSet, who)).status).toBe(403)
    grants = [grant('records:read', { where: mine }), grant('records:delete')]
    expect(await undone(changeSet, who)).toMatchObject({ restored: 1, refused: [{ count: 1, records: [large] }] })
    expect((await read(cases, small)).values.title).toBe('small')
    expect((await owner.get(`${at(cases)}/${large}`)).status).toBe(404)
  })

  test('reveals nothing about unreadable fields', async () => {
    const who = await app.asGranted([
      grant('records:read', { collection: tasks.id, fields: { except: [tasks.fields['case'] ?? ''] } }),
      grant('records:delete', { collection: tasks.id }),
    ])
    const [target = ''] = await create(cases, { title: 'Target' })
    const [task = ''] = await create(tasks, { title: 'Task', case: target })
    const changeSet = await remove(tasks, { delete: [task] }, who)
    await remove(cases, { delete: [target] })
    expect(await undone(changeSet, who)).toEqual(restored(1))
  })
})

describe('a deletion job', () => {
  test('can be undone by a job that also restores links between the deleted records', async () => {
    const ids = await create(cases, ...Array.from({ length: 60 }, (_, n) => ({ title: `Case ${n}` })))
    const [task = ''] = await create(tasks, { cases: ids.slice(10, 30) })
    const deleting = await owner.post(`${at(cases)}/bulk`, { where: {}, delete: true, expected: 60 })
    expect(deleting.status, deleting.text).toBe(202)
    expect(await ended(deleting.body.job)).toMatchObject({ state: 'done', done: 60 })
    expect(await count(cases)).toBe(0)

    const { status, body, text } = await undo(deleting.body.job)
    expect(status, text).toBe(202)
    expect(await ended(body.job)).toMatchObject({ does: 'restore', state: 'done', total: 60, done: 60, lost: 0 })
    expect(await count(cases)).toBe(60)
    expect((await read(tasks, task)).values.cases).toEqual(ids.slice(10, 30))
    expect(await doctorFindings(app)).toEqual([])

    const again = await undo(deleting.body.job)
    expect(await ended(again.body.job)).toMatchObject({ state: 'done', done: 60 })
    expect(await count(cases)).toBe(60)
  })
})

describe('a deletion by query', () => {
  const where = { filter: 'size < 100' }

  test('counts only records the user can delete, and is rejected if more records match than confirmed', async () => {
    const rows = (from: number, n: number) => Array.from({ length: n }, (_, k) => ({ title: 't', size: from + k }))
    await create(cases, ...rows(0, 30))
    const who = await app.asGranted([
      grant('records:read'),
      grant('records:delete', { where: { field: cases.fields['size'] ?? '', op: '<', value: 10 } }),
    ])
    const counted = (caller: Caller, given: object) =>
      caller.post(`${at(cases)}/bulk/count`, { where: given, delete: true }).then(({ body }) => body.count)
    expect(await counted(owner, where)).toBe(30)
    expect(await counted(who, where)).toBe(10)
    const all = (await owner.get(`${at(cases)}?perPage=500&sort=size`)).body.items.map(({ id }: { id: string }) => id)
    expect(await counted(who, { only: all.slice(5, 15) })).toBe(5)
    const read = { where: { filter: 'size < 8', only: all.slice(5, 15) } }
    expect((await who.post(`${at(cases)}/bulk/count`, read)).body).toEqual({ count: 3 })

    await create(cases, ...rows(30, 2))
    const more = await owner.post(`${at(cases)}/bulk`, { where, delete: true, expected: 30 })
    expect(more).toMatchObject({ status: 409, body: { code: 'count-changed', count: 32 } })
    expect(await count(cases)).toBe(32)

    const only = await who.post(`${at(cases)}/bulk`, { where, delete: true, expected: 10 })
    expect(only).toMatchObject({ status: 200, body: { deleted: 10 } })
    expect(await undone(only.body.changeSet, who)).toEqual(restored(10))
    const fewer = await owner.post(`${at(cases)}/bulk`, { where: { filter: 'size < 3' }, delete: true, expected: 9 })
    expect(fewer.body).toMatchObject({ deleted: 3 })
  })
})
