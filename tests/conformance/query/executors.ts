import { sql } from 'kysely'
import { type Collection, fieldByName } from '#domain/collections/collection.ts'
import type { CheckedGroupQuery, RecordGroup } from '#domain/query/list/group.ts'
import type { CheckedRecordsQuery } from '#domain/query/list/records-query.ts'
import { findInMemory, groupInMemory, pageInMemory } from '#domain/query/run/run-in-memory.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import { foldText } from '#domain/shared/text.ts'
import type { AssetId, CollectionId, UserId } from '#domain/shared/ids.ts'
import { createTables } from '#server/schema/collections/tables-store.ts'
import type { Dialect, Transaction } from '#server/platform/database/database.ts'
import { tableOf } from '#server/query/sql/sql-context.ts'
import { type QueryScope, countRecords, selectGroups, selectPage } from '#server/query/run/run-records-query.ts'
import { withPossibleHits } from '#server/query/search/possible-hits.ts'
import { insertRecord, keyCells } from '#server/records/crud/store.ts'
import { recalculateBetween } from '#server/records/rollups/values-store.ts'
import { insertUser } from '#server/identity/users/store.ts'
import { openTestDatabase } from '#tests/support/database/test-database.ts'
import { type Indexed, indexTexts } from './data/index-texts.ts'
import { authors, books, countries, fileNames, id, library, userNames } from './data/library-schema.ts'
import {
  AUTHOR_IDS,
  COUNTRY_IDS,
  libraryRollups,
  lookupIn,
  manualKeys,
  ORDERED_VIEW,
  type Stock,
} from './data/generated-values.ts'

/** One of the three query executors, which must return the same results. */
export type Executor = {
  readonly ids: (query: CheckedRecordsQuery) => Promise<readonly string[]>
  readonly page: (
    query: CheckedRecordsQuery,
  ) => Promise<{ readonly ids: readonly string[]; readonly nextCursor: string | null }>
  readonly count: (query: CheckedRecordsQuery) => Promise<number>
  /** False only if a search in all collections would leave out this one. */
  readonly hasPossibleHits: (query: CheckedRecordsQuery) => Promise<boolean>
  readonly groups: (
    query: CheckedRecordsQuery,
    grouping: CheckedGroupQuery,
  ) => Promise<{ readonly groups: readonly RecordGroup[]; readonly total: number }>
  readonly close: () => Promise<void>
}

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
    hasPossibleHits: () => Promise.resolve(true),
    groups: (query, grouping) => Promise.resolve(groupInMemory(query, grouping, all, lookup)),
    close: () => Promise.resolve(),
  }
}

/** Test options: the contents of the full-text indexes, and when searches use them. */
export type DatabaseOptions = {
  readonly indexed?: Indexed
  /** Maximum number of matches in a sample of records for a search to count as rare. */
  readonly rareHits?: number
  /** False to test without a running import and its pending rows. */
  readonly isImporting?: boolean
  /** True if the list's sort order matches an index: SQLite then checks records in index order first. */
  readonly isIndexed?: boolean
}

/** Executes queries in one of the two databases, created and filled with the server's own code. */
export async function inDatabase(dialect: Dialect, stock: Stock, options: DatabaseOptions = {}): Promise<Executor> {
  const { indexed = 'whole', isImporting = true, rareHits, isIndexed = false } = options
  const { database, close } = await openTestDatabase({ dialect })
  // By default, an import is running, so that tests verify that its rows are hidden.
  const pendingImports = isImporting ? [PENDING_IMPORT] : []
  const searchParts = await database.write(async (transaction) => {
    await fillLibrary(transaction, stock, pendingImports)
    return indexTexts(transaction, library, indexed)
  })
  const limits = { ...(rareHits !== undefined && { rareHits }), isIndexed: () => isIndexed }
  const scope: QueryScope = { reader: database.read, dialect, pendingImports, searchParts, ...limits }
  const page: Executor['page'] = async (query) => {
    const { rows, nextCursor } = await selectPage(scope, query)
    return { ids: rows.map((row) => String(row['id'])), nextCursor }
  }
  return {
    page,
    ids: async (query) => (await page(query)).ids,
    count: async (query) => (await countRecords(scope, query, 'exact')).total,
    hasPossibleHits: async (query) => (await withPossibleHits(scope, [{ query }])).length > 0,
    groups: (query, grouping) => selectGroups(scope, query, grouping),
    close,
  }
}

