import { sql } from 'kysely'
import type { Collection } from '#domain/collections/collection.ts'
import { type Field, holdsList, isStored } from '#domain/fields/field.ts'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'
import { linkedValuesOf, storedFieldsIn, valueField } from '#domain/formulas/value-field.ts'
import { columnType, textColumnType, hasFoldColumn } from '#server/query/sql/field-storage.ts'
import type { Dialect, Transaction } from '#server/platform/database/database.ts'
import { dropFieldIndexes } from '#server/query/indexes/build-index.ts'
import { columnOf, foldColumnOf, listTableOf, SEQ_COLUMN, tableOf } from '#server/query/sql/sql-context.ts'
import { deleteNumbers } from '#server/records/values/auto-numbers.ts'
import { dropOrRetireColumns } from '#server/schema/dropped-columns/dropped-columns-store.ts'

/** Runs one DDL statement, which must be built from generated names, never from user input. */
const run = (transaction: Transaction, statement: string) => sql.raw(statement).execute(transaction.db)

export async function createTables(transaction: Transaction, collection: Collection): Promise<void> {
  const table = tableOf(collection.id)
  const text = textColumnType(transaction.dialect)
  const columns = [
    ...keyColumns(transaction.dialect),
    'version integer not null',
    `created_at ${text} not null`,
    `created_by ${text}`,
    `updated_at ${text} not null`,
    `updated_by ${text}`,
    `import_id ${text}`,
    ...storedFieldsIn(collection.fields)
      .filter((field) => !holdsList(field))
      .flatMap((field) => columnsFor(transaction, field)),
  ]
  await run(transaction, `create table ${table} (${columns.join(', ')})`)
  for (const field of collection.fields) {
    if (holdsList(field)) await createListTable(transaction, collection.id, field.id)
    if (field.unique) await createUniqueIndex(transaction, collection.id, field.id)
  }
}

/** SQLite finds rows fastest by integer key, so IDs are a separate unique column there. */
const keyColumns = (dialect: Dialect): string[] =>
  dialect === 'sqlite'
    ? [`${SEQ_COLUMN} integer primary key not null`, 'id text not null unique']
    : [`id ${textColumnType(dialect)} primary key not null`]

function columnsFor({ dialect }: Transaction, computed: Field): string[] {
  const field = valueField(computed)
  const own = `${columnOf(field.id)} ${columnType(field, dialect)}`
  return hasFoldColumn(field) ? [own, `${foldColumnOf(field.id)} ${textColumnType(dialect)}`] : [own]
}

export async function addFieldColumns(transaction: Transaction, collection: CollectionId, field: Field): Promise<void> {
  if (holdsList(field)) {
    await createListTable(transaction, collection, field.id)
  } else {
    for (const column of storedFieldsIn([field]).flatMap((each) => columnsFor(transaction, each))) {
      await run(transaction, `alter table ${tableOf(collection)} add column ${column}`)
    }
  }
  if (field.unique) await createUniqueIndexOnEmptyColumn(transaction, collection, field.id)
}

/** Drops the indexes of a field, and keeps its values. */
export async function dropIndexesOfField(
  transaction: Transaction,
  collection: CollectionId,
  field: Field,
): Promise<void> {
  for (const value of linkedValuesOf(field)) await dropIndexesOfField(transaction, collection, value)
  if (holdsList(field) || !isStored(field)) return
  if (field.unique) await dropUniqueIndex(transaction, collection, field.id)
  await dropFieldIndexes(transaction, collection, field.id)
}

/** Keeps the values of a field in the columns of another field ID, without its indexes. */
export async function setColumnsAside(
  transaction: Transaction,
  collection: CollectionId,
  field: Field,
  kept: Field,
): Promise<void> {
  await dropIndexesOfField(transaction, collection, field)
  if (field.kind === 'auto-number') await deleteNumbers(transaction, [field.id])
  if (holdsList(field)) {
    await run(transaction, `drop index ${listTableOf(field.id)}_value`)
    await run(transaction, `alter table ${listTableOf(field.id)} rename to ${listTableOf(kept.id)}`)
    return
  }
  await renameFieldColumns(transaction, collection, { ...field, unique: false }, kept)
}

