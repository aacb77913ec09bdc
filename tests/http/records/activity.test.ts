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

/** Number of records above which a change is undone by a job. */
const AT_ONCE = 20

let app: TestApp
let owner: Caller
let cases: TestCollection
let tasks: TestCollection

beforeAll(async () => {
  app = await openTestApp({ changedAtOnce: AT_ONCE })
  await app.listen()
})
afterAll(() => app.close())

beforeEach(async () => {
  owner = await app.asOwner()
  cases = await defineCollection(owner, 'Cases', [
    { label: 'Title', kind: 'text' },
    { label: 'Code', kind: 'text', unique: true },
    { label: 'Size', kind: 'number' },
    { label: 'Kind', kind: 'select', options: { choices: [{ name: 'Big' }, { name: 'Small' }] } },
    { label: 'State', kind: 'state', options: { choices: [{ name: 'New' }, { name: 'Open' }, { name: 'Closed' }] } },
  ])
  tasks = await defineCollection(owner, 'Tasks', [
    { label: 'Title', kind: 'text' },
    { label: 'Case', kind: 'relation', options: { collection: cases.id } },
  ])
})

const create = (of: TestCollection, ...values: readonly object[]) => createRecords(owner, of, ...values)

/** Changes records and returns the change set. */
async function change(of: TestCollection, body: object, who = owner): Promise<string> {
  const { status, body: said, text } = await who.post(`${at(of)}/bulk`, body)
  expect(status, text).toBe(200)
  return said.changeSet
}

const update = (of: TestCollection, ids: readonly string[], values: object, who = owner) =>
  change(of, { update: ids.map((id) => ({ id, values })) }, who)

async function edit(of: TestCollection, id: string, values: object, who = owner): Promise<void> {
  const { status, text } = await who.patch(`${at(of)}/${id}`, { values })
  expect(status, text).toBe(200)
}

const undo = (changeSet: string, who = owner, query = '') => who.post(`/api/change-sets/${changeSet}/undo${query}`)

async function undone(changeSet: string, who = owner, query = '') {
  const { status, body, text } = await undo(changeSet, who, query)
  expect(status, text).toBe(200)
  const { changeSet: _, ...outcome } = body
  return outcome
}

const NOTHING = { restored: 0, changed: 0, deleted: 0 }

const read = async (of: TestCollection, id: string, who = owner) => (await who.get(`${at(of)}/${id}`)).body
const values = async (of: TestCollection, id: string) => (await read(of, id)).values
const exists = async (of: TestCollection, id: string) => (await owner.get(`${at(of)}/${id}`)).status === 200
const count = async (of: TestCollection): Promise<number> =>
  (await owner.get(`${at(of)}?perPage=1&count=exact`)).body.total

type Entry = {
  readonly id: string
  readonly undoes: string | null
  readonly isUndone: boolean
  readonly parts: readonly object[]
}

async function activity(query = '', who = owner): Promise<readonly Entry[]> {
  const { status, body, text } = await who.get(`/api/activity?collection=${cases.id}${query}`)
  expect(status, text).toBe(200)
  return body.items
}

const grant = (permission: Permission, rest: Partial<Grant> = {}): Grant => ({
  permission,
  collection: cases.id,
  ...rest,
})

const small = (): Partial<Grant> => ({ where: { field: cases.fields['size'] ?? '', op: '<', value: 10 } })

async function ended(job: string) {
  for (;;) {
    const { body } = await owner.get(`/api/jobs/${job}`)
    if (body.state !== 'running') return body
  }
}

async function importCsv(of: TestCollection, raw: string, query = ''): Promise<string> {
  const headers = { 'content-type': 'text/csv' }
  const path = `/api/collections/${of.name}/imports`
  const begun = await owner.request('POST', `${path}?name=cases.csv${query}`, { raw, headers })
  expect(begun.status, begun.text).toBe(202)
  const { id } = begun.body
  await expect.poll(async () => (await owner.get(`${path}/${id}`)).body.state, { interval: 20 }).toBe('done')
  return id
}

