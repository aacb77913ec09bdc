import Sqlite from 'better-sqlite3'
import { CompiledQuery, Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import { Pool } from 'pg'
import type { CheckedGroupQuery, RecordGroup } from '#domain/query/group.ts'
import type { Lookup } from '#domain/query/read-values.ts'
import type { CheckedRecordsQuery } from '#domain/query/records-query.ts'
import { findInMemory, groupInMemory, pageInMemory } from '#domain/query/run-in-memory.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import { foldText } from '#domain/shared/fold-text.ts'
import { createTables } from '#server/collections/tables-store.ts'
import type { Dialect, Tables, Transaction } from '#server/database/database.ts'
import { tableOf } from '#server/query/column-of.ts'
import { type QueryScope, countRecords, selectGroups, selectPage } from '#server/query/run-records-query.ts'
import { insertRecord } from '#server/records/store.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { authors, books, countries, fileNames, id, library } from './library.ts'
import { AUTHOR_IDS, COUNTRY_IDS, type Stock } from './stock.ts'

/** One of the three that must mean the same by a query. */
export type Executor = {
  readonly ids: (query: CheckedRecordsQuery) => Promise<readonly string[]>
  readonly page: (
    query: CheckedRecordsQuery,
  ) => Promise<{ readonly ids: readonly string[]; readonly nextCursor: string | null }>
  readonly count: (query: CheckedRecordsQuery) => Promise<number>
  readonly groups: (
    query: CheckedRecordsQuery,
    grouping: CheckedGroupQuery,
  ) => Promise<{ readonly groups: readonly RecordGroup[]; readonly total: number }>
  readonly close: () => Promise<void>
}

/** What records in memory are read with. */
const lookupIn = (stock: Stock): Lookup => ({
  recordOf: (collection, wanted) => stock.get(collection)?.find((record) => record.id === wanted),
  fileNameOf: (wanted) => fileNames.get(wanted),
})

/** The executor that needs no database. */
export function inMemory(stock: Stock): Executor {
  const lookup = lookupIn(stock)
  const all = stock.get(books.id) ?? []
  const find = (query: CheckedRecordsQuery) => findInMemory(query, all, lookup).map(({ id }) => id)
  return {
    ids: (query) => Promise.resolve(find(query)),
    page: (query) => {
      const { records } = pageInMemory(query, all, lookup)
      return Promise.resolve({ ids: records.map(({ id }) => id), nextCursor: null })
    },
    count: (query) => Promise.resolve(find(query).length),
    groups: (query, grouping) => Promise.resolve(groupInMemory(query, grouping, all, lookup)),
    close: () => Promise.resolve(),
  }
}

/** SQLite, in memory. */
export async function inSqlite(stock: Stock): Promise<Executor> {
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: new Sqlite(':memory:') }) })
  await fill(transactionOn(db, 'sqlite'), stock)
  return executorOn(db, 'sqlite', () => db.destroy())
}

/** A real PostgreSQL. */
export async function inPostgres(stock: Stock): Promise<Executor> {
  const { url, drop } = await createDatabase()
  const pool = new Pool({ connectionString: url, max: 2 })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  await fill(transactionOn(db, 'postgres'), stock)
  return executorOn(db, 'postgres', async () => {
    await db.destroy()
    await drop()
  })
}

function executorOn(reader: Kysely<Tables>, dialect: Dialect, close: () => Promise<void>): Executor {
  // One import is always on its way, so that its rows are seen to be left out everywhere.
  const scope: QueryScope = { reader, dialect, pendingImports: [PENDING] }
  const page: Executor['page'] = async (query) => {
    const { rows, nextCursor } = await selectPage(scope, query)
    return { ids: rows.map((row) => String(row['id'])), nextCursor }
  }
  return {
    page,
    ids: async (query) => (await page(query)).ids,
    count: async (query) => (await countRecords(scope, query, 'exact')).total,
    groups: (query, grouping) => selectGroups(scope, query, grouping),
    close,
  }
}

const PENDING = 'import-on-its-way'

/** Makes the library's tables with the server's own hands, and puts the stock into them, last record first. */
async function fill(transaction: Transaction, stock: Stock): Promise<void> {
  const { db, dialect } = transaction
  for (const collection of library) {
    await createTables(transaction, collection)
    const records = [...(stock.get(collection.id) ?? [])].reverse()
    for (const record of records) {
      await insertRecord(transaction, collection, { ...record, at: record.createdAt, userId: record.createdBy })
      await sql`update ${sql.table(tableOf(collection.id))} set updated_by = ${record.updatedBy} where id = ${record.id}`.execute(
        db,
      )
    }
    await addPendingRecord(transaction, collection.id)
  }
  await sql`create table assets (id text primary key, name_fold text${sql.raw(dialect === 'postgres' ? ' collate "C"' : '')})`.execute(
    db,
  )
  for (const [asset, name] of fileNames) await sql`insert into assets values (${asset}, ${foldText(name)})`.execute(db)
}

const transactionOn = (db: Kysely<Tables>, dialect: Dialect): Transaction => ({
  dialect,
  db,
  afterCommit: () => undefined,
  runForEach: async (statement, rows) => {
    for (const row of rows) await db.executeQuery(CompiledQuery.raw(statement, [...row]))
  },
})

/** A row that is not there yet. Where relations name a record that does not exist, it is this one. */
async function addPendingRecord({ db }: Transaction, collection: CollectionId): Promise<void> {
  const table = sql.table(tableOf(collection))
  const [letter, count] = PENDING_IDS[collection] ?? ['b', 999]
  const at = '2026-01-01T00:00:00.000Z'
  await sql`insert into ${table} (id, version, created_at, updated_at, import_id) values (${id(letter, count)}, 1, ${at}, ${at}, ${PENDING})`.execute(
    db,
  )
}

const PENDING_IDS: { readonly [collection: CollectionId]: readonly [letter: string, count: number] } = {
  [authors.id]: ['m', AUTHOR_IDS.length],
  [countries.id]: ['n', COUNTRY_IDS.length],
}
