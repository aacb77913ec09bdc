import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Collection } from '#domain/collections/collection.ts'
import { type Field, holdsList } from '#domain/fields/field.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import { idLowerBound, seqOf } from '#domain/shared/ids.ts'
import { type Json, sameJson } from '#domain/shared/json.ts'
import type { CellValue, Dialect, Reader } from '#server/platform/database/database.ts'
import { createKysely } from '#server/platform/database/kysely-driver.ts'
import { LIST_COLUMNS } from '#server/platform/database/rows/insert-rows.ts'
import { columnType, textColumnType } from '#server/query/sql/field-storage.ts'
import { foldColumnOf, listTableOf, SEQ_COLUMN, tableOf } from '#server/query/sql/sql-context.ts'
import { columnsOfField, entriesOfList, rowOfValues } from '#server/records/values/row-mapping.ts'
import { changedIds } from './as-of-store.ts'

/** A record as it was, and its current values; null if it is in the trash. */
export type PastRecord = CollectionRecord & { readonly now: RecordValues | null }

export type Past = {
  readonly collection: Collection
  readonly at: string
  /** The records that were changed since. */
  readonly records: readonly PastRecord[]
}

type Column = {
  readonly name: string
  readonly type: string
  /** Whether its cells are the current ones, except in deleted records. */
  readonly isCurrent?: boolean
}

/**
 * Reads a collection as it was: in every statement, its tables are replaced by common table expressions of the same
 * name, with the records that weren't changed since and the given ones. A record that was changed meanwhile is missing.
 */
export function pastReader(read: Reader, dialect: Dialect, past: Past): Reader {
  const tables = [
    tableOf(past.collection.id),
    ...past.collection.fields.filter(holdsList).map(({ id }) => listTableOf(id)),
  ]
  const prefix = sql`with ${sql.join(tablesThen(dialect, past))}`.compile(read)
  return createKysely(dialect, async (statement, parameters) => {
    const isAffected = tables.some((table) => statement.includes(`"${table}"`))
    const [text, values] = isAffected ? withPrefix(dialect, prefix, statement, parameters) : [statement, parameters]
    return read.executeQuery(CompiledQuery.raw(text, [...values]))
  })
}

/** Parameters are numbered on PostgreSQL, so those of the prefix follow the others. */
function withPrefix(
  dialect: Dialect,
  prefix: CompiledQuery,
  statement: string,
  parameters: readonly unknown[],
): readonly [string, readonly unknown[]] {
  if (dialect === 'sqlite') return [`${prefix.sql} ${statement}`, [...prefix.parameters, ...parameters]]
  const renumbered = prefix.sql.replaceAll(/\$(\d+)/g, (_, number) => `$${Number(number) + parameters.length}`)
  return [`${renumbered} ${statement}`, [...parameters, ...prefix.parameters]]
}

function tablesThen(dialect: Dialect, { collection, at, records }: Past): RawBuilder<unknown>[] {
  const changed = sql`changed as materialized (${changedIds(collection.id, at)})`
  const lists = collection.fields.filter(holdsList).flatMap((field) => {
    if (isCurrentIn(records, field) && records.every(({ now }) => now !== null)) return []
    const entries = records.flatMap((record) => entriesOfList(record.id, record.values[field.id]))
    const rows = entries.map((cells) =>
      Object.fromEntries(LIST_COLUMNS.map((name, place) => [name, cells[place] ?? null])),
    )
    const table = listTableOf(field.id)
    const past = [givenRows(dialect, listColumns(dialect), rows)]
    return replaced(dialect, { table, columns: listColumns(dialect), past, owner: 'record_id', isUnchanged: sql`` })
  })
  const table = tableOf(collection.id)
  const columns = columnsOf(collection, records, dialect)
  const rowsOf = (some: readonly PastRecord[], names: readonly Column[]) =>
    some.map((record) => cellsNamed(rowOf(collection, record, dialect), names))
  const [deleted, existing] = [records.filter(({ now }) => now === null), records.filter(({ now }) => now !== null)]
  const given = columns.filter(({ isCurrent }) => isCurrent !== true)
  const past = [
    givenRows(dialect, columns, rowsOf(deleted, columns)),
    currentRows(dialect, { table, columns, given, rows: rowsOf(existing, given) }),
  ]
  const isUnchanged = createdUntil(dialect, at)
  return [changed, ...replaced(dialect, { table, columns, past, owner: 'id', isUnchanged }), ...lists]
}

/** Whether a field has its current value in each of these records that still exists. */
const isCurrentIn = (records: readonly PastRecord[], { id }: Field): boolean =>
  records.every(({ values, now }) => now === null || sameJson(jsonOf(values[id]), jsonOf(now[id])))

/** Values are JSON. */
export const jsonOf = (value: unknown): Json => (value ?? null) as Json

type GivenRow = { readonly [column: string]: CellValue }

const cellsNamed = (row: GivenRow, columns: readonly Column[]): GivenRow =>
  Object.fromEntries(columns.map(({ name }) => [name, row[name] ?? null]))

