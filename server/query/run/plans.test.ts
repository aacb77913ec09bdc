import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CheckedRecordsQuery, type RecordsQueryInput, cursorAfter } from '#domain/query/list/records-query.ts'
import { type IndexSpec, indexForGroups, indexForQuery } from '#domain/query/list/index-selection.ts'
import type { KeyValue } from '#domain/shared/compare-values.ts'
import { createTables } from '#server/schema/collections/tables-store.ts'
import { hasFoldColumn } from '#server/query/sql/field-storage.ts'
import type { Database, Transaction } from '#server/platform/database/database.ts'
import { ask, askGroups } from '#tests/conformance/query/agreement.ts'
import { GENRES, books, id, library } from '#tests/conformance/query/data/library-schema.ts'
import { type OpenTestDatabase, openTestDatabase, testDialect } from '#tests/support/database/test-database.ts'
import { columnOf, foldColumnOf, tableOf } from '#server/query/sql/sql-context.ts'
import { compileGroups } from '#server/query/compile/compile-group.ts'
import { compileIndex } from '#server/query/compile/compile-index.ts'
import { compilePage, compileScannedPage } from '#server/query/compile/compile-page.ts'
import { compileCount } from '#server/query/compile/compile-conditions.ts'

const dialect = testDialect()
const setting = { dialect, pendingImports: [] }
const INDEX = 'x_wanted'

let opened: OpenTestDatabase

beforeAll(async () => {
  opened = await openTestDatabase()
  await opened.database.write(async (transaction) => {
    for (const collection of library) await createTables(transaction, collection)
    if (dialect === 'postgres') await addBooks(transaction)
  })
  // Without statistics, PostgreSQL's plans depend on its version.
  if (dialect === 'postgres') await opened.database.maintain({ name: 'books', signal, work: (run) => run(ANALYSIS) })
})
afterAll(() => opened.close())

const { signal } = new AbortController()
const ANALYSIS = `vacuum (analyze) ${tableOf(books.id)}`
const BOOKS = 3_000

/** Books with realistic values: distinct titles, some shared prices, mostly one genre. */
async function addBooks({ db }: Transaction): Promise<void> {
  const choices = sql.join(GENRES.map((genre) => sql.lit(genre.id)))
  const cells: Readonly<Record<string, RawBuilder<unknown>>> = {
    title: sql`'title ' || at * 7919 % 3001`,
    blurb: sql`'blurb ' || at * 6007 % 3001`,
    body: sql`'body ' || at * 5003 % 3001`,
    price: sql`at * 31 % 997`,
    margin: sql`at * 37 % 991`,
    sold: sql`at % 3 = 0`,
    dueOn: sql`to_char(date '2026-01-01' + at % 700, 'YYYY-MM-DD')`,
    genre: sql`(array[${choices}])[1 + least(at % 50, 4)]`,
  }
  const fields = books.fields.filter(({ name }) => name in cells)
  const folded = fields.filter(hasFoldColumn)
  const columns = [
    'id',
    'version',
    'created_at',
    'updated_at',
    'created_by',
    ...fields.map((field) => columnOf(field.id)),
  ]
  const folds = folded.map((field) => foldColumnOf(field.id))
  const madeAt = sql`'2026-01-01T00:00:' || lpad((at % 60)::text, 2, '0') || '.000Z'`
  const values = [
    sql`rpad('00b' || lpad(at::text, 11, '0'), 26, '0'), 1, ${madeAt}, ${madeAt}, 'u' || at % 50`,
    ...[...fields, ...folded].map(({ name }) => cells[name] ?? sql`null`),
  ]
  await sql`insert into ${sql.table(tableOf(books.id))} (${sql.join([...columns, ...folds].map((name) => sql.id(name)))})
    select ${sql.join(values)} from generate_series(1, ${sql.lit(BOOKS)}) as at`.execute(db)
}

/** The query plan if only the tested index is available. */
async function planOf({ write }: Database, statement: RawBuilder<unknown>, spec: IndexSpec | null): Promise<string> {
  const lines: string[] = []
  const undone = new Error('undone')
  const work = write(async ({ db }) => {
    const index = spec && compileIndex(INDEX, spec, { collection: books, timeZone: 'Europe/Vienna', dialect })
    if (index) await sql.raw(index.compile(db).sql.replace(' concurrently', '')).execute(db)
    if (dialect === 'postgres') await sql`set local enable_seqscan = off; set local enable_bitmapscan = off`.execute(db)
    const explain = dialect === 'sqlite' ? sql`explain query plan ${statement}` : sql`explain ${statement}`
    for (const row of (await explain.execute(db)).rows) lines.push(String(Object.values(row as object).at(-1)))
    throw undone
  })
  await expect(work).rejects.toBe(undone)
  return lines.join('\n')
}

