import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Permission } from '#domain/access/permission.ts'
import type { Grant } from '#domain/access/grant.ts'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller
let tasks: { readonly id: string; readonly name: string; readonly fields: Readonly<Record<string, string>> }

beforeAll(async () => {
  app = await openTestApp({ changedAtOnce: 1000 })
  owner = await app.asOwner()
})
afterAll(() => app.close())

/** Creates a collection for each test with 40 tasks; every second one is open. */
beforeEach(async () => {
  tasks = await makeTasks(40)
})

let made = 0

async function makeTasks(count: number) {
  const { body } = await owner.post('/api/collections', {
    label: `Tasks ${(made += 1)}`,
    fields: [
      { label: 'Title', kind: 'text', required: true },
      { label: 'Status', kind: 'text' },
      { label: 'Code', kind: 'text', unique: true },
      { label: 'Size', kind: 'number' },
      { label: 'Secret', kind: 'text' },
    ],
  })
  const fields = Object.fromEntries(body.fields.map((field: { name: string; id: string }) => [field.name, field.id]))
  for (let from = 0; from < count; from += 10_000) {
    const create = Array.from({ length: Math.min(10_000, count - from) }, (_, at) => ({
      values: { title: `Task ${from + at}`, status: at % 2 === 0 ? 'open' : 'shut', size: from + at, secret: 'mine' },
    }))
    const answer = await owner.post(`/api/collections/${body.name}/records/bulk`, { create })
    expect(answer.status, answer.text).toBe(200)
  }
  return { id: body.id, name: body.name, fields }
}

const bulk = (who: Caller, body: unknown): Promise<Answer> =>
  who.post(`/api/collections/${tasks.name}/records/bulk`, body)

async function count(filter: string): Promise<number> {
  const query = `perPage=1&count=exact&filter=${encodeURIComponent(filter)}`
  return (await owner.get(`/api/collections/${tasks.name}/records?${query}`)).body.total
}

async function ids(filter: string): Promise<string[]> {
  const answer = await owner.get(
    `/api/collections/${tasks.name}/records?perPage=500&filter=${encodeURIComponent(filter)}`,
  )
  return answer.body.items.map((item: { id: string }) => item.id)
}

const ended = async (who: Caller, job: string): Promise<Answer> => {
  for (;;) {
    const answer = await who.get(`/api/jobs/${job}`)
    if (answer.body.state !== 'running') return answer
  }
}

describe('records selected by ID', () => {
  test('are all unchanged if one is rejected, and the error names it', async () => {
    const [first = '', second = '', third = ''] = await ids('status = "open"')
    const refused = async (values: object, code: string) => {
      const update = [
        { id: first, values: { size: 900, code: 'A' }, version: 1 },
        { id: second, values },
        { id: third, values: { size: 900 } },
      ]
      const { status, body } = await bulk(owner, { update })
      expect({ status, code: body.code, record: body.record }).toMatchObject({ code, record: second })
      return body
    }
    expect(await refused({ size: 'much' }, 'values-invalid')).toMatchObject({ errors: [{ path: 'size' }] })
    expect(await refused({ title: null }, 'values-invalid')).toMatchObject({ errors: [{ path: 'title' }] })
    // Some databases report a duplicate only at the end of the statement and don't name the record.
    const update = [first, second].map((id) => ({ id, values: { code: 'A' } }))
    const twice = await bulk(owner, { update })
    expect(twice).toMatchObject({ status: 422, body: { errors: [{ code: 'not-unique', path: 'code' }] } })
    expect(await count('size = 900')).toBe(0)

    const stale = await bulk(owner, { update: [{ id: first, values: { size: 1 }, version: 7 }] })
    expect(stale).toMatchObject({ status: 409, body: { code: 'version-conflict', record: first } })
    const unknown = '0'.repeat(26)
    const gone = await bulk(owner, { update: [{ id: unknown, values: { size: 1 } }] })
    expect(gone).toMatchObject({ status: 404, body: { code: 'record-not-found', record: unknown } })
  })
})

