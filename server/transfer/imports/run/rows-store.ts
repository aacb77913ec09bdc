import { sql } from 'kysely'
import type { Collection } from '#domain/collections/collection.ts'
import { type Field, holdsList } from '#domain/fields/field.ts'
import type { CollectionId, RecordId } from '#domain/shared/ids.ts'
import type { CellValue, Dialect, Reader, Transaction } from '#server/platform/database/database.ts'
import { inList } from '#server/platform/database/rows/id-lists.ts'
import { columnOf, type ImportRows, listTableOf, tableOf } from '#server/query/sql/sql-context.ts'

/** Includes rows of pending imports. */
export async function valuesInUse(
  { db, dialect }: { readonly db: Reader; readonly dialect: Dialect },
  collection: CollectionId,
  column: string,
  values: readonly CellValue[],
): Promise<Set<CellValue>> {
  if (values.length === 0) return new Set()
  const rows = await db
    .selectFrom(tableOf(collection))
    .select(column)
    .where(inList(dialect, column, values))
    .execute()
  return new Set(rows.map((row) => row[column] ?? null))
}

export async function valueHolders(
  { db, dialect }: Transaction,
  collection: CollectionId,
  column: string,
  values: readonly CellValue[],
): Promise<Map<string, RecordId>> {
  if (values.length === 0) return new Map()
  const rows = await db
    .selectFrom(tableOf(collection))
    .select(['id', column])
    .where(inList(dialect, column, values))
    .execute()
  return new Map(rows.map((row) => [String(row[column]), String(row['id'])]))
}

/** On PostgreSQL, locks the existing rows until the write ends. */
export async function findRemovedRows(
  { db, dialect }: Transaction,
  collection: CollectionId,
  ids: readonly RecordId[],
): Promise<Set<RecordId>> {
  if (ids.length === 0) return new Set()
  if (dialect === 'sqlite') {
    const gone = await sql<{ id: string }>`
      select value as id from json_each(${JSON.stringify(ids)}) as asked
      where not exists (select 1 from ${sql.table(tableOf(collection))} as r where r.id = asked.value)`.execute(db)
    return new Set(gone.rows.map(({ id }) => id))
  }
  const rows = await db
    .selectFrom(tableOf(collection))
    .select('id')
    .where(inList(dialect, 'id', ids))
    .forShare()
    .execute()
  const there = new Set(rows.map((row) => String(row['id'])))
  return new Set(ids.filter((id) => !there.has(id)))
}

export async function takeImportRows(
  { db }: Transaction,
  collection: CollectionId,
  { importId, firstId }: ImportRows,
  max: number,
): Promise<RecordId[]> {
  const rows = await db
    .selectFrom(tableOf(collection))
    .select('id')
    .where('id', '>=', firstId)
    .where('import_id', '=', importId)
    .orderBy('id')
    .limit(max)
    .execute()
  return rows.map((row) => String(row['id']))
}

export async function deleteRows(
  { db }: Transaction,
  collection: CollectionId,
  ids: readonly RecordId[],
): Promise<void> {
  await db
    .deleteFrom(tableOf(collection))
    .where('id', 'in', [...ids])
    .execute()
}

export async function holdsValues({ db }: Transaction, collection: Collection, field: Field): Promise<boolean> {
  if (holdsList(field)) {
    const entry = await db.selectFrom(listTableOf(field.id)).select('record_id').limit(1).executeTakeFirst()
    return entry !== undefined
  }
  // Checkboxes are never empty.
  if (field.kind === 'checkbox') return false
  const column = columnOf(field.id)
  const row = await db
    .selectFrom(tableOf(collection.id))
    .select('id')
    .where(column, 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
