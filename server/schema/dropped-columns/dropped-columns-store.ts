import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'
import { SEQ_COLUMN, tableOf } from '#server/query/sql/sql-context.ts'
import { CLEARED_PREFIX, RETIRED_PREFIX } from './dropped-columns.ts'

/** Row count above which a column is not dropped on SQLite, because that would rewrite the whole table. */
const MAX_ROWS_TO_DROP = 20_000

/** Rows cleared per write, which takes about ten ms. */
const ROWS_PER_BATCH = 1000

/** Drops columns if that is fast; otherwise they are renamed and left to `dropped-column-cleanup.ts`. */
export async function dropOrRetireColumns(
  transaction: Transaction,
  collection: CollectionId,
  columns: readonly string[],
): Promise<void> {
  const { db } = transaction
  const [table, isLeft] = [sql.table(tableOf(collection)), await isBig(transaction, collection)]
  for (const column of columns.map((name) => sql.id(name))) {
    const left = sql.id(`${RETIRED_PREFIX}${randomBytes(8).toString('hex')}`)
    await (isLeft
      ? sql`alter table ${table} rename column ${column} to ${left}`
      : sql`alter table ${table} drop column ${column}`
    ).execute(db)
  }
}

async function isBig({ db, dialect }: Transaction, collection: CollectionId): Promise<boolean> {
  // On PostgreSQL this is fast, because the column is only marked as dropped.
  if (dialect === 'postgres') return false
  const behind = await db
    .selectFrom(tableOf(collection))
    .select('id')
    .offset(MAX_ROWS_TO_DROP)
    .limit(1)
    .executeTakeFirst()
  return behind !== undefined
}

/** Finds the columns of all collections in one statement, which looks into the few tables that mention the prefix. */
export async function retiredColumns(
  reader: Reader,
): Promise<readonly { readonly id: CollectionId; readonly column: string }[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select t.name as "table", c.name as "column"
    from sqlite_schema as t cross join pragma_table_info(t.name) as c
    where t.type = 'table' and t.name glob 'c_*' and instr(t.sql, ${RETIRED_PREFIX}) > 0
      and c.name glob ${`${RETIRED_PREFIX}*`}`.execute(reader)
  return rows.map(({ table, column }) => ({ id: table.slice(tableOf('').length), column }))
}

export type RetiredColumn = { readonly collection: CollectionId; readonly column: string; readonly behind: string }

/** The row number of the last row with a value in the next batch, as text; undefined if there is none. */
export async function nextBatchEnd(
  reader: Reader,
  { collection, column, behind }: RetiredColumn,
): Promise<string | undefined> {
  const seq = sql.id(SEQ_COLUMN)
  const { rows } = await sql<{ last: string | null }>`
    select cast(max(${seq}) as text) as last from (
      select ${seq} from ${sql.table(tableOf(collection))}
      where ${seq} > cast(${behind} as integer) and ${sql.id(column)} is not null order by ${seq} limit ${ROWS_PER_BATCH}
    )`.execute(reader)
  return rows[0]?.last ?? undefined
}

export async function clearBatch(
  { db }: Transaction,
  { collection, column, behind }: RetiredColumn,
  last: string,
): Promise<void> {
  const [seq, cell] = [sql.id(SEQ_COLUMN), sql.id(column)]
  await sql`
    update ${sql.table(tableOf(collection))} set ${cell} = null
    where ${seq} > cast(${behind} as integer) and ${seq} <= cast(${last} as integer) and ${cell} is not null`.execute(
    db,
  )
}

export async function markCleared({ db }: Transaction, { collection, column }: RetiredColumn): Promise<void> {
  const emptied = sql.id(column.replace(RETIRED_PREFIX, CLEARED_PREFIX))
  await sql`alter table ${sql.table(tableOf(collection))} rename column ${sql.id(column)} to ${emptied}`.execute(db)
}
