import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fieldByName } from '#domain/collections/collection.ts'
import type { CheckedRecordsQuery, RecordsQueryInput } from '#domain/query/list/records-query.ts'
import { indexForQuery } from '#domain/query/list/index-selection.ts'
import { createTables } from '#server/schema/collections/tables-store.ts'
import { ask } from '#tests/conformance/query/agreement.ts'
import { indexTexts } from '#tests/conformance/query/data/index-texts.ts'
import { books, library } from '#tests/conformance/query/data/library-schema.ts'
import type { Sight } from '#tests/conformance/query/data/generated-queries.ts'
import { type OpenTestDatabase, openTestDatabase } from '#tests/support/database/test-database.ts'
import type { TimedQuery } from '#server/query/run/slow-query-log.ts'
import { compilePage } from '#server/query/compile/compile-page.ts'
import { compileCount } from '#server/query/compile/compile-conditions.ts'
import { recordSlowCount, settingFor } from './plan-search.ts'
import { withPossibleHits } from './possible-hits.ts'
import type { QueryScope } from '#server/query/run/query-scope.ts'
import type { SqlOptions } from '#server/query/sql/sql-context.ts'

let opened: OpenTestDatabase
let scope: QueryScope

beforeAll(async () => {
  opened = await openTestDatabase({ dialect: 'sqlite' })
  const searchParts = await opened.database.write(async (transaction) => {
    for (const collection of library) await createTables(transaction, collection)
    return indexTexts(transaction, library, 'whole')
  })
  scope = { reader: opened.database.read, dialect: 'sqlite', pendingImports: [], searchParts, rareHits: 50 }
})
afterAll(() => opened.close())

const page = (input: Partial<RecordsQueryInput>, sight?: Sight): CheckedRecordsQuery =>
  ask({ perPage: 50, ...input }, sight)

async function planOf(
  query: CheckedRecordsQuery,
  use: 'page' | 'count',
  statement: (setting: SqlOptions) => RawBuilder<unknown>,
): Promise<string[]> {
  const explain = sql<{ detail: string }>`explain query plan ${statement(await settingFor(scope, query, use))}`
  return (await explain.execute(scope.reader)).rows.map(({ detail }) => detail)
}

const planOfPage = (query: CheckedRecordsQuery) =>
  planOf(query, 'page', (setting) => compilePage(query, setting, books.fields))

const planOfCount = (query: CheckedRecordsQuery) =>
  planOf(query, 'count', (setting) => compileCount(query, 'capped', setting))

/** Query plan lines that read the list's table other than by row number. */
const scans = (plan: readonly string[]) =>
  plan.filter((line) => / r0(?: |$)/.test(line) && !line.includes('INTEGER PRIMARY KEY (rowid=?)'))

const asksIndex = (plan: readonly string[]) => plan.some((line) => /SCAN s_\w+ VIRTUAL TABLE INDEX/.test(line))

const sorts = (plan: readonly string[]) => plan.filter((line) => line.includes('TEMP B-TREE FOR ORDER BY'))

const BOUND: Sight = { books: { field: 'sold', op: '=', value: true }, authors: undefined }

