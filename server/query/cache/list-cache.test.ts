import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { listGroups as groupsEndpoint, listRecords as recordsEndpoint } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { NAMES_CHANGED } from '#server/platform/events/change-feed.ts'
import { addField } from '#server/schema/collections/change-collection.ts'
import { changeListed } from '#server/records/bulk/change-listed.ts'
import { createRecord, deleteRecord, updateRecord } from '#server/records/crud/write-record.ts'
import { listGroups } from '#server/records/crud/list-groups.ts'
import { listRecords } from '#server/records/crud/list-records.ts'
import { TESTER, type TestRecords, openTestRecords } from '#tests/support/database/test-records.ts'

let records: TestRecords
let [tasks, people, crowd] = ['', '', '']

beforeAll(async () => {
  records = await openTestRecords()
  people = await records.collection('People', [{ label: 'Name', kind: 'text' }])
  tasks = await records.collection('Tasks', [
    { label: 'Title', kind: 'text' },
    { label: 'Hours', kind: 'number' },
    { label: 'Status', kind: 'select', options: { choices: [{ name: 'open' }, { name: 'closed' }] } },
    { label: 'Owner', kind: 'relation', options: { collection: 'people' } },
    { label: 'Helpers', kind: 'relation', options: { collection: 'people', many: true } },
  ])
  crowd = await records.collection('Crowd', [{ label: 'Place', kind: 'number' }])
})
afterAll(() => records.close())

type Requested = Partial<z.output<(typeof recordsEndpoint)['query']>>
type RequestedGroups = Partial<z.output<(typeof groupsEndpoint)['query']>> & { readonly by: string }

const USUAL = recordsEndpoint.query.parse({})

const list = (collection: string, requested: Requested = {}, actor: Actor = TESTER) =>
  listRecords(records.deps, actor, collection, { ...USUAL, ...requested })
const groups = (requested: RequestedGroups, actor: Actor = TESTER) =>
  listGroups(records.deps, actor, tasks, { ...groupsEndpoint.query.parse({ by: requested.by }), ...requested })
const create = (values: object, collection = tasks) => createRecord(records.deps, TESTER, { collection }, { ...values })
const change = (record: string, values: object, collection = tasks) =>
  updateRecord(records.deps, TESTER, { collection, record }, { values: { ...values } })
const remove = (record: string, collection = tasks) => deleteRecord(records.deps, TESTER, { collection, record })
const totalOf = async (requested: Requested = {}, actor: Actor = TESTER) => (await list(tasks, requested, actor)).total

const reader = (where?: Filter): Actor => ({
  type: 'user',
  userId: 'u',
  sessionId: null,
  name: 'U',
  grants: [{ permission: 'records:read', collection: null, ...(where && { where }) }],
})

describe('the total of a list', () => {
  test('is updated by every write that changes membership, without a recount', async () => {
    const filter = { filter: 'hours > 5' }
    expect(await totalOf(filter)).toBe(0)
    const first = await create({ hours: 6 })
    const second = await create({ hours: 1 })
    expect(await totalOf(filter)).toBe(1)
    await change(second.id, { hours: 9 })
    expect(await totalOf(filter)).toBe(2)
    await change(first.id, { hours: null })
    expect(await totalOf(filter)).toBe(1)
    await remove(second.id)
    records.reads()
    const { total, totalIs } = await list(tasks, { ...filter, count: 'exact' })
    expect([total, totalIs]).toEqual([0, 'exact'])
    const withTotal = records.reads()
    await list(tasks, { ...filter, count: 'none' })
    expect(withTotal).toBe(records.reads())
    await remove(first.id)
  })

  test('is cached separately for users with different read access', async () => {
    const mine = await create({ title: 'mine', hours: 1 })
    await create({ title: 'theirs', hours: 2 })
    const [all, some] = [reader(), reader({ field: 'title', op: '=', value: 'mine' })]
    expect([await totalOf({}, all), await totalOf({}, some)]).toEqual([2, 1])
    await create({ title: 'theirs', hours: 3 })
    expect([await totalOf({}, all), await totalOf({}, some)]).toEqual([3, 1])
    await change(mine.id, { title: 'not mine' })
    expect([await totalOf({}, all), await totalOf({}, some)]).toEqual([3, 0])
  })

  test('is recounted when records referenced by its conditions change', async () => {
    const ada = await create({ name: 'Ada' }, people)
    await create({ title: 'hers', owner: ada.id })
    const requested = { filter: 'owner.name = "Ada"' }
    expect(await totalOf(requested)).toBe(1)
    await change(ada.id, { name: 'Grace' }, people)
    expect(await totalOf(requested)).toBe(0)
    expect(await totalOf({ search: 'grace' })).toBe(1)
    await remove(ada.id, people)
    expect(await totalOf({ search: 'grace' })).toBe(0)
  })

  test('is recounted after definition changes and user renames', async () => {
    const requested = { filter: 'createdBy ~ "x"' }
    expect(await totalOf(requested)).toBe(0)
    records.reads()
    await totalOf(requested)
    const known = records.reads()
    records.deps.feed.announce(NAMES_CHANGED)
    await totalOf(requested)
    expect(records.reads()).toBeGreaterThan(known)
    const field = { label: 'More', kind: 'text', required: false, unique: false, options: {} } as const
    await addField(records.deps, TESTER, tasks, field)
    expect(await totalOf({ filter: 'more is empty' })).toBe(await totalOf())
  })

  test('is correct during concurrent writes', async () => {
    const before = Number(await totalOf({ filter: 'hours < 100' }))
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let at = 0; at < 6; at += 1) {
        const { id } = await create({ hours: writer })
        await totalOf({ filter: `hours < ${100 + at}` })
        if (at % 2 === 0) await remove(id)
        else await change(id, { hours: 1000 + at })
      }
    })
    await Promise.all(writers)
    for (let at = 0; at < 6; at += 1) {
      const { total } = await list(tasks, { filter: `hours < ${100 + at}` })
      const { items } = await list(tasks, { filter: `hours < ${100 + at}`, perPage: 500, count: 'none' })
      expect(total).toBe(items.length)
      expect(total).toBe(before)
    }
    expect(await totalOf({ filter: 'hours >= 1000' })).toBe(24)
  })
})

