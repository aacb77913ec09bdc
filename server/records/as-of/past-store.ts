import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Collection } from '#domain/collections/collection.ts'
import { type Field, holdsList } from '#domain/fields/field.ts'
import { resultField, rollupsIn } from '#domain/formulas/value-field.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import { idLowerBound, seqOf } from '#domain/shared/ids.ts'
import { type Json, sameJson } from '#domain/shared/json.ts'
import type { CellValue, Dialect, Reader } from '#server/platform/database/database.ts'
import { createKysely } from '#server/platform/database/kysely-driver.ts'
import { columnType, textColumnType } from '#server/query/sql/field-storage.ts'
import { columnOf, foldColumnOf, listTableOf, SEQ_COLUMN, tableOf } from '#server/query/sql/sql-context.ts'
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
  /** Its short name in rows that are sent with the statement. */
  readonly key: string
  readonly type: string
  /** Whether its cells are the current ones, except in deleted records. */
  readonly isCurrent?: boolean
}

/** What a reader contains of the collection: all records as they were, or only those that were changed since. */
export type PastReaders = {
  readonly then: Reader
  /** The changed records as they were. */
  readonly changedThen: Reader
  /** The changed records as they are, and those created since. */
  readonly changedNow: Reader
}

/**
 * Reads a collection as it was: in every statement, its tables are replaced by common table expressions of the same
 * name, with the records that weren't changed since and the given ones. A record that was changed meanwhile is missing.
 */
