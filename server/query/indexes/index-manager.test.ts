import { sql } from 'kysely'
import { Client } from 'pg'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { GUEST } from '#domain/access/actor.ts'
import { EMPTY_SPEC, INDEX_MIN_RECORDS } from '#domain/query/list/index-selection.ts'
import type { CheckedRecordsQuery, RecordsQueryInput } from '#domain/query/list/records-query.ts'
import { seqOf } from '#domain/shared/ids.ts'
import { definitionsCache } from '#server/query/definitions/definitions-cache.ts'
import { storeTimeZone } from '#server/query/definitions/workspace-time-zone.ts'
import { insertCollection, incrementDefinitionsVersion } from '#server/query/definitions/store.ts'
import { createTables, dropFieldColumns } from '#server/schema/collections/tables-store.ts'
import { insertRows } from '#server/platform/database/rows/insert-rows.ts'
import { tableOf } from '#server/query/sql/sql-context.ts'
import { selectPage } from '#server/query/run/run-records-query.ts'
import { ask, askGroups } from '#tests/conformance/query/agreement.ts'
import { books, countries, id } from '#tests/conformance/query/data/library-schema.ts'
import { type OpenTestDatabase, openTestDatabase, testDialect } from '#tests/support/database/test-database.ts'
import { type IndexManager, createIndexManager } from './index-manager.ts'
import { dropListIndexes, type IndexDeps } from './build-index.ts'
import { listIndexes } from './list-indexes.ts'
import { claimIndex, findDatabaseIndexes, loadIndexes, staleTables } from './store.ts'

let opened: OpenTestDatabase
let now: Date
const managers: IndexManager[] = []

beforeEach(async () => {
  now = new Date('2026-11-20T09:00:00.000Z')
  opened = await openTestDatabase()
  await opened.database.write(async (transaction) => {
    await createTables(transaction, books)
    await insertCollection(transaction, books)
    await incrementDefinitionsVersion(transaction)
  })
})
afterEach(async () => {
  for (const manager of managers.splice(0)) await manager.stop()
  await opened.close()
})

let made = 0

function deps(): IndexDeps {
  const { database } = opened
  return {
    database,
    definitions: definitionsCache(database, () => performance.now()),
    clock: () => now,
    newId: () => id('x', ++made),
    log: pino({ level: 'silent' }),
  }
}

async function openManager(): Promise<IndexManager> {
  const manager = createIndexManager(deps())
  managers.push(manager)
  await manager.start()
  await manager.settled()
  return manager
}

const AT = '2026-01-01T00:00:00.000Z'

async function manyBooks(count = INDEX_MIN_RECORDS): Promise<void> {
  const isNumbered = testDialect() === 'sqlite'
  const price = books.fields.find(({ name }) => name === 'price')?.id ?? ''
  const columns = [...(isNumbered ? ['seq'] : []), 'id', 'version', 'created_at', 'updated_at', `f_${price}`]
  const rows = Array.from({ length: count }, (_, at) => {
    const key = id('b', at + 1)
    return [...(isNumbered ? [seqOf(key)] : []), key, 1, AT, AT, at % 100]
  })
  await opened.database.write((transaction) => insertRows(transaction, { table: tableOf(books.id), columns, rows }))
}

const query = (input: Partial<RecordsQueryInput>): CheckedRecordsQuery => ask({ perPage: 50, ...input })

const there = async () => [...(await findDatabaseIndexes(opened.database.read, testDialect())).keys()]

const written = async () =>
  (await loadIndexes(opened.database.read)).map(({ id: index, state, usedAt }) => ({ index, state, usedAt }))