describe('undoing a change', () => {
  test('sets values back, and keeps those that were changed since', async () => {
    const [a = '', b = ''] = await create(cases, { title: 'a', size: 1 }, { title: 'b', size: 2 })
    const changeSet = await update(cases, [a, b], { title: 'new', size: 9 })
    await edit(cases, b, { size: 10 })
    const outcome = {
      ...NOTHING,
      changed: 2,
      kept: [{ message: 'Size was changed since.', count: 1, records: [b] }],
    }
    expect(await undone(changeSet, owner, '?preview=true')).toEqual(outcome)
    expect(await values(cases, a)).toMatchObject({ title: 'new', size: 9 })
    expect(await undone(changeSet)).toEqual(outcome)
    expect(await values(cases, a)).toMatchObject({ title: 'a', size: 1 })
    expect(await values(cases, b)).toMatchObject({ title: 'b', size: 10 })
    expect(await undone(changeSet)).toMatchObject(NOTHING)
  })

  test('deletes what it created, except records that were changed since', async () => {
    const changeSet = await change(cases, { create: [{ values: { title: 'a' } }, { values: { title: 'b' } }] })
    const ids = (await owner.get(`${at(cases)}?sort=title`)).body.items.map(({ id }: { id: string }) => id)
    await edit(cases, ids[1], { size: 1 })
    expect(await undone(changeSet)).toEqual({
      ...NOTHING,
      deleted: 1,
      kept: [{ message: 'Kept because of later edits.', count: 1, records: [ids[1]] }],
    })
    expect(await exists(cases, ids[0])).toBe(false)
    expect(await exists(cases, ids[1])).toBe(true)
  })

  test('can be undone itself', async () => {
    const [kept = '', gone = ''] = await create(cases, { title: 'kept', size: 1 }, { title: 'gone' })
    const [task = ''] = await create(tasks, { case: gone })
    const mixed = {
      create: [{ values: { title: 'made' } }],
      update: [{ id: kept, values: { size: 2 } }],
      delete: [gone],
    }
    await change(cases, mixed)
    const titles = async () =>
      (await owner.get(`${at(cases)}?sort=title`)).body.items.map((one: { values: object }) => one.values)
    const after = await titles()
    const states = async () => ({ cases: await titles(), task: await values(tasks, task) })
    for (const step of [0, 1, 2]) {
      const [last] = await activity()
      expect(await undone(last?.id ?? ''), `${step}`).toMatchObject({ changed: expect.any(Number) })
      const { cases: now, task: link } = await states()
      if (step % 2 === 0) {
        expect(now.map(({ title }: { title: string }) => title)).toEqual(['gone', 'kept'])
        expect(link.case).toBe(gone)
      } else expect([now, link.case]).toEqual([after, null])
    }
    expect(await doctorFindings(app)).toEqual([])
  })

  test('names the records that can’t be changed back, and changes the others back', async () => {
    const [a = '', b = '', c = ''] = await create(
      cases,
      { title: 'a', code: 'A', size: 1, kind: 'Big' },
      { title: 'b', code: 'B', size: 5, kind: 'Small' },
      { title: 'c', code: 'C', size: 6 },
    )
    const updates = [a, b, c].map((id) => ({ id, values: { title: 'new', code: `new ${id}`, size: 7, kind: 'Small' } }))
    const changeSet = await change(cases, { update: updates })
    await create(cases, { title: 'taker', code: 'B', size: 8 })
    await owner.patch(`/api/collections/${cases.name}`, {
      rules: [{ when: '', then: 'size > 3', message: 'Too small.' }],
    })
    expect(await undone(changeSet)).toEqual({
      ...NOTHING,
      changed: 2,
      refused: [
        { message: 'Too small.', count: 1, records: [a] },
        { message: 'Another record already has this Code, and it must be unique.', count: 1, records: [b] },
      ],
    })
    expect(await values(cases, a)).toMatchObject({ title: 'new', size: 7 })
    expect(await values(cases, b)).toMatchObject({ title: 'b', code: `new ${b}`, size: 5 })
    expect(await values(cases, c)).toMatchObject({ title: 'c', code: 'C', size: 6 })
  })

  test('sets links back only to records that exist', async () => {
    const [one = '', other = ''] = await create(cases, { title: 'one' }, { title: 'other' })
    const [task = '', second = ''] = await create(tasks, { case: one }, { case: other })
    const changeSet = await update(tasks, [task, second], { case: null })
    await change(cases, { delete: [one] })
    const message = 'Case can’t be set back: the option, file or linked record no longer exists.'
    expect(await undone(changeSet)).toEqual({
      ...NOTHING,
      changed: 1,
      refused: [{ message, count: 1, records: [task] }],
    })
    expect((await values(tasks, second)).case).toBe(other)
  })

  test('follows the workflow for status changes, but undoes one’s own last one for ten minutes', async () => {
    const [field] = (await owner.get(`/api/collections/${cases.name}`)).body.fields.filter(
      ({ kind }: { kind: string }) => kind === 'state',
    )
    const [fresh, open, closed] = field.options.choices.map(({ id }: { id: string }) => id)
    const transitions = [
      { name: 'Begin', from: fresh, to: open },
      { name: 'Close', from: open, to: closed },
      { name: 'Reopen', from: closed, to: open, note: 'required' },
    ]
    await owner.patch(`/api/collections/${cases.name}`, { workflow: { transitions } })
    const [a = '', b = ''] = await create(cases, { title: 'a' }, { title: 'b' })
    const move = (to: string) => change(cases, { where: { only: [a, b] }, transition: { to } })
    const begun = await move('Open')
    expect(await undone(begun)).toEqual({ ...NOTHING, changed: 2 })
    const again = await move('Open')
    app.clock.move(11 * 60_000)
    const message = 'There is no transition from Open to this status.'
    expect(await undone(again)).toEqual({ ...NOTHING, refused: [{ message, count: 2, records: [a, b] }] })
    const done = await move('Closed')
    app.clock.move(11 * 60_000)
    expect(await undone(done)).toEqual({ ...NOTHING, changed: 2 })
    expect((await values(cases, a)).state).toBe('Open')
  })

  test('of many records runs as a job, which can be undone as well', async () => {
    await create(cases, ...Array.from({ length: 50 }, (_, size) => ({ title: 'old', size })))
    const changing = await owner.post(`${at(cases)}/bulk`, { where: {}, update: { values: { title: 'new' } } })
    await ended(changing.body.job)
    const [edited] = (await owner.get(`${at(cases)}?filter=size = 7`)).body.items
    await edit(cases, edited.id, { title: 'edited' })
    const titled = async (title: string) =>
      (await owner.get(`${at(cases)}?perPage=1&count=exact&filter=title = "${title}"`)).body.total
    expect(await undone(changing.body.job, owner, '?preview=true')).toMatchObject({ examined: expect.any(Number) })
    const undoing = await undo(changing.body.job)
    expect(undoing.status, undoing.text).toBe(202)
    const kept = [{ message: 'Title was changed since.', count: 1, records: [edited.id] }]
    expect(await ended(undoing.body.job)).toMatchObject({ state: 'done', total: 50, done: 49, refused: kept })
    expect([await titled('old'), await titled('edited')]).toEqual([49, 1])
    const redoing = await undo(undoing.body.job)
    expect(await ended(redoing.body.job)).toMatchObject({ state: 'done', done: 49 })
    expect(await titled('new')).toBe(49)
  })

  test('of an import deletes imported records unless they were edited, and sets updated ones back', async () => {
    const [old = ''] = await create(cases, { title: 'old', code: 'C0' })
    const rows = Array.from({ length: 30 }, (_, n) => `new ${n},C${n}`)
    const changeSet = await importCsv(cases, ['Title,Code', ...rows].join('\n'), '&key=code')
    expect(await count(cases)).toBe(30)
    const [edited] = (await owner.get(`${at(cases)}?filter=code = "C7"`)).body.items
    await edit(cases, edited.id, { size: 1 })
    expect((await activity())[1]?.parts).toContainEqual(
      expect.objectContaining({ kind: 'records-imported', collection: cases.id, count: 29 }),
    )
    const undoing = await undo(changeSet)
    expect(undoing.status, undoing.text).toBe(202)
    expect(await ended(undoing.body.job)).toMatchObject({
      state: 'done',
      done: 29,
      refused: [{ message: 'Kept because of later edits.', count: 1, records: [edited.id] }],
    })
    expect([await count(cases), (await values(cases, old)).title]).toEqual([2, 'old'])
    expect((await undo(undoing.body.job)).status).toBe(202)
    await expect.poll(() => count(cases), { interval: 20 }).toBe(30)
    expect(await doctorFindings(app)).toEqual([])
  })
})

