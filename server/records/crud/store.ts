import { type RawBuilder, sql } from 'kysely'
import type { Collection } from '#domain/collections/collection.ts'
import { type Field, holdsList } from '#domain/fields/field.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import { type CollectionId, type FieldId, type RecordId, seqOf, type UserId } from '#domain/shared/ids.ts'
import type { CellValue, CollectionRow, Dialect, Reader, Transaction } from '#server/platform/database/database.ts'
import { chunkIds } from '#server/platform/database/rows/id-lists.ts'
import { insertRows, LIST_COLUMNS } from '#server/platform/database/rows/insert-rows.ts'
import {
  deleteStatement,
  insertStatement,
  preparedQuery,
  preparedStatement,
  updateStatement,
} from '#server/platform/database/rows/row-statements.ts'
import {
  column,
  columnOf,
  listTableOf,
  recordColumns,
  rowAt,
  rowsOf,
  SEQ_COLUMN,
  SYSTEM_COLUMNS,
  tableOf,
} from '#server/query/sql/sql-context.ts'
import type { RecordMeta } from '#server/records/changes/change-log.ts'
import { entriesOfList, rowOfValues } from '#server/records/values/row-mapping.ts'

/** Keys of a new row: its ID and, on SQLite, its row number. */
export const keyCells = (id: RecordId, dialect: Dialect): { [column: string]: CellValue } => ({
  [SYSTEM_COLUMNS.id]: id,
  ...(dialect === 'sqlite' && { [SEQ_COLUMN]: seqOf(id) }),
})

export type NewRow = {
  readonly id: RecordId
  readonly values: RecordValues
  readonly at: string
  readonly userId: UserId | null
  /** For a restored record: its metadata before the deletion. */
  readonly meta?: RecordMeta
}

/** The record that a user created with an idempotency key, as it was created. */
export async function findCreatedRecord(
  db: Reader,
  collection: CollectionId,
  { userId, key }: { readonly userId: UserId; readonly key: string },
): Promise<CollectionRecord | undefined> {
  const row = await db
    .selectFrom('change_sets as set')
    .innerJoin('changes as change', 'change.change_set_id', 'set.id')
    .select(['change.record_id', 'change.at', 'change.after'])
    .where('set.user_id', '=', userId)
    .where('set.idempotency_key', '=', key)
    .where('change.kind', '=', 'record-created')
    .where('change.collection_id', '=', collection)
    .executeTakeFirst()
  if (!row) return undefined
  const [{ at }, values] = [row, JSON.parse(row.after ?? '{}') as RecordValues]
  const times = { createdAt: at, createdBy: userId, updatedAt: at, updatedBy: userId }
  return { id: row.record_id ?? '', collection, version: 1, ...times, values }
}

export function insertRecord(transaction: Transaction, collection: Collection, row: NewRow): void {
  const { dialect, send } = transaction
  send(insertStatement(dialect, tableOf(collection.id), [cellsOfNew(collection, row, dialect)]))
  insertLists(transaction, collection, row.id, row.values)
}

export async function insertRecords(
  transaction: Transaction,
  collection: Collection,
  rows: readonly NewRow[],
): Promise<void> {
  const cells = rows.map((row) => cellsOfNew(collection, row, transaction.dialect))
  const columns = Object.keys(cells[0] ?? {})
  const ofColumns = cells.map((row) => columns.map((name) => row[name] ?? null))
  await insertRows(transaction, { table: tableOf(collection.id), columns, rows: ofColumns })
  for (const field of collection.fields.filter(holdsList)) {
    const entries = rows.flatMap(({ id, values }) => entriesOfList(id, values[field.id]))
    await insertRows(transaction, { table: listTableOf(field.id), columns: LIST_COLUMNS, rows: entries })
  }
}

const cellsOfNew = (collection: Collection, row: NewRow, dialect: Dialect): CollectionRow => ({
  ...keyCells(row.id, dialect),
  version: (row.meta?.version ?? 0) + 1,
  created_at: row.meta?.createdAt ?? row.at,
  created_by: row.meta ? row.meta.createdBy : row.userId,
  updated_at: row.at,
  updated_by: row.userId,
  import_id: row.meta?.importId ?? null,
  ...rowOfValues(collection, row.values, dialect),
})

type RowSource = { readonly db: Reader; readonly dialect: Dialect }

export const findRow = preparedQuery(({ db, dialect }: RowSource, collection: Collection, id) =>
  rowsWith(collection, dialect, sql`= ${id}`).compile(db),
)

const lockedRow = preparedStatement(({ db, dialect }: RowSource, collection: Collection, id) =>
  sql<CollectionRow>`${rowsWith(collection, dialect, sql`= ${id}`)}${hold(dialect)}`.compile(db),
)

const versionOf = preparedStatement(({ db }: RowSource, { id: collection }: Collection, id) =>
  db.selectFrom(tableOf(collection)).select(SYSTEM_COLUMNS.version).where('id', '=', id).compile(),
)