/** Rows that are sent with the statement. */
function givenRows(dialect: Dialect, columns: readonly Column[], rows: readonly GivenRow[]): RawBuilder<unknown> {
  return sql`select ${sql.join(columns.map((one) => givenCell(dialect, one)))} from ${given(dialect, columns, rows)}`
}

/** Rows of the table, some of whose cells are sent with the statement. */
function currentRows(dialect: Dialect, { table, columns, given: own, rows }: Current): RawBuilder<unknown> {
  const cells = columns.map((one) =>
    one.isCurrent === true ? sql`unchanged.${sql.id(one.name)}` : givenCell(dialect, one),
  )
  const id = { name: 'id', type: textColumnType(dialect) }
  return sql`select ${sql.join(cells)} from ${given(dialect, own, rows)}
    ${sql.raw(dialect === 'sqlite' ? 'cross join' : 'join')} ${realTable(dialect, table)} as unchanged
    on unchanged.id = ${givenCell(dialect, id)}`
}

type Current = {
  readonly table: string
  readonly columns: readonly Column[]
  readonly given: readonly Column[]
  readonly rows: readonly GivenRow[]
}

const given = (dialect: Dialect, columns: readonly Column[], rows: readonly GivenRow[]): RawBuilder<unknown> => {
  const json = JSON.stringify(rows)
  if (dialect === 'sqlite') return sql`json_each(${json}) as given`
  const types = columns.map(({ name, type }) => sql`${sql.id(name)} ${sql.raw(type)}`)
  return sql`json_to_recordset(cast(${json} as json)) as given (${sql.join(types)})`
}

/** On SQLite, cells need the type of their column, or the tables couldn't be read in order. */
const givenCell = (dialect: Dialect, { name, type }: Column): RawBuilder<unknown> =>
  dialect === 'sqlite' ? sql`cast(given.value ->> ${sql.lit(name)} as ${sql.raw(type)})` : sql`given.${sql.id(name)}`

const realTable = (dialect: Dialect, table: string): RawBuilder<unknown> =>
  dialect === 'sqlite' ? sql`main.${sql.id(table)}` : sql.id(table)

type Replaced = {
  readonly table: string
  readonly columns: readonly Column[]
  /** Each is read by itself: SQLite doesn't read a union of them in order. */
  readonly past: readonly RawBuilder<unknown>[]
  readonly owner: string
  readonly isUnchanged: RawBuilder<unknown>
}

function replaced(dialect: Dialect, { table, columns, past, owner, isUnchanged }: Replaced): RawBuilder<unknown>[] {
  const names = sql.join(columns.map(({ name }) => sql.id(name)))
  const pastTables = past.map((_, at) => sql.id(`${table}_past_${at}`))
  return [
    ...past.map((rows, at) => sql`${pastTables[at]} (${names}) as materialized (${rows})`),
    sql`${sql.id(table)} as not materialized (
      select ${names} from ${realTable(dialect, table)} as unchanged
      where unchanged.${sql.id(owner)} not in (select changed.id from changed)${isUnchanged}
      ${sql.join(
        pastTables.map((one) => sql`union all select ${names} from ${one}`),
        sql` `,
      )}
    )`,
  ]
}

/** Most records are recognized by their row number, which is faster to read. */
function createdUntil(dialect: Dialect, at: string): RawBuilder<unknown> {
  if (dialect === 'postgres') return sql` and unchanged.created_at <= ${at}`
  const seq = sql.lit(seqOf(idLowerBound(Date.parse(at))))
  return sql` and (unchanged.seq < cast(${seq} as integer) or unchanged.created_at <= ${at})`
}

function columnsOf({ fields }: Collection, records: readonly PastRecord[], dialect: Dialect): Column[] {
  const text = textColumnType(dialect)
  const changing = ['id', 'updated_at', 'updated_by'].map((name) => ({ name, type: text }))
  const constant = ['created_at', 'created_by', 'import_id'].map((name) => ({ name, type: text, isCurrent: true }))
  return [
    ...(dialect === 'sqlite' ? [{ name: SEQ_COLUMN, type: 'integer', isCurrent: true }] : []),
    ...changing,
    ...constant,
    { name: 'version', type: 'integer' },
    ...fields
      .filter((field) => !holdsList(field))
      .flatMap((field): Column[] => {
        const isCurrent = isCurrentIn(records, field)
        const typeOf = (name: string): string =>
          name === foldColumnOf(field.id) ? text : (columnType(field, dialect).split(' not null')[0] ?? text)
        return columnsOfField(field).map((name) => ({ name, type: typeOf(name), isCurrent }))
      }),
  ]
}

const listColumns = (dialect: Dialect): Column[] => [
  { name: 'record_id', type: textColumnType(dialect) },
  { name: 'position', type: 'integer' },
  { name: 'value', type: textColumnType(dialect) },
]

const rowOf = (collection: Collection, record: CollectionRecord, dialect: Dialect) => ({
  ...(dialect === 'sqlite' && { [SEQ_COLUMN]: seqOf(record.id) }),
  id: record.id,
  version: record.version,
  created_at: record.createdAt,
  created_by: record.createdBy,
  updated_at: record.updatedAt,
  updated_by: record.updatedBy,
  import_id: null,
  ...rowOfValues(collection, record.values, dialect),
})
