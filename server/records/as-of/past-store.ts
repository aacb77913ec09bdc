import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Collection } from '#domain/collections/collection.ts'
import { holdsList } from '#domain/fields/field.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import { idLowerBound, seqOf } from '#domain/shared/ids.ts'
import type { CellValue, Dialect, Reader } from '#server/platform/database/database.ts'
import { createKysely } from '#server/platform/database/kysely-driver.ts'
import { LIST_COLUMNS } from '#server/platform/database/rows/insert-rows.ts'
import { columnType, textColumnType } from '#server/query/sql/field-storage.ts'
import { foldColumnOf, listTableOf, SEQ_COLUMN, tableOf } from '#server/query/sql/sql-context.ts'
import { columnsOfField, entriesOfList, rowOfValues } from '#server/records/values/row-mapping.ts'
import { changedIds } from './as-of-store.ts'

export type Past = {
  readonly collection: Collection
  readonly at: string
  /** The records that were changed since, as they were. */
  readonly records: readonly CollectionRecord[]
}

type Column = { readonly name: string; readonly type: string }

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
  const lists = collection.fields.filter(holdsList).flatMap(({ id }) => {
    const entries = records.flatMap((record) => entriesOfList(record.id, record.values[id]))
    const table = listTableOf(id)
    const rows = entries.map((cells) =>
      Object.fromEntries(LIST_COLUMNS.map((name, place) => [name, cells[place] ?? null])),
    )
    return replaced(dialect, { table, columns: listColumns(dialect), rows, owner: 'record_id', isUnchanged: sql`` })
  })
  const own = replaced(dialect, {
    table: tableOf(collection.id),
    columns: columnsOf(collection, dialect),
    rows: records.map((record) => rowOf(collection, record, dialect)),
    owner: 'id',
    isUnchanged: createdUntil(dialect, at),
  })
  return [changed, ...own, ...lists]
}

type Replaced = {
  readonly table: string
  readonly columns: readonly Column[]
  readonly rows: readonly { readonly [column: string]: CellValue }[]
  readonly owner: string
  readonly isUnchanged: RawBuilder<unknown>
}

function replaced(dialect: Dialect, { table, columns, rows, owner, isUnchanged }: Replaced): RawBuilder<unknown>[] {
  const name = sql.id(table)
  const past = sql.id(`${table}_past`)
  const json = JSON.stringify(rows)
  const cells = sql.join(columns.map((column) => sql.id(column.name)))
  const given =
    dialect === 'sqlite'
      ? sql`select ${sql.join(columns.map(cellOfJson))} from json_each(${json}) as given`
      : sql`select ${cells} from json_to_recordset(cast(${json} as json)) as given (${sql.join(columns.map(typed))})`
  const real = dialect === 'sqlite' ? sql`main.${name}` : name
  return [
    sql`${past} as materialized (${given})`,
    sql`${name} as not materialized (
      select ${cells} from ${real} as unchanged
      where unchanged.${sql.id(owner)} not in (select changed.id from changed)${isUnchanged}
      union all select ${cells} from ${past}
    )`,
  ]
}

const typed = ({ name, type }: Column): RawBuilder<unknown> => sql`${sql.id(name)} ${sql.raw(type)}`

function cellOfJson({ name }: Column): RawBuilder<unknown> {
  const cell = sql`given.value ->> ${sql.lit(name)}`
  return name === SEQ_COLUMN ? sql`cast(${cell} as integer) as ${sql.id(name)}` : sql`${cell} as ${sql.id(name)}`
}

/** Most records are recognized by their row number, which is faster to read. */
function createdUntil(dialect: Dialect, at: string): RawBuilder<unknown> {
  if (dialect === 'postgres') return sql` and unchanged.created_at <= ${at}`
  const seq = sql.lit(seqOf(idLowerBound(Date.parse(at))))
  return sql` and (unchanged.seq < cast(${seq} as integer) or unchanged.created_at <= ${at})`
}

function columnsOf({ fields }: Collection, dialect: Dialect): Column[] {
  const text = textColumnType(dialect)
  const keys = ['id', 'created_at', 'created_by', 'updated_at', 'updated_by', 'import_id']
  return [
    ...(dialect === 'sqlite' ? [{ name: SEQ_COLUMN, type: 'integer' }] : []),
    ...keys.map((name) => ({ name, type: text })),
    { name: 'version', type: 'integer' },
    ...fields
      .filter((field) => !holdsList(field))
      .flatMap((field) =>
        columnsOfField(field).map((name) => ({
          name,
          type: name === foldColumnOf(field.id) ? text : (columnType(field, dialect).split(' not null')[0] ?? text),
        })),
      ),
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