describe('an automatic index', () => {
  test('is created once for a slow query on a large collection, and used by later queries', async () => {
    await manyBooks()
    const manager = await openManager()
    for (const tookMs of [20, 30]) manager.note({ query: query({ sort: '-price' }), tookMs })
    await manager.settled()
    expect(await written()).toMatchObject([{ state: 'ready' }])
    expect(await there()).toEqual((await written()).map(({ index }) => index))

    manager.note({ query: query({ sort: '-price' }), tookMs: 20 })
    await manager.settled()
    expect(await there()).toHaveLength(1)
    const scope = { reader: opened.database.read, dialect: testDialect(), pendingImports: [] }
    expect((await selectPage(scope, query({ sort: '-price' }))).rows).toHaveLength(50)
  })

  test('is not created for a fast query, a small collection, or a query that cannot use one', async () => {
    await manyBooks(INDEX_MIN_RECORDS - 1)
    const manager = await openManager()
    manager.note({ query: query({ sort: 'price' }), tookMs: 100 })
    await manager.settled()
    expect(await there()).toEqual([])

    await opened.database.write((transaction) =>
      sql`delete from ${sql.table(tableOf(books.id))}`.execute(transaction.db).then(() => undefined),
    )
    await manyBooks()
    manager.note({ query: query({ sort: 'dueOn' }), tookMs: 1 })
    manager.note({ query: query({}), tookMs: 100 })
    manager.note({ query: query({ sort: 'author.country.name' }), tookMs: 100 })
    await manager.settled()
    expect(await there()).toEqual([])
  })

  test('is created for slow grouped queries as well', async () => {
    await manyBooks()
    const manager = await openManager()
    manager.note({ query: query({}), grouping: askGroups('genre', 'sum(price)'), tookMs: 100 })
    await manager.settled()
    expect(await written()).toMatchObject([{ state: 'ready' }])
  })

  test('is created once by two concurrent processes', async () => {
    await manyBooks()
    const both = [await openManager(), await openManager()]
    for (const manager of both) manager.note({ query: query({ sort: 'price' }), tookMs: 100 })
    for (const manager of both) await manager.settled()
    expect(await there()).toHaveLength(1)
    expect(await written()).toMatchObject([{ state: 'ready' }])
  })

  test('is dropped in the same write as its field', async () => {
    await manyBooks()
    const manager = await openManager()
    manager.note({ query: query({ filter: 'genre = "crime"', sort: 'price' }), tookMs: 100 })
    manager.note({ query: query({ sort: 'dueOn' }), tookMs: 100 })
    await manager.settled()
    expect(await there()).toHaveLength(2)
    const price = books.fields.find(({ name }) => name === 'price')
    await opened.database.write(async (transaction) => {
      if (price) await dropFieldColumns(transaction, books.id, price)
    })
    expect(await there()).toHaveLength(1)
    expect(await written()).toHaveLength(1)
  })

  test('is dropped before most records are deleted, unless it finds links', async () => {
    await manyBooks()
    const manager = await openManager()
    const author = books.fields.find(({ name }) => name === 'author')?.id ?? ''
    await manager.keep([{ collection: books.id, spec: { ...EMPTY_SPEC, equal: [author] } }])
    manager.note({ query: query({ sort: 'price' }), tookMs: 100 })
    await manager.settled()
    expect(await there()).toHaveLength(2)
    await dropListIndexes(opened.database, books)
    expect(await there()).toHaveLength(1)
    expect((await loadIndexes(opened.database.read)).map(({ spec }) => spec.equal)).toContainEqual([author])
  })

  test('is dropped if it was unused for thirty days', async () => {
    await manyBooks()
    const manager = await openManager()
    for (const sort of ['price', 'dueOn']) manager.note({ query: query({ sort }), tookMs: 100 })
    await manager.settled()
    now = new Date('2026-12-15T09:00:00.000Z')
    manager.note({ query: query({ sort: 'price' }), tookMs: 1 })
    await manager.stop()
    await openManager()
    expect(await there()).toHaveLength(2)
    expect((await written()).map(({ usedAt }) => usedAt).toSorted()).toEqual([
      '2026-11-20T09:00:00.000Z',
      '2026-12-15T09:00:00.000Z',
    ])
    now = new Date('2026-12-21T09:00:00.000Z')
    await openManager()
    expect(await there()).toHaveLength(1)
  })
})

