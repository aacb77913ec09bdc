import { type RawBuilder, sql } from 'kysely'
import type { IndexSpec } from '#domain/query/list/index-selection.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { Dialect, Reader, Transaction } from '#server/platform/database/database.ts'
import { tableOf } from '#server/query/sql/sql-context.ts'

export type StoredIndex = {
  readonly id: string
  readonly collection: CollectionId
  readonly spec: IndexSpec
  readonly state: 'building' | 'ready'
  readonly madeAt: string
  /** Time of the last use, accurate to about an hour. */
  readonly usedAt: string
}

/** Name prefix of automatically created indexes; no other index has it. */
export const indexName = (id: string): string => `x_${id}`

export async function loadIndexes(reader: Reader, collection?: CollectionId): Promise<StoredIndex[]> {
  const all = reader.selectFrom('indexes').selectAll().orderBy('id')
  const rows = await (collection === undefined ? all : all.where('collection_id', '=', collection)).execute()
  return rows.map((row) => ({
    id: row.id,
    collection: row.collection_id,
    spec: JSON.parse(row.spec),
    state: row.state === 'ready' ? 'ready' : 'building',
    madeAt: row.made_at,
    usedAt: row.used_at,
  }))
}

export async function claimIndex({ db }: Transaction, index: StoredIndex): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('indexes')
    .values({
      id: index.id,
      collection_id: index.collection,
      spec: JSON.stringify(index.spec),
      state: index.state,
      made_at: index.madeAt,
      used_at: index.usedAt,
    })
    .onConflict((conflict) => conflict.columns(['collection_id', 'spec']).doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows) > 0
}

export async function markReady({ db }: Transaction, id: string, at: string): Promise<void> {
  await db.updateTable('indexes').set({ state: 'ready', made_at: at, used_at: at }).where('id', '=', id).execute()
}

export async function saveIndexUses({ db }: Transaction, uses: ReadonlyMap<string, string>): Promise<void> {
  for (const [id, at] of uses) await db.updateTable('indexes').set({ used_at: at }).where('id', '=', id).execute()
}

export async function deleteIndex({ db }: Transaction, id: string): Promise<void> {
  await db.deleteFrom('indexes').where('id', '=', id).execute()
}

export async function runStatement({ db }: Transaction, statement: RawBuilder<unknown>): Promise<void> {
  await statement.execute(db)
}

export const textOf = (reader: Reader, statement: RawBuilder<unknown>): string => statement.compile(reader).sql

export async function dropInside({ db }: Transaction, id: string): Promise<void> {
  await sql`drop index if exists ${sql.id(indexName(id))}`.execute(db)
}

/** Updates a table's statistics and visibility map on PostgreSQL. */
export const analysisOf = (collection: CollectionId): RawBuilder<unknown> =>
  sql`vacuum (analyze) ${sql.table(tableOf(collection))}`

/**
 * Updates the statistics of an index on SQLite, within a write; false if the index no longer exists. Other connections
 * reload statistics only after a schema change, so a temporary table is created and dropped.
 */
export async function analyzeInside({ db }: Transaction, id: string): Promise<boolean> {
  const name = indexName(id)
  const { rows } = await sql`select 1 from sqlite_schema where type = 'index' and name = ${name}`.execute(db)
  if (rows.length === 0) return false
  await sql`analyze ${sql.id(name)}`.execute(db)
  await sql`create table just_counted (one integer)`.execute(db)
  await sql`drop table just_counted`.execute(db)
  return true
}

export async function findDatabaseIndexes(
  reader: Reader,
  dialect: Dialect,
): Promise<Map<string, { readonly isWhole: boolean }>> {
  const { rows } =
    dialect === 'sqlite'
      ? await sql<{ name: string; whole: number }>`
          select name, 1 as whole from sqlite_schema where type = 'index' and name glob 'x_*'`.execute(reader)
      : await sql<{ name: string; whole: boolean }>`
          select c.relname as name, i.indisvalid as whole
          from pg_index as i join pg_class as c on c.oid = i.indexrelid
          where c.relnamespace = current_schema()::regnamespace and c.relname like 'x\\_%'`.execute(reader)
  return new Map(rows.map(({ name, whole }) => [name.slice(2), { isWhole: Boolean(whole) }]))
}

export async function sizesOf(reader: Reader, dialect: Dialect, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const names = sql.join(ids.map(indexName))
  const { rows } =
    dialect === 'sqlite'
      ? await sql<{ name: string; bytes: number }>`
          select name, sum(pgsize) as bytes from dbstat where name in (${names}) and aggregate = true group by name`.execute(
          reader,
        )
      : await sql<{ name: string; bytes: number }>`
          select relname as name, pg_relation_size(oid) as bytes from pg_class
          where relnamespace = current_schema()::regnamespace and relname in (${names})`.execute(reader)
  return new Map(rows.map(({ name, bytes }) => [name.slice(2), Number(bytes)]))
}

/** Number and share of changed rows after which a table is analyzed. */
const MIN_STALE_ROWS = 10_000
const MIN_STALE_SHARE = 0.02

export async function staleTables(reader: Reader): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_stat_user_tables
    where schemaname = current_schema() and relname ~ '^[cl]_'
      and n_ins_since_vacuum + n_dead_tup > greatest(${MIN_STALE_ROWS}::float, ${MIN_STALE_SHARE}::float * n_live_tup)`.execute(
    reader,
  )
  return rows.map(({ name }) => name)
}