/** Reads one extra row to detect whether more follow. */
const PAGE_ROWS = 51

const page = (input: Partial<RecordsQueryInput>): CheckedRecordsQuery => ask({ perPage: PAGE_ROWS - 1, ...input })

function pageBehind(input: Partial<RecordsQueryInput>, key: readonly KeyValue[]): CheckedRecordsQuery {
  return page({ ...input, cursor: cursorAfter(page(input), 50, key) })
}

const planOfPage = (query: CheckedRecordsQuery): Promise<string> =>
  planOf(opened.database, compilePage(query, setting, books.fields), indexForQuery(query))

function walks(plan: string): string[] {
  const found = plan.split('\n').filter((line) => (dialect === 'sqlite' ? / r0(?: |$)/ : / on c_\w+ r0/).test(line))
  return found.filter((line) => !/INTEGER PRIMARY KEY \(rowid=\?\)| r0 {2}\(/.test(line))
}

/** Plan lines that sort more rows than fit on a page; sorting the page's own rows and ties is allowed. */
function sorts(plan: string): string[] {
  const lines = plan.split('\n')
  if (dialect === 'sqlite') return lines.filter((line) => line.includes('TEMP B-TREE')).slice(0, -1)
  return lines.filter((line) => Number(/(?:^|-> {2})Sort .* rows=(\d+)/.exec(line)?.[1]) > PAGE_ROWS)
}

const cases: readonly (readonly [name: string, query: CheckedRecordsQuery])[] = [
  ['by a number', page({ sort: 'price' })],
  ['by a number, backwards', page({ sort: '-price' })],
  ['by a text', page({ sort: 'title' })],
  ['by a text, backwards', page({ sort: '-title' })],
  ['by a day', page({ sort: 'dueOn' })],
  ['by choices', page({ sort: 'genre' })],
  ['by choices, backwards', page({ sort: '-genre' })],
  ['by a truth, backwards', page({ sort: '-sold' })],
  ['behind a truth', pageBehind({ sort: 'sold' }, [1, id('b', 3)])],
  ['by a document', page({ sort: 'body' })],
  ['by when it was made, backwards', page({ sort: '-createdAt' })],
  ['by two fields', page({ sort: '-genre,price' })],
  ['by two texts', page({ sort: 'title,-blurb' })],
  ['on page 30', page({ sort: '-price', page: 30 })],
  ['behind a number', pageBehind({ sort: 'price' }, [1, id('b', 3)])],
  ['behind a number, backwards', pageBehind({ sort: '-price' }, [1, id('b', 3)])],
  ['among empty numbers', pageBehind({ sort: '-price' }, [null, id('b', 3)])],
  ['behind a text', pageBehind({ sort: 'title' }, ['a', 'A', id('b', 3)])],
  ['behind a text, backwards', pageBehind({ sort: '-title' }, ['a', 'A', id('b', 3)])],
  ['among empty texts', pageBehind({ sort: 'title' }, [null, null, id('b', 3)])],
  ['behind a choice', pageBehind({ sort: '-genre' }, [2, id('b', 3)])],
  ['behind two fields', pageBehind({ sort: 'genre,title' }, [1, 'a', 'A', id('b', 3)])],
  ['behind a choice, among empty numbers', pageBehind({ sort: '-genre,price' }, [1, null, id('b', 3)])],
  ['by a formula', page({ sort: 'doubled' })],
  ['by a formula, backwards', page({ sort: '-doubled' })],
  ['by a text formula', page({ sort: 'shout' })],
  ['by a day formula', page({ sort: 'nextOn' })],
  ['behind a formula', pageBehind({ sort: '-doubled' }, [1, id('b', 3)])],
  ['of one value of a formula, sorted', page({ filter: 'doubled = 4', sort: 'price' })],
  ['of a range of a formula', page({ filter: 'doubled > 3', sort: 'doubled' })],
  ['of one choice', page({ filter: 'genre = "crime"' })],
  ['of one choice, sorted', page({ filter: 'genre = "crime"', sort: 'genre,price' })],
  ['of one choice, behind a number', pageBehind({ filter: 'genre = "crime"', sort: '-price' }, [1, id('b', 3)])],
  ['of two fixed values', page({ filter: 'sold = true && price = 1', sort: 'title' })],
  ['of numbers, in their order', page({ filter: 'genre = "crime" && price > 1', sort: 'price' })],
]

describe('a list with its index', () => {
  test.each(cases)('is read in index order: %s', async (_, query) => {
    const plan = await planOfPage(query)
    expect(walks(plan)).not.toEqual([])
    expect(walks(plan).filter((line) => !line.includes(INDEX))).toEqual([])
    expect(sorts(plan)).toEqual([])
  })

  test.each([
    page({ sort: 'title' }),
    page({ sort: '-title' }),
    pageBehind({ sort: 'title' }, ['a', 'A', id('b', 3)]),
    pageBehind({ sort: 'title' }, [null, null, id('b', 3)]),
    page({ sort: 'shout' }),
  ])('on PostgreSQL, needs no sorting by the prefixes of a text: %#', async (query) => {
    if (dialect === 'sqlite') return expect(indexForQuery(query)).not.toBeNull()
    const statement = compilePage(query, { ...setting, isByPrefix: true }, books.fields)
    const plan = await planOf(opened.database, statement, indexForQuery(query))
    expect(walks(plan).filter((line) => !line.includes(INDEX))).toEqual([])
    expect([...sorts(plan), ...plan.split('\n').filter((line) => line.includes('Incremental Sort'))]).toEqual([])
  })

  test('needs no automatic index in ID order, even after a cursor', async () => {
    for (const query of [
      page({}),
      page({ sort: '-id' }),
      pageBehind({}, [id('b', 3)]),
      pageBehind({ sort: '-id' }, [id('b', 3)]),
    ]) {
      expect(indexForQuery(query)).toBeNull()
      const plan = await planOfPage(query)
      expect(sorts(plan)).toEqual([])
      expect(plan).not.toContain('Seq Scan')
    }
  })

  test('is counted using only the index if that contains the filtered fields', async () => {
    const query = page({ filter: 'genre = "crime" && price between 1 and 2', sort: 'dueOn' })
    const plan = await planOf(opened.database, compileCount(query, 'exact', setting), indexForQuery(query))
    expect(plan).toMatch(
      dialect === 'sqlite' ? /COVERING INDEX x_wanted \(\w+=\? AND \w+>\? AND \w+<\?\)/ : /using x_wanted/,
    )
    expect(walks(await planOfPage(query)).every((line) => line.includes(INDEX))).toBe(true)
  })

  test('is counted using only the index if that contains the inputs of a filtered formula', async () => {
    const query = page({ filter: 'doubled > 1900 && sold = true', sort: 'dueOn' })
    const plan = await planOf(opened.database, compileCount(query, 'exact', setting), indexForQuery(query))
    expect(plan).toMatch(dialect === 'sqlite' ? /COVERING INDEX x_wanted/ : /Index Only Scan using x_wanted/)
  })

  test.each([
    'title ^= "ap"',
    'title >= "m"',
    'title = "m"',
    'title in ("m", "n")',
    'createdBy = @me',
    'genre in ("crime", "essay")',
  ])('uses it where %s', async (filter) => {
    const query = page({ filter })
    const plan = await planOf(opened.database, compileCount(query, 'exact', setting), indexForQuery(query))
    expect(plan).toMatch(dialect === 'sqlite' ? /SEARCH r0 USING (?:COVERING )?INDEX x_wanted/ : /using x_wanted/)
  })

  test.each(['price > 3', 'doubled > 3'])('few records where %s are read by it, and then sorted', async (filter) => {
    const query = page({ filter })
    const plan = await planOf(opened.database, compileScannedPage(query, setting, books.fields), indexForQuery(query))
    expect(walks(plan).join('\n')).toMatch(
      dialect === 'sqlite' ? /SEARCH r0 USING COVERING INDEX x_wanted/ : /using x_wanted/,
    )
  })
})

describe('grouped records with their index', () => {
  test.each([
    ['genre', 'sum(price)', ''],
    ['genre,-sold', 'avg(price),max(margin)', ''],
    ['author', 'count', 'genre = "crime"'],
    ['title', 'sum(price)', ''],
  ])('by %s with %s where %j are read from the index alone', async (by, aggregates, filter) => {
    const [query, grouping] = [page({ filter }), askGroups(by, aggregates)]
    const spec = indexForGroups(query, grouping)
    // PostgreSQL doesn't index full texts, and its plans depend on the data.
    if (dialect === 'postgres') return expect(spec).not.toBeNull()
    const plan = await planOf(opened.database, compileGroups(query, grouping, setting), spec)
    expect(plan).toMatch(/(?:SCAN|SEARCH) r0 USING COVERING INDEX x_wanted/)
    expect(plan).not.toContain('GROUP BY\nSCAN r0 USING')
  })
})
