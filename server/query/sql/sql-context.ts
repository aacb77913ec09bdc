import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Scalar } from '#domain/query/check/checked-filter.ts'
import type { CollectionId, FieldId, RecordId } from '#domain/shared/ids.ts'
import type { ViewId } from '#domain/views/view.ts'
import type { Dialect } from '#server/platform/database/database.ts'
import type { SearchPlan } from '#server/query/search/search-plan.ts'
import { type Field, holdsList } from '#domain/fields/field.ts'
import { storedFieldsIn } from '#domain/formulas/value-field.ts'

/** Table and column names contain IDs, so users can rename everything and no quoting is needed. */

export const tableOf = (collection: CollectionId): `c_${string}` => `c_${collection}`

export const listTableOf = (field: FieldId): `l_${string}` => `l_${field}`

export const columnOf = (field: FieldId): string => `f_${field}`

export const foldColumnOf = (field: FieldId): string => `f_${field}_fold`

/**
 * SQLite's row number, in ID order: every sort by ID uses it, and every index contains it at no cost. It can exceed
 * JavaScript's safe integers, so it is compared in the database and never read. PostgreSQL has no such column.
 */
export const SEQ_COLUMN = 'seq'

/** Columns of every collection's table. `import_id` marks rows of an import that can still be undone. */
export const SYSTEM_COLUMNS = {
  id: 'id',
  version: 'version',
  createdAt: 'created_at',
  createdBy: 'created_by',
  updatedAt: 'updated_at',
  updatedBy: 'updated_by',
  importId: 'import_id',
} as const

/** The rows of an import, found without an index: no ID is below `firstId`. */
export type ImportRows = { readonly importId: string; readonly firstId: RecordId }

export type Condition = RawBuilder<SqlBool>

export type SqlOptions = {
  readonly dialect: Dialect
  readonly pendingImports: readonly string[]
  readonly search?: SearchPlan
  /** Limits a list to the records that were moved in a view's manual order, or to the others. */
  readonly moved?: MovedRecords | undefined
  /** Whether the tables are replaced by those of an earlier time, which have no index of row numbers. */
  readonly isPast?: boolean | undefined
  /** On PostgreSQL, orders long texts by the prefixes in its indexes; see `find-page.ts`. */
  readonly isByPrefix?: boolean | undefined
}

export type MovedRecords = { readonly view: ViewId; readonly are: 'included' | 'excluded' }

/** How the columns of a row are read, by name. */
export type ColumnNames = (name: string) => RawBuilder<unknown>

/** The row that an expression reads; each relation in a path adds one level. */
export type SqlContext = SqlOptions & { readonly level: number }

/** The row alias at a level: `r0` is the list's row, `r1` a related row, … */
export const rowAt = (level: number): string => `r${level}`

export const entryAt = (level: number): string => `l${level}`

/**
 * Writes a generated name (`column-of.ts`) into SQL directly, because the query builder took longer than the read
 * itself.
 */
const quoted = (name: string): string => `"${name}"`

export const column = (alias: string, name: string): RawBuilder<unknown> => sql.raw(`${quoted(alias)}.${quoted(name)}`)

export const rowsOf = (collection: CollectionId, level: number) =>
  sql.raw<unknown>(`${quoted(tableOf(collection))} as ${quoted(rowAt(level))}`)

/** Binds a value; SQLite has no booleans. */
export const bound = ({ dialect }: SqlOptions, value: Scalar) =>
  sql.val(typeof value === 'boolean' && dialect === 'sqlite' ? Number(value) : value)

/**
 * A text as part of a statement, for definitions of indexes, which can't bind values. Backslashes are escaped explicitly
 * on PostgreSQL, whatever its settings.
 */
export function textLiteral(text: string, dialect: Dialect): RawBuilder<unknown> {
  if (text.includes('\0')) throw new Error('SQL text literals can’t contain null characters.')
  const quoted = text.replaceAll("'", "''")
  return sql.raw(dialect === 'sqlite' ? `'${quoted}'` : `E'${quoted.replaceAll('\\', String.raw`\\`)}'`)
}

export const allOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`1 = 1` : joined(conditions, 'and')

export const anyOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`1 = 0` : joined(conditions, 'or')

function joined(conditions: readonly Condition[], word: 'and' | 'or'): Condition {
  const [only] = conditions
  if (conditions.length === 1 && only) return only
  return sql`(${sql.join(conditions, sql.raw(` ${word} `))})`
}

/** Hides rows of imports that can still be undone; empty while none is running. */
export function withoutPending({ pendingImports, level }: SqlContext): readonly Condition[] {
  if (pendingImports.length === 0) return []
  const importId = column(rowAt(level), SYSTEM_COLUMNS.importId)
  return [sql`(${importId} is null or ${importId} not in (${sql.join(pendingImports)}))`]
}

export function movedOnly({ moved, level }: SqlContext): readonly Condition[] {
  if (!moved) return []
  const id = column(rowAt(level), SYSTEM_COLUMNS.id)
  if (moved.are === 'included') return [sql`${column(MOVED, 'view_id')} = ${moved.view}`]
  return [sql`not exists (select 1 from view_positions as p where p.view_id = ${moved.view} and p.record_id = ${id})`]
}

/** The rows of the records that were moved, read from the few keys of the view. */
export const movedRows = (collection: CollectionId) =>
  sql`view_positions as ${sql.id(MOVED)} inner join ${rowsOf(collection, 0)} on ${column(rowAt(0), SYSTEM_COLUMNS.id)} = ${column(MOVED, 'record_id')}`

const MOVED = 'moved'

const ROW = quoted(rowAt(0))
const ENTRY = quoted(entryAt(0))

/**
 * The columns of a record with these fields, without folded texts and row numbers. A list is selected as JSON under
 * the name of its table, since a separate query costs more than the row itself.
 */
export const recordColumns = (fields: readonly Field[], dialect: Dialect): RawBuilder<unknown>[] => {
  const cells = storedFieldsIn(fields).map((field) =>
    holdsList(field) ? listCell(field.id, dialect) : ownCell(columnOf(field.id)),
  )
  return [sql.raw([...READ_OF_ALL.map(ownCell), ...cells].join(', '))]
}

const READ_OF_ALL = Object.values(SYSTEM_COLUMNS).filter((name) => name !== SYSTEM_COLUMNS.importId)

const ownCell = (name: string): string => `${ROW}.${quoted(name)}`

function listCell(field: FieldId, dialect: Dialect): string {
  const [value, position] = [`${ENTRY}."value"`, `${ENTRY}."position"`]
  const entries = `from ${quoted(listTableOf(field))} as ${ENTRY}
    where ${ENTRY}."record_id" = ${ownCell(SYSTEM_COLUMNS.id)}`
  // Ordering in a subquery lets SQLite scan the table's key; ordering inside the function would sort each list.
  const list =
    dialect === 'sqlite'
      ? `select json_group_array(value) from (select ${value} as value, ${position} ${entries} order by ${position})`
      : `select cast(json_agg(${value} order by ${position}) as text) ${entries}`
  return `(${list}) as ${quoted(listTableOf(field))}`
}