describe('undoing a change of linked records', () => {
  test('restores a linked record for the user who deleted it, without access to the linking records', async () => {
    const who = await app.asGranted([grant('records:read'), grant('records:delete')])
    const [id = ''] = await create(cases, { title: 'a' })
    const [task = ''] = await create(tasks, { case: id })
    const changeSet = await change(cases, { delete: [id] }, who)
    expect(await undone(changeSet, who)).toEqual({ ...NOTHING, restored: 1 })
    expect((await values(tasks, task)).case).toBe(id)
  })

  test('sets links that were changed together with a deletion back like other values', async () => {
    const [a = '', b = ''] = await create(cases, { title: 'a' }, { title: 'b' })
    const [task = ''] = await create(tasks, { title: 'task', case: a })
    const link = `${at(tasks)}/${task}`
    const changeSet = await change(cases, { update: [{ id: b, values: { title: 'new' } }], delete: [a] })
    const who = await app.asGranted([grant('records:read'), grant('records:create'), grant('records:update')])
    expect(await undone(changeSet, who)).toEqual({ ...NOTHING, restored: 1, changed: 1 })
    expect((await owner.get(link)).body.values.case).toBeNull()
    expect(await undone(changeSet)).toEqual({ ...NOTHING, restored: 1, changed: 1 })
    expect((await owner.get(link)).body.values.case).toBe(a)
  })

  test('keeps links to a record that it deletes for a restoration from the trash', async () => {
    const changeSet = await change(cases, { create: [{ values: { title: 'made' } }] })
    const [{ id }] = (await owner.get(at(cases))).body.items
    const [task = ''] = await create(tasks, { case: id })
    expect(await undone(changeSet)).toEqual({ ...NOTHING, deleted: 1 })
    await owner.post('/api/trash/restore', { records: [id] })
    expect((await values(tasks, task)).case).toBe(id)
  })
})

