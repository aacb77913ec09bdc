import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import type { Permission } from '#domain/access/permission.ts'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

/** Number of matching records above which a bulk change becomes a job. */
const AT_ONCE = 20

let app: TestApp
let owner: Caller
let made = 0
let tasks: { readonly id: string; readonly name: string; readonly field: Readonly<Record<string, string>> }
let people: readonly string[]

beforeAll(async () => {
  app = await openTestApp({ changedAtOnce: AT_ONCE })
  owner = await app.asOwner()
})
afterAll(() => app.close())

const NEEDS_CODE = {
  when: 'status = "sent"',
  then: 'code is not empty',
  message: 'What is sent has a code.',
  field: 'code',
}

/** Creates thirty tasks; every tenth has no code, so its status can't be changed to “sent”. */
beforeEach(async () => {
  const persons = await owner.post('/api/collections', {
    label: `People ${(made += 1)}`,
    fields: [{ label: 'Name', kind: 'text' }],
  })
  const listed = await owner.post(`/api/collections/${persons.body.name}/records/bulk`, {
    create: ['Ann', 'Ben', 'Cleo'].map((name) => ({ values: { name } })),
  })
  people = listed.body.created
  const { body, status, text } = await owner.post('/api/collections', {
    label: `Tasks ${(made += 1)}`,
    fields: [
      { label: 'Title', kind: 'text', required: true },
      { label: 'Status', kind: 'text' },
      { label: 'Code', kind: 'text' },
      { label: 'Secret', kind: 'text' },
      {
        label: 'Tags',
        kind: 'multi-select',
        required: true,
        options: { choices: ['red', 'blue', 'old'].map((name) => ({ name })) },
      },
      { label: 'Crew', kind: 'relation', options: { collection: persons.body.id, many: true } },
    ],
  })
  expect(status, text).toBe(201)
  const field = Object.fromEntries(body.fields.map((each: { name: string; id: string }) => [each.name, each.id]))
  tasks = { id: body.id, name: body.name, field }
  const create = Array.from({ length: 30 }, (_, at) => ({
    values: {
      title: `Task ${at}`,
      status: 'open',
      ...(at % 10 !== 0 && { code: `C${at}` }),
      tags: at % 2 === 0 ? ['old'] : ['old', 'red'],
      crew: [people[0]],
    },
  }))
  expect((await bulk(owner, { create })).status).toBe(200)
})

const path = (): string => `/api/collections/${tasks.name}`
const bulk = (who: Caller, body: unknown): Promise<Answer> => who.post(`${path()}/records/bulk`, body)
const withRule = async (): Promise<void> =>
  expect((await owner.patch(path(), { rules: [NEEDS_CODE] })).status).toBe(200)

async function found(
  filter: string,
): Promise<readonly { id: string; version: number; values: Record<string, unknown> }[]> {
  return (await owner.get(`${path()}/records?perPage=100&filter=${encodeURIComponent(filter)}`)).body.items
}
const idsOf = async (filter: string): Promise<string[]> => (await found(filter)).map(({ id }) => id)

async function ended(who: Caller, job: string) {
  for (;;) {
    const { body } = await who.get(`/api/jobs/${job}`)
    if (body.state !== 'running') return body
  }
}

const grant = (permission: Permission, rest: Partial<Grant> = {}): Grant => ({
  permission,
  collection: tasks.id,
  ...rest,
})