describe('groups', () => {
  beforeEach(async () => {
    const { items } = await list(tasks, { perPage: 500, count: 'none' })
    await changeListed(records.deps, TESTER, tasks, { delete: items.map(({ id }) => id) })
    for (const [status, hours] of [
      ['open', 1],
      ['open', 2],
      ['closed', 4],
      [null, 8],
    ] as const)
      await create({ status, hours })
  })

  const requested = { by: 'status', aggregates: 'count,sum(hours)' }
  const sums = async (question: RequestedGroups = requested) =>
    (await groups(question)).groups.map(({ label, aggregates }) => [label, aggregates['sum(hours)']])

  test('are queried only once until one of their records changes', async () => {
    expect(await sums()).toEqual([
      ['open', 3],
      ['closed', 4],
      ['', 8],
    ])
    records.reads()
    expect(await sums()).toEqual([
      ['open', 3],
      ['closed', 4],
      ['', 8],
    ])
    expect(records.reads()).toBe(0)
    await create({ status: 'closed', hours: 16 })
    expect(await sums()).toEqual([
      ['open', 3],
      ['closed', 20],
      ['', 8],
    ])
  })

  test('stay cached while only records outside the list change', async () => {
    const narrow = { ...requested, filter: 'hours > 3' }
    expect(await sums(narrow)).toEqual([
      ['closed', 4],
      ['', 8],
    ])
    await create({ status: 'open', hours: 3 })
    records.reads()
    expect(await sums(narrow)).toEqual([
      ['closed', 4],
      ['', 8],
    ])
    expect(records.reads()).toBe(0)
  })

  test('requested concurrently are queried once', async () => {
    records.reads()
    await Promise.all(Array.from({ length: 10 }, () => sums()))
    expect(records.reads()).toBe(1)
  })

  test('by relation get their record titles in one statement, and never from a hidden field', async () => {
    const names = ['Ada', 'Bob', 'Cy', 'Di', 'Ed']
    for (const name of names) await create({ owner: (await create({ name }, people)).id, hours: 0 })
    const byOwner = { by: 'owner', filter: 'owner is not empty' }
    const shown = await groups(byOwner)
    expect(shown.groups.map(({ label }) => label)).toEqual(names)
    records.reads()
    await groups(byOwner)
    expect(records.reads()).toBe(1)
    const narrow: Actor = {
      type: 'user',
      userId: 'u',
      sessionId: null,
      name: 'U',
      grants: [
        { permission: 'records:read', collection: tasks },
        { permission: 'records:read', collection: people, where: { field: 'name', op: '=', value: 'Bob' } },
      ],
    }
    expect(JSON.stringify(await groups(byOwner, narrow))).not.toMatch(/Ada|Cy|Di|Ed/)
  })
})