/** Deletes a field's values; in a large table on SQLite the column is abandoned immediately and cleared later. */
export async function dropFieldColumns(
  transaction: Transaction,
  collection: CollectionId,
  field: Field,
): Promise<void> {
  for (const value of linkedValuesOf(field)) await dropFieldColumns(transaction, collection, value)
  if (!isStored(field)) return
  if (holdsList(field)) {
    await run(transaction, `drop table ${listTableOf(field.id)}`)
    return
  }
  if (field.kind === 'auto-number') await deleteNumbers(transaction, [field.id])
  if (field.unique) await dropUniqueIndex(transaction, collection, field.id)
  await dropFieldIndexes(transaction, collection, field.id)
  const columns = hasFoldColumn(valueField(field)) ? [columnOf(field.id), foldColumnOf(field.id)] : [columnOf(field.id)]
  await dropOrRetireColumns(transaction, collection, columns)
}

export async function dropTables(transaction: Transaction, collection: Collection): Promise<void> {
  for (const field of collection.fields) {
    if (holdsList(field)) await run(transaction, `drop table ${listTableOf(field.id)}`)
  }
  await run(transaction, `drop table ${tableOf(collection.id)}`)
  const counted = collection.fields.filter((field) => field.kind === 'auto-number')
  await deleteNumbers(
    transaction,
    counted.map((field) => field.id),
  )
}

async function createListTable(transaction: Transaction, collection: CollectionId, field: FieldId): Promise<void> {
  const table = listTableOf(field)
  const text = textColumnType(transaction.dialect)
  // On SQLite, the primary key would otherwise be stored twice. Older tables still do so.
  const storage = transaction.dialect === 'sqlite' ? 'without rowid' : ''
  await run(
    transaction,
    `create table ${table} (
      record_id ${text} not null references ${tableOf(collection)} (id) on delete cascade,
      position integer not null,
      value ${text} not null,
      primary key (record_id, position)
    ) ${storage}`,
  )
  await createValueIndex(transaction, table)
}

/** Finds the records with a value, in the order of their IDs. On SQLite, it contains the primary key anyway. */
const createValueIndex = (transaction: Transaction, table: string) =>
  run(
    transaction,
    `create index ${table}_value on ${table} (${transaction.dialect === 'sqlite' ? 'value' : 'value, record_id'})`,
  )

/** Adds a unique index; empty values are never equal. */
export const createUniqueIndex = (transaction: Transaction, collection: CollectionId, field: FieldId) =>
  run(transaction, `create unique index u_${field} on ${tableOf(collection)} (${columnOf(field)})`)

/**
 * Creates a unique index on a column that is still empty. The index skips empty values, so in a large table only the
 * scan takes time.
 */
const createUniqueIndexOnEmptyColumn = (transaction: Transaction, collection: CollectionId, field: FieldId) =>
  run(
    transaction,
    `create unique index u_${field} on ${tableOf(collection)} (${columnOf(field)}) where ${columnOf(field)} is not null`,
  )

export async function dropUniqueIndex(transaction: Transaction, collection: CollectionId, field: FieldId) {
  await run(transaction, `drop index ${await uniqueIndexOf(transaction, collection, field)}`)
}

/** SQLite can't rename an index, so an index that was created under another column name is found by its columns. */
async function uniqueIndexOf({ db, dialect }: Transaction, collection: CollectionId, field: FieldId): Promise<string> {
  if (dialect === 'postgres') return `u_${field}`
  const { rows } = await sql<{ name: string }>`
    select i.name from pragma_index_list(${tableOf(collection)}) as i join pragma_index_info(i.name) as held
    where i."unique" = 1 and i.origin = 'c' and held.name = ${columnOf(field)}`.execute(db)
  return rows[0]?.name ?? `u_${field}`
}

/** Renames the columns of one field to those of another, with their unique indexes; both have the same kind. */
export async function renameFieldColumns(
  transaction: Transaction,
  collection: CollectionId,
  from: Field,
  to: Field,
): Promise<void> {
  if (holdsList(from)) {
    const [old, next] = [listTableOf(from.id), listTableOf(to.id)]
    await run(transaction, `alter table ${old} rename to ${next}`)
    await run(transaction, `drop index ${old}_value`)
    await createValueIndex(transaction, next)
    return
  }
  const rename = (old: string, next: string) =>
    run(transaction, `alter table ${tableOf(collection)} rename column ${old} to ${next}`)
  await rename(columnOf(from.id), columnOf(to.id))
  if (hasFoldColumn(valueField(from))) await rename(foldColumnOf(from.id), foldColumnOf(to.id))
  if (from.unique && transaction.dialect === 'postgres')
    await run(transaction, `alter index u_${from.id} rename to u_${to.id}`)
}