const SCANS = fieldByName(books, 'scans')?.id ?? ''
export const PENDING_IMPORT = 'import-on-its-way'
const UNINDEXED = { timeZone: 'UTC', byId: new Map(), searchParts: new Map() }
const LONG_AGO = '2026-01-01T00:00:00.000Z'

/** Inserts records in reverse order, so that results can't be sorted by accident. */
export async function fillLibrary(
  transaction: Transaction,
  stock: Stock,
  pendingImports: readonly string[],
): Promise<void> {
  for (const collection of library) {
    await createTables(transaction, collection)
    for (const record of [...(stock.get(collection.id) ?? [])].reverse())
      await addRecord(transaction, collection, record)
    if (pendingImports.length > 0) await addPendingRecord(transaction, collection.id)
  }
  for (const plan of libraryRollups.plans)
    await recalculateBetween(transaction, plan, { pendingImports, ...UNINDEXED }, { first: '', last: '~' })
  for (const [book, key] of manualKeys)
    await transaction.db
      .insertInto('view_positions')
      .values({ view_id: ORDERED_VIEW, record_id: book, order_key: key })
      .execute()
  for (const [asset, name] of fileNames) await addFile(transaction, asset, name)
  for (const [user, name] of userNames) await addUser(transaction, user, name)
}

async function addRecord(transaction: Transaction, collection: Collection, record: CollectionRecord): Promise<void> {
  const { id: recordId, values, createdAt, createdBy, updatedBy } = record
  insertRecord(transaction, collection, { id: recordId, values, at: createdAt, userId: createdBy })
  const table = sql.table(tableOf(collection.id))
  await sql`update ${table} set updated_by = ${updatedBy} where id = ${recordId}`.execute(transaction.db)
}

async function addUser({ db }: Transaction, user: UserId, name: string): Promise<void> {
  const emailFold = `${user}@example.org`
  const login = { email: emailFold, emailFold, passwordHash: '', roles: ['viewer'] }
  await insertUser(db, { id: user, name, ...login, createdAt: LONG_AGO })
}

/** Inserts a row of a running import, with the ID to which dangling links point. */
async function addPendingRecord({ db, dialect }: Transaction, collection: CollectionId): Promise<void> {
  const table = sql.table(tableOf(collection))
  const [letter, count] = PENDING_IDS[collection] ?? ['b', 999]
  const key = keyCells(id(letter, count), dialect)
  const names = sql.join(Object.keys(key).map((name) => sql.id(name)))
  const row = sql.join([...Object.values(key), 1, LONG_AGO, LONG_AGO, PENDING_IMPORT])
  await sql`insert into ${table} (${names}, version, created_at, updated_at, import_id) values (${row})`.execute(db)
}

const PENDING_IDS: { readonly [collection: CollectionId]: readonly [letter: string, count: number] } = {
  [authors.id]: ['m', AUTHOR_IDS.length],
  [countries.id]: ['n', COUNTRY_IDS.length],
}

async function addFile({ db }: Transaction, asset: AssetId, name: string): Promise<void> {
  const place = { collection_id: books.id, field_id: SCANS, record_id: null, user_id: null }
  const picture = { type: 'image/png', bytes: 1, width: null, height: null, hash: asset }
  const times = { created_at: LONG_AGO, expires_at: null }
  await db
    .insertInto('assets')
    .values({ id: asset, name, name_fold: foldText(name), ...place, ...picture, ...times })
    .execute()
}