describe('a deep page', () => {
  const COUNT = 2600
  beforeAll(async () => {
    const values = Array.from({ length: COUNT }, (_, at) => ({ values: { place: at % 100 === 0 ? null : at } }))
    await changeListed(records.deps, TESTER, crowd, { create: values })
  })
  const ids = async (requested: Requested) =>
    (await list(crowd, { count: 'none', fields: '', ...requested })).items.map(({ id }) => id)

  /** Sends requests until the page index is loaded, so that later requests only read the page itself. */
  async function warm(requested: Requested): Promise<void> {
    await ids({ ...requested, page: 24, perPage: 100 })
    await records.deps.shapes.atRest()
  }

  test.each([{}, { sort: '-place' }, { sort: 'place', filter: 'place > 200' }])(
    'with %o is the same before and after the index is loaded',
    async (requested) => {
      const pages = [11, 12, 17, 24, 25, 26, 27, 900]
      const before = await Promise.all(pages.map((page) => ids({ ...requested, page, perPage: 100 })))
      await warm(requested)
      records.reads()
      expect(await Promise.all(pages.map((page) => ids({ ...requested, page, perPage: 100 })))).toEqual(before)
      expect(records.reads()).toBe(pages.length)
    },
  )

  test('continues from its cursor, which is valid only for its query', async () => {
    await warm({ sort: '-place' })
    const { nextCursor: cursor } = await list(crowd, { sort: '-place', page: 20, perPage: 100, count: 'none' })
    expect(await ids({ sort: '-place', cursor: cursor ?? '', perPage: 100 })).toEqual(
      await ids({ sort: '-place', page: 21, perPage: 100 }),
    )
    await expect(list(crowd, { sort: 'place', cursor: cursor ?? '' })).rejects.toMatchObject({ code: 'invalid-cursor' })
  })

  test('shifts when records are inserted before it', async () => {
    await warm({ sort: 'place' })
    const requested = { sort: 'place', page: 15, perPage: 100 }
    const before = await ids(requested)
    const { id } = await create({ place: 1 }, crowd)
    expect((await ids(requested)).slice(1)).toEqual(before.slice(0, -1))
    await remove(id, crowd)
    expect(await ids(requested)).toEqual(before)
  })

  test('read by cursor during writes returns every unchanged record once', async () => {
    const still = new Set(await walk({ sort: '-place' }))
    const isOver = { yet: false }
    const writers = [1, 2, 3].map(async (writer) => {
      for (let at = 0; !isOver.yet && at < 200; at += 1) {
        const { id } = await create({ place: (writer * 997 + at * 37) % COUNT }, crowd)
        await change(id, { place: (writer * 499 + at * 53) % COUNT }, crowd)
        await remove(id, crowd)
      }
    })
    for (const perPage of [500, 370]) {
      const seen = (await walk({ sort: '-place', perPage })).filter((id) => still.has(id))
      expect(seen).toHaveLength(still.size)
      expect(new Set(seen).size).toBe(still.size)
    }
    isOver.yet = true
    await Promise.all(writers)
  })

  test('read by number while records are appended returns every unchanged record once', async () => {
    const still = new Set(await walk({}))
    const adding = Array.from({ length: 40 }, async () => create({ place: 5 }, crowd))
    const seen: string[] = []
    for (let page = 1; page <= 26; page += 1) seen.push(...(await ids({ page, perPage: 100 })))
    await Promise.all(adding)
    const kept = seen.filter((id) => still.has(id))
    expect(kept).toHaveLength(still.size)
    expect(new Set(kept).size).toBe(still.size)
  })

  async function walk(requested: Requested): Promise<string[]> {
    const found: string[] = []
    let cursor: string | null | undefined
    while (cursor !== null) {
      const page = await list(crowd, {
        perPage: 500,
        count: 'none',
        fields: '',
        ...requested,
        ...(cursor && { cursor }),
      })
      found.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    }
    return found
  }
})

describe('a long list', () => {
  test('is first counted up to the limit, and exactly for the next request', async () => {
    const many = await records.collection('Many', [{ label: 'N', kind: 'number' }])
    for (const part of [0, 1]) {
      const values = Array.from({ length: 5200 }, (_, at) => ({ values: { n: part * 5200 + at } }))
      await changeListed(records.deps, TESTER, many, { create: values })
    }
    const requested = { filter: 'n >= 0' }
    const first = await list(many, requested)
    expect(first.total).toBe(first.totalIs === 'atLeast' ? 10_000 : 10_400)
    await records.deps.shapes.atRest()
    const { items, ...second } = await list(many, requested)
    expect(second).toMatchObject({ total: 10_400, totalIs: 'exact' })
    const exact = await list(many, { filter: 'n > 5', count: 'exact' })
    expect(exact).toMatchObject({ total: 10_394, totalIs: 'exact' })
    await remove(items[0]?.id ?? '', many)
    expect(await list(many, requested)).toMatchObject({ total: 10_399, totalIs: 'exact' })
  })
})

describe('a page', () => {
  test('reads its relations with the same number of statements, regardless of the number of records', async () => {
    const crowded = Array.from({ length: 700 }, (_, at) => ({ values: { name: `Person ${at}` } }))
    const { created: ids } = await changeListed(records.deps, TESTER, people, { create: crowded })
    await changeListed(records.deps, TESTER, tasks, {
      create: Array.from({ length: 300 }, (_, at) => ({
        values: { title: 'related', owner: ids[at], helpers: ids.slice(at, at + 400) },
      })),
    })
    const reads: number[] = []
    for (const perPage of [1, 10, 300]) {
      records.reads()
      const { items } = await list(tasks, { filter: 'title = "related"', expand: '*', perPage, count: 'none' })
      expect(items).toHaveLength(perPage)
      reads.push(records.reads())
    }
    expect(new Set(reads).size).toBe(1)
    // One read each for the page, the entries of one list field, and the titles of two relations.
    expect(reads[0]).toBeLessThanOrEqual(4)
  })
})