/** The current row of a record, locked until the write ends. A row with the same version has the same values. */
export async function lockRow(
  transaction: Transaction,
  collection: Collection,
  id: RecordId,
): Promise<CollectionRow[]> {
  const { optimistic } = transaction
  const query = lockedRow(transaction, collection, id)
  const [known] = optimistic?.read(query) ?? []
  if (!optimistic || !known) return (await transaction.db.executeQuery(query)).rows
  optimistic.expect(versionOf(transaction, collection, id), known['version'] ?? null)
  return [known]
}

export async function lockRows(
  { db, dialect }: Transaction,
  collection: Collection,
  ids: readonly RecordId[],
): Promise<CollectionRow[]> {
  const found = new Map<RecordId, CollectionRow>()
  for (const some of chunkIds(ids)) {
    const rows = sql<CollectionRow>`${rowsWith(collection, dialect, sql`in (${sql.join(some)})`)}${hold(dialect)}`
    for (const row of (await rows.execute(db)).rows) found.set(String(row['id']), row)
  }
  return [...found.values()]
}

const rowsWith = (collection: Collection, dialect: Dialect, id: RawBuilder<unknown>): RawBuilder<CollectionRow> =>
  sql`select ${sql.join([...recordColumns(collection.fields, dialect), column(rowAt(0), 'import_id')])}
    from ${rowsOf(collection.id, 0)}
    where ${column(rowAt(0), 'id')} ${id}`

/** SQLite has one writer, so no lock is needed. */
const hold = (dialect: Dialect) => (dialect === 'postgres' ? sql` for update` : sql``)

export function updateRecord(
  transaction: Transaction,
  collection: Collection,
  change: NewRow & { readonly version: number },
): void {
  const { dialect, send } = transaction
  const cells = {
    ...rowOfValues(collection, change.values, dialect),
    version: change.version,
    updated_at: change.at,
    updated_by: change.userId,
  }
  send(updateStatement(dialect, tableOf(collection.id), cells, change.id))
  for (const field of listFieldsIn(collection, change.values)) {
    send(transaction.db.deleteFrom(listTableOf(field.id)).where('record_id', '=', change.id).compile())
  }
  insertLists(transaction, collection, change.id, change.values)
}

export function deleteRecords({ dialect, send }: Transaction, collection: Collection, ids: readonly RecordId[]): void {
  for (const some of chunkIds(ids)) send(deleteStatement(dialect, tableOf(collection.id), 'id', some))
}

function insertLists({ dialect, send }: Transaction, collection: Collection, id: RecordId, values: RecordValues): void {
  for (const field of listFieldsIn(collection, values)) {
    const list = values[field.id]
    if (!Array.isArray(list) || list.length === 0) continue
    const rows = list.map((value, position) => ({ record_id: id, position, value }))
    send(insertStatement(dialect, listTableOf(field.id), rows))
  }
}

const listFieldsIn = (collection: Collection, values: RecordValues): Field[] =>
  collection.fields.filter((field) => holdsList(field) && values[field.id] !== undefined)

export async function clearLists({ db }: Transaction, field: FieldId, ids: readonly RecordId[]): Promise<void> {
  for (const some of chunkIds(ids)) await db.deleteFrom(listTableOf(field)).where('record_id', 'in', some).execute()
}

/** Which of these records exist; on PostgreSQL, none of them can be removed until the write ends. */
export async function existingRecords(
  { db, dialect }: Transaction,
  collection: CollectionId,
  ids: readonly RecordId[],
): Promise<Set<RecordId>> {
  const existing = new Set<RecordId>()
  for (const some of chunkIds(ids)) {
    const query = db.selectFrom(tableOf(collection)).select('id').where('id', 'in', some)
    for (const row of await (dialect === 'postgres' ? query.forShare() : query).execute())
      existing.add(String(row['id']))
  }
  return existing
}

export async function findTakenValues(
  { db }: Transaction,
  collection: CollectionId,
  field: FieldId,
  values: readonly (string | number)[],
): Promise<Set<string>> {
  const held = new Set<string>()
  const column = columnOf(field)
  for (let at = 0; at < values.length; at += VALUES_PER_CHUNK) {
    const some = values.slice(at, at + VALUES_PER_CHUNK)
    const rows = await db.selectFrom(tableOf(collection)).select(column).where(column, 'in', some).execute()
    for (const row of rows) held.add(String(row[column]))
  }
  return held
}

const VALUES_PER_CHUNK = 500

export async function recordsPointingAt(
  { db }: Transaction,
  collection: Collection,
  field: Field,
  ids: readonly RecordId[],
): Promise<RecordId[]> {
  const pointing = new Set<RecordId>()
  for (const some of chunkIds(ids)) {
    const rows = holdsList(field)
      ? await db.selectFrom(listTableOf(field.id)).select('record_id as id').where('value', 'in', some).execute()
      : await db.selectFrom(tableOf(collection.id)).select('id').where(columnOf(field.id), 'in', some).execute()
    for (const row of rows) pointing.add(String(row['id']))
  }
  return [...pointing]
}
