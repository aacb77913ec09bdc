import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { positionChange } from '#domain/query/list/evaluate-change.ts'
import { type CheckedRecordsQuery, startingAt, checkRecordsQuery } from '#domain/query/list/records-query.ts'
import { type PageIndex, applyPositionChange, anchorOf } from '#domain/query/list/page-index.ts'
import { type QueryScope, selectPage } from '#server/query/run/run-records-query.ts'
import { queryContext, scopeOf } from '#server/access/record-access/authorized-query.ts'
import { changeListed } from '#server/records/bulk/change-listed.ts'
import { createRecord, deleteRecord, updateRecord } from '#server/records/crud/write-record.ts'
import { testDialect } from '#tests/support/database/test-database.ts'
import { TESTER, type TestRecords, openTestRecords } from '#tests/support/database/test-records.ts'
import type { RecordUpdate } from '#server/query/cache/result-cache.ts'
import { readPageIndex } from '#server/query/cache/page-cache.ts'

let records: TestRecords
let tasks = ''
let scope: QueryScope

beforeAll(async () => {
  records = await openTestRecords()
  tasks = await records.collection('Tasks', [
    { label: 'Title', kind: 'text' },
    { label: 'Hours', kind: 'number' },
    { label: 'Done', kind: 'checkbox' },
  ])
  await changeListed(records.deps, TESTER, tasks, {
    create: Array.from({ length: 120 }, (_, at) => ({ values: valuesAt(at) })),
  })
  scope = scopeOf(records.deps, await records.deps.definitions.current())
})
afterAll(() => records.close())

const BLOCK = 5
const nowMs = () => performance.now()

const valuesAt = (at: number) => ({
  title: at % 7 === 0 ? null : `task ${at % 13}`,
  hours: at % 5 === 0 ? null : at % 11,
  done: at % 3 === 0,
})

async function ask(input: { readonly sort?: string; readonly filter?: string }): Promise<CheckedRecordsQuery> {
  const definitions = await records.deps.definitions.current()
  const collection = definitions.byId.get(tasks)
  if (!collection) throw new Error('The collection no longer exists.')
  const context = queryContext({ definitions, actor: TESTER, now: new Date() }, collection, {
    allowed: true,
    hiddenFields: new Set(),
  })
  const checked = checkRecordsQuery({ ...input, page: 1, perPage: 500 }, context)
  if (!checked.ok) throw new Error(checked.fault.message)
  return checked.value
}

async function expectPlaces(shape: PageIndex | undefined, query: CheckedRecordsQuery): Promise<void> {
  const all = await selectPage(scope, query, [])
  expect(shape?.total).toBe(all.rows.length)
  for (let ordinal = 0; shape && ordinal < all.rows.length; ordinal += 3) {
    const page = { ...query.page, ordinal, limit: 4 }
    const { rows } = await selectPage(scope, startingAt({ ...query, page }, anchorOf(shape, ordinal)), [])
    expect(rows.map((row) => row['id'])).toEqual(all.rows.slice(ordinal, ordinal + 4).map((row) => row['id']))
  }
}

const LISTS = [
  {},
  { sort: '-hours' },
  { sort: 'title,-hours' },
  { sort: 'hours', filter: 'done = true' },
  { sort: '-done', filter: 'title ~ "1"' },
]

