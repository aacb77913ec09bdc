import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notifySearchIndexChanged } from '#server/query/definitions/definitions-cache.ts'
import { type FullTextIndex, fullTextTableOf } from '#server/query/search/full-text-index.ts'
import type { SearchedText } from '#server/query/search/searched-texts.ts'
import { foldColumnOf, tableOf } from '#server/query/sql/sql-context.ts'
import { systemLeaf } from '#domain/query/check/checked-filter.ts'
import { changeListed } from '#server/records/bulk/change-listed.ts'
import { createRecord, updateRecord } from '#server/records/crud/write-record.ts'
import { testDialect } from '#tests/support/database/test-database.ts'
import { TESTER, type TestRecords, openTestRecords } from '#tests/support/database/test-records.ts'
import { openLog } from '#server/platform/http/logging.ts'
import {
  ALL_ROWS,
  countEntries,
  createFullTextIndex,
  removeIndexedFields,
  rowRange,
  saveGap,
} from './full-text-store.ts'
import { indexPending } from './index-pending.ts'
import { readSearchIndex } from './index-progress.ts'
import { mergeSegments } from './merge-segments.ts'
import { createTrigramMover } from './move-trigrams.ts'
import { createSearchIndexer } from './search-indexer.ts'
import { createTrigrams, dropTrigramIndexes, loadTrigramIndexes, planTrigramIndexes } from './trigrams-store.ts'

let records: TestRecords
beforeAll(async () => {
  records = await openTestRecords({ dialect: 'sqlite' })
})
afterAll(() => records.close())