describe('permission to undo a change', () => {
  test('is that to make the opposite change', async () => {
    let grants = [grant('records:read')]
    const who = await app.asGranted(() => grants)
    const [id = ''] = await create(cases, { title: 'a', size: 1 })
    const changeSet = await update(cases, [id], { title: 'b' })
    const message = 'You don’t have permission to edit them.'
    expect(await undone(changeSet, who)).toEqual({ ...NOTHING, refused: [{ message, count: 1, records: [id] }] })
    grants = [grant('records:read'), grant('records:update', { fields: { except: [cases.fields['title'] ?? ''] } })]
    expect(await undone(changeSet, who)).toMatchObject({ ...NOTHING, refused: [{ count: 1, records: [id] }] })
    grants = [grant('records:read'), grant('records:update')]
    expect(await undone(changeSet, who)).toEqual({ ...NOTHING, changed: 1 })
  })

  test('ends where the actor can’t read, and tells nothing about it', async () => {
    const who = await app.asGranted([
      grant('records:read', { ...small(), fields: { except: [cases.fields['code'] ?? ''] } }),
      grant('records:update'),
      grant('records:delete'),
    ])
    const [seen = '', hidden = ''] = await create(cases, { title: 'a', size: 1 }, { title: 'b', size: 11 })
    const updates = [seen, hidden].map((id) => ({ id, values: { title: 'new', code: `new ${id}` } }))
    const changeSet = await change(cases, { update: updates })
    expect(await undone(changeSet, who)).toEqual({ ...NOTHING, changed: 1 })
    expect(await values(cases, seen)).toMatchObject({ title: 'a', code: `new ${seen}` })
    expect(await values(cases, hidden)).toMatchObject({ title: 'new' })
    const invisible = await update(cases, [hidden], { title: 'newer' })
    expect((await undo(invisible, who)).status).toBe(404)
    expect((await undo('0'.repeat(26), who)).status).toBe(404)
  })

  test('tells nothing about changes of hidden fields since, or about the number of hidden records', async () => {
    const who = await app.asGranted([grant('records:read', { fields: { except: [cases.fields['code'] ?? ''] } })])
    const changeSet = await change(cases, { create: [{ values: { title: 'a' } }, { values: { title: 'b' } }] })
    const ids = (await owner.get(`${at(cases)}?sort=title`)).body.items.map(({ id }: { id: string }) => id)
    await edit(cases, ids[1], { code: 'secret' })
    const refused = [{ message: 'You don’t have permission to delete them.', count: 2, records: ids }]
    expect(await undone(changeSet, who, '?preview=true')).toEqual({ ...NOTHING, refused })

    const few = await app.asGranted([grant('records:read', small()), grant('records:update')])
    const many = await create(
      cases,
      ...Array.from({ length: 30 }, (_, at) => ({ title: 'x', size: at === 29 ? 1 : 50 })),
    )
    const large = await update(cases, many, { title: 'new' })
    expect(await undone(large, few, '?preview=true')).toEqual({ ...NOTHING, changed: 1, examined: 1 })
    const { body } = await undo(large, few)
    await expect.poll(async () => (await few.get(`/api/jobs/${body.job}`)).body.state, { interval: 20 }).toBe('done')
    expect((await few.get(`/api/jobs/${body.job}`)).body).toMatchObject({ total: null, done: 1, refused: [] })
    expect((await values(cases, many[29] ?? '')).title).toBe('x')
    expect((await undo(large, who)).status).toBe(403)
  })

  test('of a field that is writable only in some records leaves the others as they are', async () => {
    const title = cases.fields['title'] ?? ''
    const who = await app.asGranted([
      grant('records:read'),
      grant('records:update', { fields: { except: [title] } }),
      grant('records:update', small()),
    ])
    const [a = '', b = ''] = await create(cases, { title: 'a', size: 1 }, { title: 'b', size: 20 })
    const changeSet = await update(cases, [a, b], { title: 'new' })
    expect(await undone(changeSet, who)).toMatchObject({ changed: 1, refused: [{ count: 1, records: [b] }] })
    expect([(await values(cases, a)).title, (await values(cases, b)).title]).toEqual(['a', 'new'])
  })

  test('a record that could not be read when it was changed stays as it is', async () => {
    const who = await app.asGranted([grant('records:read', small()), grant('records:update')])
    const [id = ''] = await create(cases, { title: 'secret', size: 11 })
    const changeSet = await update(cases, [id], { title: 'public' })
    await edit(cases, id, { size: 1 })
    expect((await undo(changeSet, who)).status).toBe(404)
    expect((await values(cases, id)).title).toBe('public')
  })
})