describe('a search', () => {
  test('in ID order scans its full-text index and reads only the records of the page', async () => {
    for (const sort of ['', 'id', '-id']) {
      const plan = await planOfPage(page({ search: 'wonder', sort }))
      expect([asksIndex(plan), scans(plan), sorts(plan).slice(1)]).toEqual([true, [], []])
    }
  })

  test('for several words and after a cursor uses the same plan', async () => {
    const first = page({ search: 'wonder "big apple" wall' })
    const plan = await planOfPage(page({ search: 'wonder "big apple" wall', cursor: `${first.fingerprint}.50.tb1` }))
    expect([asksIndex(plan), scans(plan), sorts(plan).slice(1)]).toEqual([true, [], []])
  })

  test('is counted using only the full-text index', async () => {
    const plan = await planOfCount(page({ search: 'wonder wall' }))
    expect(asksIndex(plan)).toBe(true)
    expect(scans(plan)).toEqual([])
  })

  test('for a rare word starts with its matches, regardless of filter and sort order', async () => {
    const queries = [
      page({ search: 'wonder', sort: '-price,title' }),
      page({ search: 'wonder', filter: 'price > 1', sort: 'genre' }),
      page({ search: 'wonder zq' }),
      page({ search: 'wonder' }, BOUND),
    ]
    for (const query of queries) {
      const plan = await planOfPage(query)
      expect([asksIndex(plan), scans(plan)]).toEqual([true, []])
    }
    const counted = await planOfCount(page({ search: 'wonder' }, BOUND))
    expect([asksIndex(counted), scans(counted)]).toEqual([true, []])
  })

  test('with single-value conditions is counted without reading rows if an index contains the values', async () => {
    const indexed = { ...scope, isIndexed: () => true }
    const counts = async (query: CheckedRecordsQuery) => (await settingFor(indexed, query, 'count')).search?.counted
    expect(await counts(page({ search: 'wonder' }, BOUND))).toHaveLength(1)
    expect(await counts(page({ search: 'wonder', filter: 'genre != "crime"' }, BOUND))).toHaveLength(2)
    expect(await counts(page({ search: 'wonder', filter: 'price > 1' }, BOUND))).toBeUndefined()
    expect((await settingFor(scope, page({ search: 'wonder' }, BOUND), 'count')).search?.counted).toBeUndefined()
  })

  test('reports an index that would help filter its matches', () => {
    const noted: TimedQuery[] = []
    const learning = { ...scope, recordQueryTime: (requested: TimedQuery) => noted.push(requested) }
    recordSlowCount(learning, page({ search: 'wonder', filter: 'genre != "crime"' }, BOUND), 20)
    recordSlowCount(learning, page({ search: 'wonder', filter: 'price > 1' }, BOUND), 20)
    const fields = noted.flatMap(({ query }) => indexForQuery(query)?.equal ?? [])
    expect(fields).toEqual(['sold', 'genre'].map((name) => fieldByName(books, name)?.id))
  })

  test('for one or two characters uses prefixes of trigrams', async () => {
    const plan = await planOfPage(page({ search: 'zq' }))
    expect(plan.some((line) => /SCAN t VIRTUAL TABLE INDEX/.test(line))).toBe(true)
    expect(scans(plan)).toEqual([])
  })

  test('reports an index that would help with the fields that its words match', async () => {
    const noted: TimedQuery[] = []
    await settingFor(
      { ...scope, recordQueryTime: (requested) => noted.push(requested) },
      page({ search: 'crime' }),
      'page',
    )
    const fields = noted.flatMap(({ query }) => indexForQuery(query)?.equal ?? [])
    expect(fields).toEqual([fieldByName(books, 'genre')?.id])
  })

  test('scans the records if its words are common and another sort order is requested', async () => {
    const frequent = { ...scope, rareHits: -1 }
    const query = page({ search: 'wonder', sort: 'price' })
    const { search } = await settingFor(frequent, query, 'page')
    expect(search).toMatchObject({ hits: null, from: null })
    expect(search?.conditions).toHaveLength(1)
  })
})

describe('a search in all collections', () => {
  const isPossible = async (search: string): Promise<boolean> =>
    (await withPossibleHits(scope, [{ query: page({ search }) }])).length > 0

  test('leaves out a collection without hits in its full-text index', async () => {
    expect(await isPossible('wonder')).toBe(false)
    expect(await isPossible('wonder crime')).toBe(false)
    expect(await isPossible('zq')).toBe(false)
  })

  test('keeps a collection if its full-text index can’t decide', async () => {
    expect(await isPossible('crime')).toBe(true)
    expect(await isPossible('\u0001')).toBe(true)
  })
})