describe('selected records', () => {
  test('are updated in one write, and no others are', async () => {
    const picked = (await idsOf('')).slice(0, 25)
    const { status, body } = await bulk(owner, {
      where: { only: picked, except: picked.slice(0, 2) },
      update: { values: { status: 'shut' } },
    })
    expect([status, body.updated]).toEqual([200, 23])
    expect(await idsOf('status = "shut"')).toEqual(picked.slice(2))
  })

  test("are skipped if the user can't update them, and only the reported count reflects this", async () => {
    const picked = await idsOf('')
    const where = { field: 'code', op: '!=', value: 'C1' } as const
    const who = await app.asGranted([grant('records:read'), grant('records:update', { where })])
    const unknown = '0'.repeat(26)
    expect((await bulk(who, { where: { only: ['no id'] }, delete: true })).status).toBe(400)
    const { body } = await bulk(who, { where: { only: [...picked, unknown] }, update: { values: { status: 'shut' } } })
    expect(body).toMatchObject({ created: [], updated: 29, deleted: 0 })
  })

  test('have their readable previous values returned on request', async () => {
    const [first, second] = await found('code = "C1" || code = "C2"')
    const except = [tasks.field['secret'] ?? '']
    const who = await app.asGranted([grant('records:read', { fields: { except } }), grant('records:update')])
    const update = { values: { status: 'shut', title: 'Task 1', secret: 'known' } }
    const changed = await bulk(who, { where: { only: [first?.id] }, update, remember: true })
    expect(changed.status, changed.text).toBe(200)
    expect(changed.body.before).toEqual([{ id: first?.id, version: 2, values: { status: 'open' } }])
    const { body } = await bulk(owner, {
      where: { only: [first?.id, second?.id] },
      update: { add: { tags: ['red'] } },
      remember: true,
    })
    expect(body.before).toEqual([{ id: second?.id, version: 2, values: { tags: ['old'] } }])
  })
})

describe('records selected by ID', () => {
  test('can each be given different values, and all remain unchanged if one was modified in the meantime', async () => {
    const [one, two, three] = (await found('')).slice(0, 3)
    const named = (record: typeof one, values: object, version = record?.version) => ({
      id: record?.id,
      values,
      version,
    })
    const update = [
      named(one, { title: 'One', crew: [people[1]] }),
      named(two, { status: 'two', tags: ['blue', 'old'] }),
      named(three, { title: 'Task 2' }),
    ]
    expect((await bulk(owner, { update })).body).toMatchObject({ updated: 3 })
    const now = (await found('')).slice(0, 3)
    expect(now.map(({ version }) => version)).toEqual([2, 2, 1])
    expect(now[0]?.values).toMatchObject({ title: 'One', crew: [people[1]], status: 'open' })
    expect(now[1]?.values).toMatchObject({ title: 'Task 1', status: 'two', tags: ['blue', 'old'] })

    const stale = await bulk(owner, { update: [named(three, { title: 'Three' }), named(one, { title: 'Lost' }, 1)] })
    expect([stale.status, stale.body.record, stale.body.current]).toEqual([409, one?.id, undefined])
    const twice = await bulk(owner, { update: [named(one, { title: 'Once' }, 2), named(one, { title: 'Twice' }, 3)] })
    expect(twice.status, twice.text).toBe(200)
    expect((await found('title = "Twice"')).map(({ version }) => version)).toEqual([4])
  })

  test("are each checked against the user's permissions", async () => {
    const [one, two] = await found('')
    const where = { field: 'status', op: '=', value: 'open' } as const
    const who = await app.asGranted([grant('records:read'), grant('records:update', { where })])
    const update = [one, two].map((record) => ({ id: record?.id, values: { code: 'X' } }))
    expect((await bulk(who, { update })).status).toBe(200)
    const leaving = [one, two].map((record, at) => ({ id: record?.id, values: { status: at === 0 ? 'open' : 'shut' } }))
    expect((await bulk(who, { update: leaving })).status).toBe(403)
    await bulk(owner, { update: [{ id: two?.id, values: { status: 'shut' } }] })
    const refused = await bulk(who, { update })
    expect([refused.status, refused.body.record]).toEqual([404, two?.id])
  })
})