describe('the activity', () => {
  test('lists each request as one entry with its fields and number of records, newest first', async () => {
    const ids = await create(cases, { title: 'a' }, { title: 'b' })
    const changed = await update(cases, ids, { title: 'x', size: 3 })
    const deleted = await change(cases, { delete: [ids[0]] })
    const undoing = await undone(deleted)
    expect(undoing.restored).toBe(1)
    const user = { id: owner.userId, name: 'owner' }
    const entries = await activity()
    expect(entries.slice(0, 4)).toMatchObject([
      {
        user,
        via: 'restore',
        undoes: deleted,
        parts: [{ kind: 'record-restored', count: 1, record: { id: ids[0], title: 'x' } }],
      },
      { id: deleted, isUndone: true, parts: [{ kind: 'record-deleted', collection: cases.id, count: 1 }] },
      {
        id: changed,
        user,
        via: 'web',
        isUndone: false,
        parts: [{ kind: 'record-changed', fields: ['title', 'size'], count: 2, record: null }],
      },
      { parts: [{ kind: 'record-created', count: 2 }] },
    ])
    expect(entries.at(-1)?.parts).toMatchObject([{ kind: 'collection-created' }])
  })

  test('can be filtered by person, origin and kind, and is paged', async () => {
    const editor = await app.asEditor()
    const [id = ''] = await create(cases, { title: 'a' })
    for (let size = 1; size <= 4; size += 1) await edit(cases, id, { size }, size % 2 ? editor : owner)
    expect(await activity(`&person=${editor.userId}`)).toHaveLength(2)
    expect(await activity('&kind=record-created')).toHaveLength(1)
    expect(await activity('&via=import')).toEqual([])
    const first = (await owner.get(`/api/activity?collection=${cases.id}&perPage=4`)).body
    const second = (await owner.get(`/api/activity?collection=${cases.id}&perPage=4&before=${first.next}`)).body
    expect([first.items.length, second.items.length, second.next]).toEqual([4, 2, null])
  })

  test('counts erased entries no longer', async () => {
    const ids = await create(cases, { title: 'a' }, { title: 'b' }, { title: 'c' })
    const changed = await update(cases, ids, { title: 'x' })
    const parts = async () => (await activity()).find(({ id }) => id === changed)?.parts
    expect(await parts()).toMatchObject([{ kind: 'record-changed', count: 3 }])
    expect((await owner.post('/api/history/erase', { records: [ids[0]] })).body).toEqual({ erased: 1 })
    expect(await parts()).toMatchObject([{ kind: 'record-changed', count: 2 }])
  })

  test('lists up to twenty changes of definitions of one kind in a change set', async () => {
    const views = Array.from({ length: 15 }, (_, at) => `View ${at}`)
    for (const name of views)
      expect((await owner.post(`/api/collections/${cases.name}/views`, { name, isShared: true })).status).toBe(201)
    const created = app.database.read.selectFrom('changes').selectAll().where('collection_id', '=', cases.id)
    const [first] = await created.where('kind', '=', 'view-created').orderBy('id').execute()
    await app.database.write(async ({ db }) => {
      const ofViews = db.updateTable('changes').set({ change_set_id: first?.change_set_id ?? '' })
      await ofViews.where('collection_id', '=', cases.id).where('kind', '=', 'view-created').execute()
    })
    const { body } = await owner.get(`/api/activity?collection=${cases.name}&kind=view-created`)
    expect(body.items).toMatchObject([{ parts: views.map((view) => ({ kind: 'view-created', view })) }])
  })

  test('marks a change as undone until it is redone', async () => {
    const [id = ''] = await create(cases, { title: 'a' })
    const changeSet = await update(cases, [id], { title: 'b' })
    const isUndone = async () => (await activity()).find((entry) => entry.id === changeSet)?.isUndone
    const { body } = await undo(changeSet)
    expect(await isUndone()).toBe(true)
    await undone(body.changeSet)
    expect(await isUndone()).toBe(false)
  })

  test('shows no kind of change that the reader can’t see, and finds theirs among many', async () => {
    const who = await app.asGranted([grant('records:read', small())])
    const sizes = Array.from({ length: 12 }, (_, at) => ({ title: 'x', size: at === 11 ? 1 : 50 }))
    const ids = await create(cases, ...sizes)
    const mixed = await change(cases, {
      update: ids.slice(1).map((id) => ({ id, values: { title: 'new' } })),
      delete: [ids[0]],
    })
    expect(await activity('&kind=record-deleted', who)).toEqual([])
    expect(await activity('&kind=record-changed', who)).toMatchObject([
      { id: mixed, parts: [{ kind: 'record-changed', count: 1, record: { id: ids[11] } }] },
    ])
    await importCsv(cases, 'Title,Size\nsecret,50')
    expect(await activity('&kind=records-imported', who)).toEqual([])
    expect(await activity('&kind=records-imported')).toHaveLength(1)
  })

  test('contains only changes that the reader could and can read', async () => {
    const readable = { ...small(), fields: { except: [cases.fields['code'] ?? ''] } }
    const who = await app.asGranted([grant('records:read', readable)])
    const [seen = '', hidden = ''] = await create(cases, { title: 'a', size: 1 }, { title: 'b', size: 11 })
    await update(cases, [hidden], { title: 'hidden' })
    await update(cases, [seen], { code: 'hidden' })
    const shown = await change(cases, {
      update: [seen, hidden].map((id) => ({ id, values: { title: 'x', code: id } })),
    })
    const entries = await activity('', who)
    expect(entries.slice(0, 2)).toMatchObject([
      { id: shown, parts: [{ count: 1, fields: ['title'], record: { id: seen, title: 'x' } }] },
      { parts: [{ kind: 'record-created', count: 1, record: { id: seen } }] },
    ])
    expect(JSON.stringify(entries)).not.toMatch(new RegExp(`${hidden}|code`))
    const stranger = await app.asGranted([grant('records:read', { collection: tasks.id })])
    expect((await stranger.get(`/api/activity?collection=${cases.id}`)).status).toBe(404)
    expect(
      (await stranger.get('/api/activity')).body.items.every(
        ({ parts }: Entry) => !JSON.stringify(parts).includes(cases.id),
      ),
    ).toBe(true)
  })
})