describe('an index of a formula', () => {
  const openInVienna = async (): Promise<IndexManager> => {
    await manyBooks()
    // The time zone of the queries, which is part of a formula's meaning.
    await opened.database.write((transaction) => storeTimeZone(transaction, 'Europe/Vienna'))
    return openManager()
  }

  test('is created for sort orders, filters and groups, unless the formula reads the time', async () => {
    const manager = await openInVienna()
    for (const wanted of [{ sort: '-doubled' }, { sort: 'shout' }, { sort: 'nextOn' }, { filter: 'doubled = 2' }])
      manager.note({ query: query(wanted), tookMs: 20 })
    manager.note({ query: query({}), grouping: askGroups('nextOn', 'sum(doubled)'), tookMs: 20 })
    manager.note({ query: query({ sort: 'isLate' }), tookMs: 20 })
    await manager.settled()
    // PostgreSQL reads the records anyway to group expressions.
    const groups = testDialect() === 'sqlite' ? [['nextOn']] : []
    expect(await there()).toHaveLength(4 + groups.length)
    const { items } = await listIndexes(deps(), { type: 'system', reason: 'test' }, 'books')
    expect(items.map(({ finds, sorts }) => [finds, sorts])).toEqual(
      expect.arrayContaining([
        [[], ['-doubled']],
        [['doubled'], []],
      ]),
    )
    expect(items.flatMap((item) => (item.groups.length > 0 ? [item.groups] : []))).toEqual(groups)
    const scope = { reader: opened.database.read, dialect: testDialect(), pendingImports: [] }
    const { rows } = await selectPage(scope, query({ sort: '-doubled' }))
    expect(rows).toHaveLength(50)
  })

  test('is kept up to date by writes', async () => {
    const manager = await openInVienna()
    manager.note({ query: query({ filter: 'doubled > 1000' }), tookMs: 20 })
    await manager.settled()
    const margin = books.fields.find(({ name }) => name === 'margin')?.id ?? ''
    await opened.database.write(async ({ db }) => {
      await sql`update ${sql.table(tableOf(books.id))} set ${sql.id(`f_${margin}`)} = 600 where id = ${id('b', 7)}`.execute(
        db,
      )
    })
    const scope = { reader: opened.database.read, dialect: testDialect(), pendingImports: [] }
    const { rows } = await selectPage(scope, query({ filter: 'doubled > 1000' }))
    expect(rows.map((row) => row['id'])).toEqual([id('b', 7)])
  })

  test('is dropped when the formula has another meaning, and before columns are dropped', async () => {
    const manager = await openInVienna()
    manager.note({ query: query({ sort: 'doubled' }), tookMs: 20 })
    manager.note({ query: query({ sort: 'price' }), tookMs: 20 })
    await manager.settled()
    expect(await there()).toHaveLength(2)
    await opened.database.write((transaction) => storeTimeZone(transaction, 'Asia/Tokyo'))
    await manager.stop()
    await openManager()
    expect(await there()).toHaveLength(1)

    await opened.database.write((transaction) => storeTimeZone(transaction, 'Europe/Vienna'))
    const again = await openManager()
    again.note({ query: query({ sort: 'doubled' }), tookMs: 20 })
    await again.settled()
    expect(await there()).toHaveLength(2)
    const blurb = books.fields.find(({ name }) => name === 'blurb')
    await opened.database.write(async (transaction) => {
      if (blurb) await dropFieldColumns(transaction, books.id, blurb)
    })
    expect(await there()).toHaveLength(1)
  })
})