describe('lists', () => {
  test('can have list items added and removed while all others are kept', async () => {
    const update = { add: { tags: ['blue', 'red'], crew: [people[1]] }, take: { tags: ['old'] } }
    const { body } = await bulk(owner, { where: { filter: 'code is not empty', only: await idsOf('') }, update })
    expect(body.updated).toBe(27)
    const [even, odd] = await found('code = "C2" || code = "C1"').then((all) => all.toReversed())
    expect([even?.values['tags'], odd?.values['tags']]).toEqual([
      ['blue', 'red'],
      ['red', 'blue'],
    ])
    expect(even?.values['crew']).toEqual([people[0], people[1]])
    expect((await found('code is empty'))[0]?.values['tags']).toEqual(['old'])
  })

  test('reject non-list fields, missing items and contradictory changes', async () => {
    const only = await idsOf('')
    const tried = async (update: object) => {
      const { status, body } = await bulk(owner, { where: { only }, update })
      return [status, body.errors?.[0]?.path, body.errors?.[0]?.code]
    }
    expect(await tried({ add: { title: ['x'] } })).toEqual([422, 'title', 'not-a-list'])
    expect(await tried({ add: { crew: ['0'.repeat(26)] } })).toEqual([422, 'crew', 'unknown-record'])
    expect(await tried({ take: { crew: ['0'.repeat(26)] } })).toEqual([422, 'crew', 'unknown-record'])
    expect(await tried({ values: { tags: ['red'] }, take: { tags: ['old'] } })).toEqual([422, 'tags', 'named-twice'])
    expect(await tried({ add: { nothing: ['x'] } })).toEqual([422, 'nothing', 'unknown-field'])
  })

  test('are not cleared if the field is required, and the error lists them', async () => {
    const { status, body } = await bulk(owner, {
      where: { only: await idsOf('') },
      update: { take: { tags: ['old'] } },
    })
    expect([status, body.refused]).toEqual([
      422,
      [{ message: 'Tags is required.', count: 15, records: expect.any(Array) }],
    ])
    expect(await idsOf('tags = "old"')).toHaveLength(30)
  })

  test('neither add nor remove unreadable items, which would reveal whether they exist', async () => {
    const except = [tasks.field['tags'] ?? '']
    const blind = await app.asGranted([grant('records:read', { fields: { except } }), grant('records:update')])
    const only = await idsOf('')
    for (const update of [{ add: { tags: ['red'] } }, { take: { tags: ['red'] } }])
      expect((await bulk(blind, { where: { only }, update })).status).toBe(422)
    const here = { field: 'code', op: '=', value: 'C1' } as const
    const some = await app.asGranted([
      grant('records:read', { fields: { except } }),
      grant('records:read', { where: here, fields: { only: except } }),
      grant('records:update'),
    ])
    expect((await bulk(some, { where: { only }, update: { add: { tags: ['blue'] } } })).body.updated).toBe(1)
  })
})

describe('records that cannot be updated', () => {
  test('make the whole bulk change fail, and are listed with the reason', async () => {
    await withRule()
    const only = (await idsOf('')).slice(0, 15)
    const { status, body } = await bulk(owner, { where: { only }, update: { values: { status: 'sent' } } })
    expect([status, body.code]).toEqual([422, 'rule-broken'])
    const records = await idsOf('title = "Task 0" || title = "Task 10"')
    expect(body.refused).toEqual([{ message: NEEDS_CODE.message, count: 2, records }])
    expect(await idsOf('status = "sent"')).toEqual([])
  })

  test('are skipped on request while the others are updated', async () => {
    await withRule()
    const only = (await idsOf('')).slice(0, 15)
    const update = { values: { status: 'sent' } }
    const { status, body } = await bulk(owner, { where: { only }, update, refused: 'leave' })
    expect([status, body.updated, body.refused?.[0]?.count]).toEqual([200, 13, 2])
    expect(await idsOf('status = "sent"')).toHaveLength(13)
  })

  test('are skipped by a job, which reports them with the reason', async () => {
    await withRule()
    const begun = await bulk(owner, { where: {}, update: { values: { status: 'sent' } } })
    expect(begun.status, begun.text).toBe(202)
    const over = await ended(owner, begun.body.job)
    const records = await idsOf('code is empty')
    expect(over).toMatchObject({ state: 'done', total: 30, done: 27, fields: [tasks.field['status']] })
    expect(over.refused).toEqual([{ message: NEEDS_CODE.message, count: 3, records }])
    expect(await idsOf('status = "sent"')).toHaveLength(27)
  })

  test("are reported if the change would move them out of the user's access", async () => {
    const where = { field: 'status', op: '=', value: 'open' } as const
    const who = await app.asGranted([grant('records:read'), grant('records:update', { where })])
    const { status, body } = await bulk(who, {
      where: { only: await idsOf('') },
      update: { values: { status: 'shut' } },
    })
    expect([status, body.refused?.[0]?.count]).toEqual([403, 30])
  })

  test('are hidden from managers other than the one who started the job', async () => {
    await withRule()
    const editor = await app.asEditor()
    const begun = await bulk(editor, { where: {}, update: { values: { status: 'sent' } } })
    await ended(editor, begun.body.job)
    expect((await owner.get(`/api/jobs/${begun.body.job}`)).body).toMatchObject({ refused: [], fields: [], done: 27 })
  })
})