describe('loading a page index', () => {
  test.each(LISTS)('with %o finds every record', async (input) => {
    const query = await ask(input)
    await expectPlaces(await readPageIndex(scope, query, { nowMs, blockRecords: BLOCK }), query)
  })

  test.each(LISTS)('with %o gives the same result in one pass', async (input) => {
    const query = await ask(input)
    // Simulates a list without an index: every step takes a second.
    let ms = 0
    const slow = () => (ms += ms < 3000 ? 1000 : 0)
    await expectPlaces(await readPageIndex(scope, query, { nowMs: slow, blockRecords: BLOCK }), query)
  })

  test.each(LISTS)('with %o joins blocks if there are too many, in steps or in one pass', async (input) => {
    const query = await ask(input)
    for (const everyMs of [0, 1000]) {
      let ms = 0
      const clock = () => (ms += ms < 3 * everyMs ? everyMs : 0)
      const index = await readPageIndex(scope, query, { nowMs: clock, blockRecords: BLOCK, maxBlocks: 6 })
      await expectPlaces(index, query)
      const { total, blocks, blockRecords } = index ?? { total: 0, blocks: [], blockRecords: 0 }
      expect(blocks.length).toBeLessThanOrEqual(total > 6 * BLOCK ? 8 : 7)
      if (total > 7 * BLOCK) expect(blockRecords).toBeGreaterThan(BLOCK)
    }
  })

  test('takes one pass if the sort index does not cover the filter', async () => {
    const query = await ask({ sort: '-hours', filter: 'title ~ "1"' })
    records.reads()
    const shape = await readPageIndex({ ...scope, isIndexed: () => true }, query, { nowMs, blockRecords: BLOCK })
    expect(records.reads()).toEqual(testDialect() === 'sqlite' ? 4 : expect.any(Number))
    await expectPlaces(shape, query)
  })

  test('takes steps if sorting all records in one pass would take too long', async () => {
    const query = await ask({ sort: '-hours', filter: 'title ~ "1"' })
    const indexed = { ...scope, isIndexed: () => true }
    const shape = await readPageIndex(indexed, query, { nowMs, blockRecords: BLOCK, maxSorted: 100 })
    await expectPlaces(shape, query)
    expect(shape?.blocks.length).toBeGreaterThan(1)
    // Without an index, every step would read all records.
    let ms = 0
    const slow = () => (ms += 1000)
    expect(await readPageIndex(scope, query, { nowMs: slow, blockRecords: BLOCK, maxSorted: 100 })).toBeUndefined()
  })

  test('for an empty list returns no positions', async () => {
    const query = await ask({ filter: 'title = "nobody has this"' })
    const shape = await readPageIndex(scope, query, { nowMs })
    expect(shape).toMatchObject({ total: 0, ends: null, blocks: [{ after: null, count: 0 }] })
  })

  test.each(LISTS)('with %o is correct after concurrent writes', async (input) => {
    const query = await ask(input)
    const reported: RecordUpdate[] = []
    const stop = records.deps.feed.subscribe(({ mark, changed }) => {
      const own = changed === 'everything' ? undefined : changed.get(tasks)
      if (typeof own === 'object' && mark !== null) reported.push(...own.map((change) => ({ mark, change })))
    })
    const early = Promise.all([0, 1, 2].map((writer) => writeSome(writer, 3)))
    const reading = readPageIndex(scope, query, { nowMs, blockRecords: BLOCK })
    await Promise.all([early, ...[3, 4, 5].map((writer) => writeSome(writer, 12)), reading])
    stop()
    const read = await reading
    const followed = reported.reduce<PageIndex | undefined>((shape, { mark, change }) => {
      const move = positionChange(query, query.sort, change)
      return move && shape && applyPositionChange(shape, move, mark)
    }, read)
    await expectPlaces(followed, query)
    const backwards = reported.reduceRight<PageIndex | undefined>((shape, { mark, change }) => {
      const move = positionChange(query, query.sort, change)
      return move && shape && applyPositionChange(shape, move, mark)
    }, read)
    await expectPlaces(backwards, query)
  })
})

async function writeSome(writer: number, times: number): Promise<void> {
  for (let at = 0; at < times; at += 1) {
    const { id: record } = await createRecord(records.deps, TESTER, { collection: tasks }, valuesAt(writer * 31 + at))
    const place = { collection: tasks, record }
    await updateRecord(records.deps, TESTER, place, { values: valuesAt(writer * 17 + at * 5 + 1) })
    if (at % 3 === 0) await deleteRecord(records.deps, TESTER, place)
  }
}