describe('managers of a collection', () => {
  test('see its indexes with field names and sizes; other users see none', async () => {
    await manyBooks()
    const manager = await openManager()
    manager.note({ query: query({ filter: 'genre = "crime"', sort: '-price' }), tookMs: 100 })
    await manager.settled()
    const answer = await listIndexes(deps(), { type: 'system', reason: 'test' }, 'books')
    const at = now.toISOString()
    expect(answer.items).toMatchObject([
      { state: 'ready', finds: ['genre'], sorts: ['-price'], groups: [], reads: [], since: at, usedAt: at },
    ])
    expect(answer.items[0]?.bytes).toBeGreaterThan(10_000)

    await expect(listIndexes(deps(), GUEST, 'books')).rejects.toThrow()
  })
})

describe('server startup', () => {
  test('removes leftovers of an interrupted index build', async () => {
    await manyBooks(1)
    await opened.database.write(async (transaction) => {
      const spec = { equal: [], grouped: [], range: null, order: [], covered: [] }
      const index = { id: id('x', 900), collection: books.id, spec, madeAt: AT, usedAt: AT }
      await claimIndex(transaction, { ...index, state: 'building' })
      await sql.raw(`create index x_${id('x', 901)} on ${tableOf(books.id)} (version)`).execute(transaction.db)
    })
    await openManager()
    expect(await written()).toEqual([])
    expect(await there()).toEqual([])
  })

  test('uses an index that another process has finished', async () => {
    await manyBooks(1)
    const field = books.fields.find(({ name }) => name === 'price')?.id ?? ''
    await opened.database.write(async (transaction) => {
      const order = [{ field, takes: ['value' as const], isDescending: false }]
      const spec = { equal: [], grouped: [], range: null, order, covered: [] }
      const at = now.toISOString()
      const index = { id: id('x', 902), collection: books.id, spec, madeAt: at, usedAt: at }
      await claimIndex(transaction, { ...index, state: 'building' })
      await sql.raw(`create index x_${id('x', 902)} on ${tableOf(books.id)} (f_${field})`).execute(transaction.db)
    })
    await openManager()
    expect(await written()).toMatchObject([{ index: id('x', 902), state: 'ready' }])
  })
})

if (testDialect() === 'postgres') {
  describe('server startup on PostgreSQL', () => {
    test('removes an unfinished index', async () => {
      await manyBooks(1)
      const name = `x_${id('x', 903)}`
      await opened.database.write(async (transaction) => {
        await sql.raw(`create index ${name} on ${tableOf(books.id)} (version)`).execute(transaction.db)
        await sql`update pg_index set indisvalid = false where indexrelid = to_regclass(${name})`.execute(
          transaction.db,
        )
      })
      await openManager()
      expect(await there()).toEqual([])
    })
  })

  test('an index is built at once while a table is being vacuumed, which starts again afterwards', async () => {
    await manyBooks()
    await opened.database.write(async (transaction) => {
      await createTables(transaction, countries)
      await sql`insert into ${sql.table(tableOf(countries.id))} (id, version, created_at, updated_at)
        select 'c' || at, 1, '', '' from generate_series(1, 12000) as at`.execute(transaction.db)
      await sql`select pg_stat_force_next_flush()`.execute(transaction.db)
    })
    // Makes the vacuum wait.
    const other = new Client({ connectionString: opened.url })
    await other.connect()
    await other.query(`begin; lock table "${tableOf(countries.id)}" in share update exclusive mode`)
    const manager = createIndexManager(deps())
    managers.push(manager)
    await manager.start()
    await expect.poll(isVacuumWaiting).toBe(true)
    manager.note({ query: query({ sort: 'price' }), tookMs: 100 })
    await expect.poll(written).toMatchObject([{ state: 'ready' }])
    await expect.poll(isVacuumWaiting).toBe(true)
    await other.end()
    await manager.settled()
    expect(await staleTables(opened.database.read)).toEqual([])
  })
}

async function isVacuumWaiting(): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%vacuum (analyze)%'
      and pid <> pg_backend_pid()`.execute(opened.database.read)
  return rows.length > 0
}