test('a bulk transition skips incomplete records and applies to the others', async () => {
  const { body } = await owner.post('/api/collections', {
    label: `Parcels ${(made += 1)}`,
    fields: [
      { label: 'Code', kind: 'text' },
      { label: 'State', kind: 'state', options: { choices: [{ name: 'packed' }, { name: 'sent' }] } },
    ],
  })
  const [code, state] = body.fields
  const [packed, sent] = state.options.choices
  const workflow = {
    transitions: [{ name: 'Send', from: packed.id, to: sent.id }],
    states: { [packed.id]: { requiredToLeave: [code.id] } },
  }
  expect((await owner.patch(`/api/collections/${body.name}`, { workflow })).status).toBe(200)
  const bulkAt = `/api/collections/${body.name}/records/bulk`
  const create = Array.from({ length: 6 }, (_, at) => ({ values: at < 2 ? {} : { code: `${at}` } }))
  const { created } = (await owner.post(bulkAt, { create })).body
  const move = { where: { only: created }, transition: { to: 'sent', note: 'All at once' } }
  const refused = await owner.post(bulkAt, move)
  expect([refused.status, refused.body.refused?.[0]]).toEqual([
    422,
    { message: 'Code is required.', count: 2, records: created.slice(0, 2) },
  ])
  const moved = await owner.post(bulkAt, { ...move, refused: 'leave' })
  expect([moved.status, moved.body.updated, moved.body.refused?.[0]?.count]).toEqual([200, 4, 2])
  const log = await app.database.read
    .selectFrom('changes')
    .select(['kind', 'record_id', 'note'])
    .where('collection_id', '=', body.id)
    .where('kind', '=', 'record-moved')
    .execute()
  expect(new Set(log.map((entry) => entry.record_id))).toEqual(new Set(created.slice(2)))
})

test('an export contains the selected records, or all except the excluded ones, in list order', async () => {
  const all = await found('')
  const picked = [all[7], all[3], all[5]].flatMap((record) => record?.id ?? [])
  const titles = async (who: Caller, body: object): Promise<readonly string[]> => {
    const { status, text } = await who.post(`${path()}/export.csv`, { fields: 'title', ...body })
    expect(status, text).toBe(200)
    return text.trim().split(/\r?\n/).slice(1)
  }
  expect(await titles(owner, { only: picked, sort: '-code' })).toEqual(['Task 7', 'Task 5', 'Task 3'])
  expect(await titles(owner, { except: picked })).toHaveLength(27)
  expect(
    await titles(owner, {
      only: [...picked, ...Array.from({ length: 5000 }, (_, at) => String(at).padStart(26, '0'))],
    }),
  ).toHaveLength(3)
  const where = { field: 'code', op: '!=', value: 'C5' } as const
  const who = await app.asGranted([grant('records:read', { where }), grant('records:export')])
  expect(await titles(who, { only: picked })).toEqual(['Task 3', 'Task 7'])
})

test('each user can list only their own jobs, across all collections', async () => {
  const editor = await app.asEditor()
  const first = await bulk(editor, { where: {}, update: { values: { status: 'a' } } })
  await ended(editor, first.body.job)
  const mine = async (who: Caller): Promise<readonly string[]> =>
    (await who.get('/api/jobs')).body.items.map(({ id }: { readonly id: string }) => id)
  expect(await mine(editor)).toEqual([first.body.job])
  expect(await mine(await app.asEditor())).toEqual([])
  const aDayAgo = new Date(app.clock.now().getTime() - 25 * 60 * 60 * 1000).toISOString()
  await app.database.write(({ db }) =>
    db.updateTable('jobs').set({ ended_at: aDayAgo }).where('id', '=', first.body.job).execute(),
  )
  expect(await mine(editor)).toEqual([])
})