const countSegments = async (part: FullTextIndex): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(distinct segid) as count from ${sql.table(`${fullTextTableOf(part.id)}_idx`)}`.execute(
    records.deps.database.read,
  )
  return rows[0]?.count ?? 0
}

const indexAll = () => indexPending({ ...records.deps, onIndexed: () => undefined }, new AbortController().signal)

test("merging the segments of an index doesn't change search results", async () => {
  const { deps } = records
  const collection = await records.collection('Notes', [{ label: 'Title', kind: 'text' }])
  const made: string[] = []
  for (let at = 0; at < 10; at += 1) {
    made.push((await createRecord(deps, TESTER, { collection }, { title: `Note number ${at}` })).id)
    await indexAll()
  }
  const [first = ''] = made
  await updateRecord(deps, TESTER, { collection, record: first }, { values: { title: 'Another note' } })
  await indexAll()

  const definitions = await deps.definitions.current()
  const [part] = definitions.searchParts.get(collection) ?? []
  if (!part) throw new Error('The collection has no index.')
  const find = async (term: string): Promise<number> => {
    const table = sql.id(fullTextTableOf(part.id))
    const found = await sql`select rowid from ${table} where ${table} match ${term}`.execute(deps.database.read)
    return found.rows.length
  }
  expect(await countSegments(part)).toBe(11)
  await mergeSegments(deps, part, { shouldContinue: () => true, isThorough: true })
  expect(await countSegments(part)).toBeLessThan(4)
  expect([await find('"num"'), await find('"ano"'), await find('"r 0"')]).toEqual([9, 1, 0])
})

test('an index that is being built reports its share of indexed records', async () => {
  const { deps } = records
  const collection = await records.collection('Letters', [{ label: 'Title', kind: 'text' }])
  await createRecord(deps, TESTER, { collection }, { title: 'Not indexed yet' })
  const [part] = (await deps.definitions.current()).searchParts.get(collection) ?? []
  if (!part) throw new Error('The collection has no index.')
  const read = (shareOf: (index: string) => number) => readSearchIndex({ ...deps, shareOf }, TESTER, collection)
  expect(await read(() => 0)).toEqual({ state: 'whole', done: 1 })
  await deps.database.write(async (transaction) => {
    await saveGap(transaction, part, await rowRange(transaction, collection, ALL_ROWS))
    await notifySearchIndexChanged(transaction)
  })
  deps.definitions.drop()
  expect(await read((index) => (index === part.id ? 0.4 : 0))).toEqual({ state: 'building', done: 0.4 })
  const indexer = createSearchIndexer({ ...deps, log: openLog('silent') })
  indexer.start()
  await expect.poll(() => read(indexer.shareOf)).toEqual({ state: 'whole', done: 1 })
  await indexer.stop()
})

test('a changed record is added again only to the indexes whose texts have changed', async () => {
  const { deps } = records
  const fields = ['Title', 'Place'].map((label) => ({ label, kind: 'text' }) as const)
  const collection = await records.collection('Parcels', fields)
  const { id: record } = await createRecord(deps, TESTER, { collection }, { title: 'Books', place: 'Paris' })
  await indexAll()
  const [titles] = (await deps.definitions.current()).searchParts.get(collection) ?? []
  const place = titles?.fields.at(-1)
  if (!titles || !place) throw new Error('The collection has no index.')
  // As if the second field had been added to a large collection.
  const places: FullTextIndex = { id: deps.newId(), collection, fields: [place], gap: null, discardedAt: null }
  await deps.database.write(async (transaction) => {
    await removeIndexedFields(transaction, titles, [place])
    await createFullTextIndex(transaction, places)
    await notifySearchIndexChanged(transaction)
  })
  deps.definitions.drop()
  const entriesAfter = async (...changes: readonly Record<string, string>[]): Promise<number[]> => {
    for (const values of changes) await updateRecord(deps, TESTER, { collection, record }, { values })
    await indexAll()
    const counts = [titles, places].map((part) => countEntries(deps.database.read, part))
    return (await Promise.all(counts)).map(({ entries }) => entries)
  }
  expect(await entriesAfter({ place: 'Rome' })).toEqual([1, 1])
  expect(await entriesAfter({ place: 'Oslo' }, { title: 'Pens' })).toEqual([2, 2])
})

test('an index that lacks many changed records reports them', async () => {
  const { deps } = records
  const { collection } = await newIndex('Notices')
  const read = () => readSearchIndex({ ...deps, shareOf: () => 0 }, TESTER, collection)
  const markFrom = (first: number) =>
    deps.database.write(({ db }) =>
      sql`insert into search_pending (collection_id, seq) select ${collection}, value
        from json_each(${JSON.stringify(Array.from({ length: 10_000 }, (_, at) => first + at))})`.execute(db),
    )
  await markFrom(5001)
  expect(await read()).toEqual({ state: 'whole', done: 1 })
  await markFrom(15_001)
  expect(await read()).toEqual({ state: 'building', done: expect.closeTo(1 / 3) })
  await deps.database.write(({ db }) => sql`delete from search_pending`.execute(db))
})

const newIndex = async (label: string): Promise<FullTextIndex> => {
  const collection = await records.collection(label, [{ label: 'Title', kind: 'text' }])
  const [part] = (await records.deps.definitions.current()).searchParts.get(collection) ?? []
  if (!part) throw new Error('The collection has no index.')
  return part
}

test('sixteen segments are merged even while records are being written', async () => {
  const { deps } = records
  const part = await newIndex('Drafts')
  const addSegments = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) {
      await createRecord(deps, TESTER, part, { title: `Draft number ${at}` })
      await indexAll()
    }
  }
  const merge = () => mergeSegments(deps, part, { shouldContinue: () => true, isThorough: false })
  await addSegments(15)
  await merge()
  expect(await countSegments(part)).toBe(15)
  await addSegments(1)
  await merge()
  expect(await countSegments(part)).toBe(1)
})

if (testDialect() === 'postgres') {
  test('on PostgreSQL, trigrams of many records are moved to their index in the background', async () => {
    const opened = await openTestRecords()
    const { deps } = opened
    const { database, feed } = deps
    await database.write((transaction) => createTrigrams(transaction))
    const collection = await opened.collection('Notes', [{ label: 'Title', kind: 'text' }])
    const [index] = await loadTrigramIndexes(database.read, collection)
    const create = Array.from({ length: 300 }, (_, at) => ({ values: { title: `Note number ${at}` } }))
    const write = () => changeListed(deps, TESTER, collection, { create, update: [], delete: [] })
    const pagesInList = async (): Promise<number> => {
      const { rows } = await database.write(({ db }) =>
        sql<{ pages: string }>`select gin_clean_pending_list(${index?.id}) as pages`.execute(db),
      )
      return Number(rows[0]?.pages)
    }
    await write()
    expect(await pagesInList()).toBeGreaterThan(0)

    const mover = createTrigramMover({ database, feed, log: openLog('silent') })
    mover.start()
    await write()
    await mover.stop()
    expect(await pagesInList()).toBe(0)
    await opened.close()
  })

  test('on PostgreSQL, the indexes of an earlier version, one for each text, are replaced by a shared one', async () => {
    const opened = await openTestRecords()
    const { deps } = opened
    const { database } = deps
    await database.write((transaction) => createTrigrams(transaction))
    const fields = ['Title', 'Place', 'Remark'].map((label) => ({ label, kind: 'text' }) as const)
    const collection = await opened.collection('Parcels', fields)
    const shared = await loadTrigramIndexes(database.read, collection)
    expect(shared).toHaveLength(1)
    const names = shared.flatMap((index) => index.fields)
    await database.write(async (transaction) => {
      await dropTrigramIndexes(transaction, shared)
      for (const name of names)
        await sql`create index ${sql.id(`s_${name}`)} on ${sql.table(tableOf(collection))}
          using gin (${sql.id(foldColumnOf(name))} gin_trgm_ops)`.execute(transaction.db)
      await notifySearchIndexChanged(transaction)
    })
    deps.definitions.drop()
    const indexer = createSearchIndexer({ ...deps, log: openLog('silent') })
    indexer.start()
    const fieldsOfIndexes = async () =>
      (await loadTrigramIndexes(database.read, collection)).map((index) => index.fields.toSorted())
    await expect.poll(fieldsOfIndexes).toEqual([names.toSorted()])
    await indexer.stop()
    await opened.close()
  })
}

test('an index on PostgreSQL is planned for the texts that lack one, and a few indexes are combined', () => {
  const text = (name: string): SearchedText => ({ name, leaf: systemLeaf('id') })
  const index = (id: string, ...fields: string[]): FullTextIndex => ({ ...NO_INDEX, id, fields })
  const planned = (indexes: readonly FullTextIndex[], names: readonly string[], most: number) => {
    const { create, drop } = planTrigramIndexes(indexes, names.map(text), most)
    return [create.map((texts) => texts.map(({ name }) => name)), drop.map(({ id }) => id)]
  }
  expect(planned([], ['a', 'b', 'f_1'], 1)).toEqual([[['a', 'b'], ['f_1']], []])
  expect(planned([index('s', 'a', 'b'), index('s_f_1', 'f_1')], ['a', 'b', 'f_1'], 1)).toEqual([[], []])
  expect(planned([index('s', 'a', 'b')], ['a', 'b', 'c'], 1)).toEqual([[['a', 'b', 'c']], ['s']])
  expect(planned([index('s', 'a', 'b')], ['a', 'b', 'c'], 2)).toEqual([[['c']], []])
  expect(planned([index('s', 'a', 'b'), index('t', 'c')], ['a', 'b', 'c', 'd'], 2)).toEqual([
    [['a', 'b', 'c', 'd']],
    ['s', 't'],
  ])
  expect(planned([index('s', 'a', 'gone'), index('s_f_1', 'f_1')], ['a', 'f_2'], 2)).toEqual([
    [['a'], ['f_2']],
    ['s', 's_f_1'],
  ])
  const many = Array.from({ length: 40 }, (_, at) => `n${at}`)
  expect(planned([], many, 1)).toEqual([[many.slice(0, 32), many.slice(32)], []])
})

const NO_INDEX = { collection: '', gap: null, discardedAt: null }