describe('records selected by a query', () => {
  test('are updated in one write, except the excluded ones', async () => {
    const except = (await ids('status = "open"')).slice(0, 3)
    const answer = await bulk(owner, {
      where: { filter: 'status = "open"', except },
      update: { values: { status: 'shut' } },
    })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toMatchObject({ created: [], updated: 17, deleted: 0 })
    expect(await ids('status = "open"')).toEqual(except)
    const again = { where: { filter: 'status = "shut"' }, update: { values: { status: 'shut' } } }
    expect((await bulk(owner, again)).body).not.toHaveProperty('changeSet')
  })

  test('can be selected by a search and deleted', async () => {
    const answer = await bulk(owner, { where: { search: 'task 1' }, delete: true })
    expect(answer.body).toEqual({ created: [], updated: 0, deleted: 13, changeSet: expect.any(String) })
    expect(await count('title ~ "1"')).toBe(0)
    expect(await count('')).toBe(27)
  })

  test('are logged individually, with changed values only', async () => {
    await bulk(owner, { where: { filter: 'size < 4' }, update: { values: { status: 'open' } } })
    const entries = await app.database.read
      .selectFrom('changes')
      .selectAll()
      .where('collection_id', '=', tasks.id)
      .where('kind', '=', 'record-changed')
      .execute()
    expect(entries.map(({ before, after }) => [JSON.parse(before ?? ''), JSON.parse(after ?? '')])).toEqual(
      Array.from({ length: 2 }, () => [
        { [tasks.fields['status'] ?? '']: 'shut' },
        { [tasks.fields['status'] ?? '']: 'open' },
      ]),
    )
  })

  test('are not updated if the values are invalid', async () => {
    const answers = await Promise.all([
      bulk(owner, { where: {}, update: { values: { title: '' } } }),
      bulk(owner, { where: {}, update: { values: { nothing: 1 } } }),
      bulk(owner, { where: {}, update: { values: { code: 'same' } } }),
      bulk(owner, { where: { filter: 'nothing = 1' }, delete: true }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 400])
    expect(await count('title ~ "task" && code is empty')).toBe(40)
  })

  test('reject unknown parameters by name', async () => {
    const shifted = await bulk(owner, { where: {}, shift: { to: 'done' } })
    expect(shifted.body.errors, shifted.text).toContainEqual(
      expect.objectContaining({ path: 'shift', code: 'unknown-key' }),
    )
    expect(shifted.status).toBe(400)
    const moved = await bulk(owner, { where: {}, transition: { to: 'done' } })
    expect([moved.status, moved.body.code], moved.text).toEqual([422, 'transition-refused'])
    expect((await bulk(owner, { where: {} })).status).toBe(400)
    expect((await bulk(owner, { where: {}, delete: true, update: { values: {} } })).status).toBe(400)
  })
})

describe('a user with restricted access', () => {
  const grant = (permission: Permission, rest: Partial<Grant> = {}): Grant => ({
    permission,
    collection: tasks.id,
    ...rest,
  })

  test('changes only records they can both read and update, and learns nothing about others', async () => {
    const who = await app.asGranted([
      grant('records:read', { where: { field: 'size', op: '>=', value: 10 } }),
      grant('records:update', { where: { field: 'status', op: '=', value: 'open' } }),
    ])
    const answer = await bulk(who, { where: {}, update: { values: { size: 100 } } })
    expect(answer.body).toMatchObject({ created: [], updated: 15, deleted: 0 })
    expect(await count('size = 100')).toBe(15)
    expect((await bulk(who, { where: {}, delete: true })).status).toBe(403)
  })

  test("can't query or write a hidden field, or move records out of their own access", async () => {
    const fields = { except: [tasks.fields['secret'] ?? ''] }
    const who = await app.asGranted([
      grant('records:read', { fields }),
      grant('records:update', { fields, where: { field: 'status', op: '=', value: 'open' } }),
    ])
    const requested = await bulk(who, { where: { filter: 'secret = "mine"' }, update: { values: { size: 1 } } })
    const unknown = await bulk(who, { where: { filter: 'sacred = "mine"' }, update: { values: { size: 1 } } })
    expect(requested.status).toBe(400)
    expect(requested.body.detail.replaceAll('secret', 'sacred')).toBe(unknown.body.detail)
    expect((await bulk(who, { where: {}, update: { values: { secret: 'known' } } })).status).toBe(422)
    expect((await bulk(who, { where: {}, update: { values: { status: 'shut' } } })).status).toBe(403)
    expect(await count('status = "open"')).toBe(20)
  })
})

describe('more records than fit in one write', () => {
  test('are updated by a job that is visible only to its user and managers', async () => {
    tasks = await makeTasks(1050)
    const editor = await app.asEditor()
    const except = (await ids('size < 5')).slice(0, 5)
    const begun = await bulk(editor, { where: { filter: 'size >= 0', except }, update: { values: { status: 'new' } } })
    expect(begun.status, begun.text).toBe(202)
    expect((await (await app.asEditor()).get(`/api/jobs/${begun.body.job}`)).status).toBe(404)
    expect((await owner.get(`/api/jobs/${begun.body.job}`)).status).toBe(200)

    const over = await ended(editor, begun.body.job)
    expect(over.body).toMatchObject({
      does: 'update',
      collection: tasks.id,
      state: 'done',
      total: 1045,
      done: 1045,
    })
    expect(await count('status = "new"')).toBe(1045)
    expect(await count('status = "new" || size < 5')).toBe(1050)
  })

  test('keep their current state when the job is canceled, and the job reports its progress', async () => {
    tasks = await makeTasks(5000)
    const begun = await bulk(owner, { where: {}, delete: true })
    const cancelled = await owner.delete(`/api/jobs/${begun.body.job}`)
    expect(cancelled.body).toMatchObject({ state: 'cancelled', does: 'delete' })
    expect(await count('')).toBe(5000 - cancelled.body.done)
    expect((await ended(owner, begun.body.job)).body.done).toBe(cancelled.body.done)
    expect((await owner.delete(`/api/jobs/${begun.body.job}`)).body).toEqual(cancelled.body)
  })

  test('are no longer updated after the user loses the permission', async () => {
    tasks = await makeTasks(5000)
    const editor = await app.asEditor()
    const begun = await bulk(editor, { where: {}, update: { values: { status: 'new' } } })
    await owner.patch(`/api/users/${editor.userId}`, { roles: ['viewer'] })
    const after = (await owner.get(`/api/jobs/${begun.body.job}`)).body
    const over = await ended(owner, begun.body.job)
    expect(over.body).toMatchObject({ state: 'failed' })
    expect(over.body.done).toBe(await count('status = "new"'))
    // A batch that is being written when the role changes may still be completed.
    expect(over.body.done - after.done).toBeLessThanOrEqual(2000)
    expect(over.body.failure).toContain('You don’t have permission to do this')
  })
})
