import { sql } from 'kysely'
import type { Collection } from '#domain/collections/collection.ts'
import { type SelectKind, type Field, type FieldValue, holdsList } from '#domain/fields/field.ts'
import type { OptionId, CollectionId, FieldId, RecordId } from '#domain/shared/ids.ts'
import type { CellValue, Reader, Transaction } from '#server/platform/database/database.ts'
import { insertRows, LIST_COLUMNS, updateRows } from '#server/platform/database/rows/insert-rows.ts'
import { columnOf, foldColumnOf, listTableOf, tableOf } from '#server/query/sql/sql-context.ts'
import { valueOfCell } from '#server/records/values/row-mapping.ts'

export async function countWithOptions(
  { db }: Transaction,
  collection: Collection,
  field: Field<SelectKind>,
  choices: readonly OptionId[],
): Promise<number> {
  const row = holdsList(field)
    ? await db
        .selectFrom(listTableOf(field.id))
        .select((each) => each.fn.count('record_id').distinct().as('count'))
        .where('value', 'in', [...choices])
        .executeTakeFirst()
    : await db
        .selectFrom(tableOf(collection.id))
        .select((each) => each.fn.countAll().as('count'))
        .where(columnOf(field.id), 'in', [...choices])
        .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Removes options from a field's values; in single-value fields, they are replaced by `instead`. */
export async function clearOptions(
  { db }: Transaction,
  collection: Collection,
  field: Field<SelectKind>,
  { choices, instead }: { readonly choices: readonly OptionId[]; readonly instead: OptionId | null },
): Promise<void> {
  const table = tableOf(collection.id)
  const nextVersion = sql<number>`version + 1`
  if (!holdsList(field)) {
    await db
      .updateTable(table)
      .set({ [columnOf(field.id)]: instead, version: nextVersion })
      .where(columnOf(field.id), 'in', [...choices])
      .execute()
    return
  }
  const entries = db
    .selectFrom(listTableOf(field.id))
    .select('record_id')
    .where('value', 'in', [...choices])
  await db.updateTable(table).set({ version: nextVersion }).where('id', 'in', entries).execute()
  await db
    .deleteFrom(listTableOf(field.id))
    .where('value', 'in', [...choices])
    .execute()
}

/** Removes links to records that don't exist. */
export async function clearMissingLinks(
  { db }: Transaction,
  collection: CollectionId,
  field: Field<'relation'>,
): Promise<void> {
  const target = sql.table(tableOf(field.options.collection))
  if (holdsList(field)) {
    const list = sql.table(listTableOf(field.id))
    await sql`delete from ${list} where not exists (select 1 from ${target} as t where t.id = ${list}.value)`.execute(
      db,
    )
    return
  }
  const [table, link] = [sql.table(tableOf(collection)), sql.id(columnOf(field.id))]
  await sql`
    update ${table} set ${link} = null
    where ${link} is not null and not exists (select 1 from ${target} as t where t.id = ${table}.${link})`.execute(db)
}

export async function fillEmpty(
  { db }: Transaction,
  collection: CollectionId,
  field: FieldId,
  value: string,
): Promise<void> {
  const column = columnOf(field)
  await db
    .updateTable(tableOf(collection))
    .set({ [column]: value })
    .where(column, 'is', null)
    .execute()
}

export async function highestNumber({ db }: Transaction, collection: CollectionId, field: FieldId): Promise<number> {
  const row = await db
    .selectFrom(tableOf(collection))
    .select((each) => each.fn.max(columnOf(field)).as('highest'))
    .executeTakeFirst()
  return Number(row?.highest ?? 0)
}

export async function fillMissingNumbers(
  { db, dialect }: Transaction,
  collection: CollectionId,
  field: FieldId,
  behind: number,
): Promise<void> {
  const table = sql.table(tableOf(collection))
  const [number, fold] = [sql.id(columnOf(field)), sql.id(foldColumnOf(field))]
  const text = dialect === 'postgres' ? sql`numbered.place::text` : sql`cast(numbered.place as text)`
  await sql`
    update ${table} set ${number} = numbered.place, ${fold} = ${text}
    from (
      select id as own, row_number() over (order by id) + ${sql.lit(behind)} as place from ${table} where ${number} is null
    ) as numbered
    where numbered.own = ${table}.id`.execute(db)
}

export async function findDuplicates({ db }: Transaction, collection: Collection, field: FieldId): Promise<string[]> {
  const column = columnOf(field)
  const rows = await db
    .selectFrom(tableOf(collection.id))
    .select(column)
    .where(column, 'is not', null)
    .groupBy(column)
    .having((each) => each.fn.countAll(), '>', 1)
    .limit(3)
    .execute()
  return rows.map((row) => String(row[column]))
}

export async function readColumn(
  db: Reader,
  collection: Collection,
  column: string,
  window: { readonly behind: string; readonly count: number },
): Promise<{ readonly id: string; readonly cell: CellValue }[]> {
  const rows = await db
    .selectFrom(tableOf(collection.id))
    .select(['id', column])
    .where('id', '>', window.behind)
    .where(column, 'is not', null)
    .orderBy('id')
    .limit(window.count)
    .execute()
  return rows.map((row) => ({ id: String(row['id']), cell: row[column] ?? null }))
}

export async function readLists(
  db: Reader,
  field: FieldId,
  window: { readonly behind: string; readonly count: number },
): Promise<{ readonly id: string; readonly list: readonly string[] }[]> {
  const owners = await db
    .selectFrom(listTableOf(field))
    .select('record_id')
    .distinct()
    .where('record_id', '>', window.behind)
    .orderBy('record_id')
    .limit(window.count)
    .execute()
  if (owners.length === 0) return []
  const ids = owners.map((row) => String(row['record_id']))
  return [...(await listsOf(db, field, ids))].map(([id, list]) => ({ id, list }))
}

/**
 * Values of a field by record; null if empty. Missing records are left out. Within a write on PostgreSQL, the returned
 * records are locked, and those locked by another write are left out.
 */
export async function readFieldValues(
  { db, dialect }: Pick<Transaction, 'db' | 'dialect'>,
  collection: Collection,
  field: Field,
  ids: readonly RecordId[],
): Promise<{ readonly id: RecordId; readonly value: FieldValue }[]> {
  if (ids.length === 0) return []
  const isList = holdsList(field)
  const column = columnOf(field.id)
  const columns = isList ? ['id'] : ['id', column]
  const query = db
    .selectFrom(tableOf(collection.id))
    .select(columns)
    .where('id', 'in', [...ids])
    .orderBy('id')
  const rows = await (dialect === 'postgres' ? query.forUpdate().skipLocked() : query).execute()
  const lists = isList ? await listsOf(db, field.id, ids) : new Map<RecordId, string[]>()
  return rows.map((row) => {
    const id = String(row['id'])
    const cell = row[column] ?? null
    return { id, value: isList ? (lists.get(id) ?? null) : cell === null ? null : valueOfCell(field, cell) }
  })
}

export async function listsOf(db: Reader, field: FieldId, ids: readonly RecordId[]): Promise<Map<RecordId, string[]>> {
  const rows = await db
    .selectFrom(listTableOf(field))
    .select(['record_id', 'value'])
    .where('record_id', 'in', [...ids])
    .orderBy('record_id')
    .orderBy('position')
    .execute()
  const byOwner = Map.groupBy(rows, (row) => String(row['record_id']))
  return new Map([...byOwner].map(([id, entries]) => [id, entries.map((entry) => String(entry['value']))]))
}

export async function existing(
  db: Reader,
  collection: CollectionId,
  ids: readonly RecordId[],
): Promise<ReadonlySet<RecordId>> {
  const rows = await db
    .selectFrom(tableOf(collection))
    .select('id')
    .where('id', 'in', [...ids])
    .execute()
  return new Set(rows.map((row) => String(row['id'])))
}

export async function clearLists({ db }: Transaction, field: FieldId, ids: readonly RecordId[]): Promise<void> {
  await db
    .deleteFrom(listTableOf(field))
    .where('record_id', 'in', [...ids])
    .execute()
}

export function writeLists(
  transaction: Transaction,
  field: FieldId,
  lists: readonly { readonly id: string; readonly list: readonly string[] }[],
): Promise<void> {
  const rows = lists.flatMap(({ id, list }) => list.map((value, position): CellValue[] => [id, position, value]))
  return insertRows(transaction, { table: listTableOf(field), columns: LIST_COLUMNS, rows })
}

export function writeCells(
  transaction: Transaction,
  collection: Collection,
  written: readonly { readonly id: string; readonly cells: { readonly [column: string]: CellValue } }[],
): Promise<void> {
  const columns = Object.keys(written[0]?.cells ?? {})
  const rows = written.map(({ id, cells }) => [...columns.map((column) => cells[column] ?? null), id])
  return updateRows(transaction, { table: tableOf(collection.id), columns, keys: ['id'], rows })
}

export async function frequentValues(
  db: Reader,
  collection: Collection,
  column: string,
  most: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom(tableOf(collection.id))
    .select(column)
    .where(column, 'is not', null)
    .groupBy(column)
    .orderBy((each) => each.fn.countAll(), 'desc')
    .orderBy(column)
    .limit(most)
    .execute()
  return rows.map((row) => String(row[column]))
}

export async function idsAfter(
  reader: Reader,
  collection: CollectionId,
  after: RecordId | null,
  limit: number,
): Promise<RecordId[]> {
  const query = reader
    .selectFrom(tableOf(collection))
    .select('id')
    .where('id', '>', after ?? '')
  const rows = await query.orderBy('id').limit(limit).execute()
  return rows.map((row) => String(row['id']))
}
