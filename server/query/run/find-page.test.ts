import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fieldByName } from '#domain/collections/collection.ts'
import { indexContains, indexForQuery, type IndexSpec } from '#domain/query/list/index-selection.ts'
import { createTables } from '#server/schema/collections/tables-store.ts'
import { type CountedDatabase, countReads } from '#tests/support/database/count-statements.ts'
import { type OpenTestDatabase, openTestDatabase, testDialect } from '#tests/support/database/test-database.ts'
import { ask } from '#tests/conformance/query/agreement.ts'
import { books, library } from '#tests/conformance/query/data/library-schema.ts'
import { columnOf, tableOf } from '#server/query/sql/sql-context.ts'
import { compileIndex } from '#server/query/compile/compile-index.ts'
import { selectPage } from './run-records-query.ts'
import type { IsIndexed } from './slow-query-log.ts'

/** Exceeds the number of rows checked before a full scan. */
const BOOKS = 23_000

const dialect = testDialect()
let opened: OpenTestDatabase
let counted: CountedDatabase
let byPrice: IndexSpec

beforeAll(async () => {
  opened = await openTestDatabase()
  counted = countReads(opened.database)
  byPrice = indexForQuery(ask({ sort: 'price', perPage: 3 })) as IndexSpec
  const index = compileIndex('x_price', byPrice, { collection: books, timeZone: 'Europe/Vienna', dialect })
  const [price, margin] = ['price', 'margin'].map((name) => columnOf(fieldByName(books, name)?.id ?? ''))
  const columns = ['id', 'version', 'created_at', 'updated_at', price, margin].map((name) => sql.id(String(name)))
  await opened.database.write(async (transaction) => {
    for (const collection of library) await createTables(transaction, collection)
    const id = dialect === 'sqlite' ? sql`printf('%026d', at)` : sql`lpad(at::text, 26, '0')`
    await sql`with recursive numbers(at) as (select 1 union all select at + 1 from numbers where at < ${sql.lit(BOOKS)})
      insert into ${sql.table(tableOf(books.id))} (${sql.join(columns)})
      select ${id}, 1, '2026-01-01', '2026-01-01', at, at from numbers`.execute(transaction.db)
    if (index) await sql.raw(index.compile(transaction.db).sql.replace(' concurrently', '')).execute(transaction.db)
  })
})
afterAll(() => opened.close())

const containsOnlyPrices: IsIndexed = (_collection, _want, further = []) => indexContains(byPrice, further)

async function pageOf(filter: string, sort = 'price', isIndexed = containsOnlyPrices) {
  const scope = { reader: counted.database.read, dialect, pendingImports: [], isIndexed }
  const { rows } = await selectPage(scope, ask({ filter, sort, perPage: 3 }))
  return { found: rows.map((row) => Number(row['id'])), reads: counted.reads() }
}

/** PostgreSQL chooses its own plan. */
const inReads = (onSqlite: number): number => (dialect === 'sqlite' ? onSqlite : 1)

test('a page within the first rows of its sort order is found immediately', async () => {
  expect(await pageOf('price > 0 && margin > 10')).toEqual({ found: [11, 12, 13], reads: inReads(1) })
})

test('the last page of a sort order is detected without a full scan', async () => {
  expect(await pageOf('price > 22900 && margin < 22903')).toEqual({ found: [22_901, 22_902], reads: inReads(2) })
})

test('records beyond the scan limit are also found', async () => {
  expect(await pageOf('price > 0 && margin > 22998')).toEqual({ found: [22_999, 23_000], reads: inReads(3) })
  expect(await pageOf('price > 0 && (margin = 700 || margin = 22999)')).toEqual({
    found: [700, 22_999],
    reads: inReads(3),
  })
})

test('records are found in one pass if the index contains all fields that the filter checks', async () => {
  const all: IsIndexed = () => true
  expect(await pageOf('price > 0 && margin > 22998', 'price', all)).toEqual({ found: [22_999, 23_000], reads: 1 })
  expect(await pageOf('price > 0 && phone !~ "x" && margin > 22998', 'price', all)).toEqual({
    found: [22_999, 23_000],
    reads: inReads(3),
  })
})

test('the few records of a range are counted, and then sorted', async () => {
  expect(await pageOf('price > 22990 && margin != 22992', '')).toEqual({
    found: [22_991, 22_993, 22_994],
    reads: 2,
  })
})

test('the many records of a range are found in ID order, or sorted if the first rows contain none', async () => {
  expect(await pageOf('price > 10', '')).toEqual({ found: [11, 12, 13], reads: 2 })
  expect(await pageOf('price < 20000', '-id')).toEqual({ found: [19_999, 19_998, 19_997], reads: 3 })
  expect(await pageOf('price > 12000', '')).toEqual({ found: [12_001, 12_002, 12_003], reads: 4 })
  expect(await pageOf('price < 11000', '-id')).toEqual({ found: [10_999, 10_998, 10_997], reads: 4 })
})

test('the records of a range can be sorted by linked records', async () => {
  expect(await pageOf('price > 22990', 'phone,author')).toEqual({ found: [22_991, 22_992, 22_993], reads: 1 })
})