export function pastReaders(read: Reader, dialect: Dialect, past: Past): PastReaders {
  const names = [
    tableOf(past.collection.id),
    ...past.collection.fields.filter(holdsList).map(({ id }) => listTableOf(id)),
  ]
  const tables = tablesThen(dialect, past)
  const readerWith = (some: () => readonly RawBuilder<unknown>[]): Reader => {
    const prefix = once(() => sql`with ${sql.join(some())}`.compile(read))
    return createKysely(dialect, async (statement, parameters) => {
      const isAffected = names.some((name) => statement.includes(`"${name}"`))
      const [text, values] = isAffected ? withPrefix(dialect, prefix(), statement, parameters) : [statement, parameters]
      return read.executeQuery(CompiledQuery.raw(text, [...values]))
    })
  }
  return {
    then: readerWith(() => tables.all),
    changedThen: readerWith(() => tables.changed),
    changedNow: readerWith(() => tables.changedNow),
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
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

type TablesThen = {
  readonly all: readonly RawBuilder<unknown>[]
  readonly changed: readonly RawBuilder<unknown>[]
  readonly changedNow: readonly RawBuilder<unknown>[]
}

function tablesThen(dialect: Dialect, { collection, at, records }: Past): TablesThen {
  const changed = sql`changed as materialized (${changedIds(collection.id, at)})`
  const lists = collection.fields.filter(holdsList).flatMap((field) => {
    if (isCurrentIn(records, field) && records.every(({ now }) => now !== null)) return []
    const entries = records.flatMap((record) => entriesOfList(record.id, record.values[field.id]))
    const table = { table: listTableOf(field.id), columns: listColumns(dialect) }
    const rows = entries.map((cells) =>
      Object.fromEntries(table.columns.map(({ key }, place) => [key, cells[place] ?? null])),
    )
    const past = pastTables(table, [givenRows(dialect, table.columns, rows)])
    const unchanged = sql`${rowsOfTable(dialect, table)} where record_id not in (select changed.id from changed)`
    return [...past.definitions, replacing(table, [unchanged, ...past.rows])]
  })
  const columns = columnsOf(collection, records, dialect)
  const table = { table: tableOf(collection.id), columns }
  const [deleted, existing] = [records.filter(({ now }) => now === null), records.filter(({ now }) => now !== null)]
  const given = columns.filter(({ isCurrent }) => isCurrent !== true)
  const past = pastTables(table, [
    givenRows(dialect, columns, rowsOfRecords(collection, deleted, columns, dialect)),
    currentRows(dialect, { ...table, given, rows: rowsOfRecords(collection, existing, given, dialect) }),
  ])
  const current = rowsOfTable(dialect, table)
  const unchanged = sql`${current} where id not in (select changed.id from changed) and ${createdUntil(dialect, at)}`
  const added = sql`${current} where ${createdSince(dialect, at)} and id not in (select changed.id from changed)`
  const changedNow = sql`${current} where id in (select changed.id from changed)`
  return {
    all: [changed, ...past.definitions, replacing(table, [unchanged, ...past.rows]), ...lists],
    changed: [changed, ...past.definitions, replacing(table, past.rows), ...lists],
    changedNow: [changed, replacing(table, [changedNow, added])],
  }
}

/** Whether a field has its current value in each of these records that still exists. */
const isCurrentIn = (records: readonly PastRecord[], { id }: Field): boolean =>
  records.every(({ values, now }) => now === null || sameJson(jsonOf(values[id]), jsonOf(now[id])))

/** Values are JSON. */
export const jsonOf = (value: unknown): Json => (value ?? null) as Json

type GivenRow = { readonly [key: string]: CellValue }

function rowsOfRecords(
  collection: Collection,
  records: readonly PastRecord[],
  columns: readonly Column[],
  dialect: Dialect,
): GivenRow[] {
  const keys = new Map(columns.map(({ name, key }) => [name, key]))
  const system = [...SYSTEM_CELLS].flatMap(([name, cellOf]) => {
    const key = keys.get(name)
    return key === undefined ? [] : { key, cellOf }
  })
  const fields = collection.fields.filter((field) => columnsOfField(field).some((name) => keys.has(name)))
  const ofFields = { ...collection, fields }
  return records.map((record) => {
    const row: { [key: string]: CellValue } = {}
    for (const { key, cellOf } of system) row[key] = cellOf(record)
    for (const [name, cell] of Object.entries(rowOfValues(ofFields, record.values, dialect)))
      row[keys.get(name) ?? name] = cell
    return row
  })
}

const SYSTEM_CELLS = new Map<string, (record: CollectionRecord) => CellValue>([
  [SEQ_COLUMN, ({ id }) => seqOf(id)],
  ['id', ({ id }) => id],
  ['version', ({ version }) => version],
  ['created_at', ({ createdAt }) => createdAt],
  ['created_by', ({ createdBy }) => createdBy],
  ['updated_at', ({ updatedAt }) => updatedAt],
  ['updated_by', ({ updatedBy }) => updatedBy],
])

/** Rows that are sent with the statement. */
function givenRows(dialect: Dialect, columns: readonly Column[], rows: readonly GivenRow[]): RawBuilder<unknown> {
  return sql`select ${sql.join(columns.map((one) => givenCell(dialect, one)))} from ${given(dialect, columns, rows)}`
}

/** Rows of the table, some of whose cells are sent with the statement. */
function currentRows(dialect: Dialect, { table, columns, given: own, rows }: Current): RawBuilder<unknown> {
  const cells = columns.map((one) =>
    one.isCurrent === true ? sql`unchanged.${sql.id(one.name)}` : givenCell(dialect, one),
  )
  const id = columns.filter(({ name }) => name === 'id').map((one) => givenCell(dialect, one))
  return sql`select ${sql.join(cells)} from ${given(dialect, own, rows)}
    ${sql.raw(dialect === 'sqlite' ? 'cross join' : 'join')} ${realTable(dialect, table)} as unchanged
    on unchanged.id = ${sql.join(id)}`
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
  const types = columns.map(({ key, type }) => sql`${sql.id(key)} ${sql.raw(type)}`)
  return sql`json_to_recordset(cast(${json} as json)) as given (${sql.join(types)})`
}

/** On SQLite, cells need the type of their column, or the tables couldn't be read in order. */
const givenCell = (dialect: Dialect, { key, type }: Column): RawBuilder<unknown> =>
  dialect === 'sqlite' ? sql`cast(given.value ->> ${sql.lit(key)} as ${sql.raw(type)})` : sql`given.${sql.id(key)}`

const realTable = (dialect: Dialect, table: string): RawBuilder<unknown> =>
  dialect === 'sqlite' ? sql`main.${sql.id(table)}` : sql.id(table)

type Table = { readonly table: string; readonly columns: readonly Column[] }

const namesOf = ({ columns }: Table): RawBuilder<unknown> => sql.join(columns.map(({ name }) => sql.id(name)))

const rowsOfTable = (dialect: Dialect, table: Table): RawBuilder<unknown> =>
  sql`select ${namesOf(table)} from ${realTable(dialect, table.table)}`

/** Each is read by itself: SQLite doesn't read a union of them in order. */
function pastTables(table: Table, past: readonly RawBuilder<unknown>[]) {
  const names = past.map((_, at) => sql.id(`${table.table}_past_${at}`))
  return {
    definitions: past.map((rows, at) => sql`${names[at]} (${namesOf(table)}) as materialized (${rows})`),
    rows: names.map((name) => sql`select ${namesOf(table)} from ${name}`),
  }
}

const replacing = (table: Table, rows: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql`${sql.id(table.table)} as not materialized (${sql.join(rows, sql` union all `)})`

/** Most records are recognized by their row number, which is faster to read. */
function createdUntil(dialect: Dialect, at: string): RawBuilder<unknown> {
  if (dialect === 'postgres') return sql`created_at <= ${at}`
  return sql`(seq < ${firstSeq(at)} or created_at <= ${at})`
}

function createdSince(dialect: Dialect, at: string): RawBuilder<unknown> {
  const isLater = dialect === 'postgres' ? sql`id >= ${idLowerBound(Date.parse(at))}` : sql`seq >= ${firstSeq(at)}`
  return sql`${isLater} and created_at > ${at}`
}

const firstSeq = (at: string): RawBuilder<unknown> =>
  sql`cast(${sql.lit(seqOf(idLowerBound(Date.parse(at))))} as integer)`

function columnsOf({ fields }: Collection, records: readonly PastRecord[], dialect: Dialect): Column[] {
  const text = textColumnType(dialect)
  const changing = ['id', 'updated_at', 'updated_by'].map((name) => ({ name, type: text }))
  const constant = ['created_at', 'created_by', 'import_id'].map((name) => ({ name, type: text, isCurrent: true }))
  return withKeys([
    ...(dialect === 'sqlite' ? [{ name: SEQ_COLUMN, type: 'integer', isCurrent: true }] : []),
    ...changing,
    ...constant,
    { name: 'version', type: 'integer' },
    ...fields
      .filter((field) => !holdsList(field))
      .flatMap((field) => {
        const isCurrent = isCurrentIn(records, field)
        const typeOf = (name: string): string => (name === foldColumnOf(field.id) ? text : nullableType(field, dialect))
        return columnsOfField(field).map((name) => ({ name, type: typeOf(name), isCurrent }))
      }),
    ...rollupsIn(fields).flatMap((field) => rollupColumns(resultField(field), dialect)),
  ])
}

const withKeys = (columns: readonly Omit<Column, 'key'>[]): Column[] =>
  columns.map((column, at) => ({ ...column, key: `c${at}` }))

/** Rollups aren't shown or used by queries, but permissions can depend on their current values. */
const rollupColumns = (result: Field, dialect: Dialect) =>
  columnsOfField(result).map((name) => ({
    name,
    type: name === columnOf(result.id) ? nullableType(result, dialect) : textColumnType(dialect),
    isCurrent: true,
  }))

const nullableType = (field: Field, dialect: Dialect): string =>
  columnType(field, dialect).split(' not null')[0] ?? textColumnType(dialect)

const listColumns = (dialect: Dialect): Column[] =>
  withKeys([
    { name: 'record_id', type: textColumnType(dialect) },
    { name: 'position', type: 'integer' },
    { name: 'value', type: textColumnType(dialect) },
  ])
