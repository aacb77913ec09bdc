import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Scalar } from '#domain/query/check/checked-filter.ts'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'
import type { Dialect } from '#server/platform/database/database.ts'
import type { SearchPlan } from '#server/query/search/search-plan.ts'
import { type Field, holdsList } from '#domain/fields/field.ts'
import { holdsText } from '#domain/fields/folded-text.ts'

/**
 * Where things live. Tables and columns are named after ids, so everything can be renamed by people; ids hold only
 * digits and lower-case letters, so the names need no care with quoting.
 */

/** The table of a collection's records. */
export const tableOf = (collection: CollectionId): `c_${string}` => `c_${collection}`

/** The table of a list field: `record_id`, `position`, `value`. */
export const listTableOf = (field: FieldId): `l_${string}` => `l_${field}`

/** The column that holds a field's value. */
export const columnOf = (field: FieldId): string => `f_${field}`

/** The column that holds the folded form of a text, or the folded plain text of what is searched as text. */
export const foldColumnOf = (field: FieldId): string => `f_${field}_fold`

/** Whether the field has a folded column beside its own. */
export const hasFoldColumn = (field: Field): boolean =>
  holdsText(field.kind) || field.kind === 'rich-text' || field.kind === 'auto-number'

/**
 * SQLite's own number of a row, in the order of ids: whatever is sorted by id is sorted by it, and every index carries it
 * for free. PostgreSQL has none. It does not fit a JavaScript number, so it is compared in the database and never read.
 */
export const SEQ_COLUMN = 'seq'

/** The columns every collection's table has. `import_id` marks rows of an import that may still be undone. */
export const SYSTEM_COLUMNS = {
  id: 'id',
  version: 'version',
  createdAt: 'created_at',
  createdBy: 'created_by',
  updatedAt: 'updated_at',
  updatedBy: 'updated_by',
  importId: 'import_id',
} as const

/** A condition in SQL. */
export type Condition = RawBuilder<SqlBool>

/** What holds for every table of one statement: the dialect, and the imports whose rows are not there yet. */
export type SqlOptions = {
  readonly dialect: Dialect
  readonly pendingImports: readonly string[]
  /** How the query's search is answered, where that was worked out; else every record is looked into. */
  readonly search?: SearchPlan
}

/** Where an expression stands: inside which row. Every relation crossed goes one level deeper. */
export type SqlContext = SqlOptions & { readonly level: number }

/** The row at a level: `r0` is the list's own, `r1` one related to it, … */
export const rowAt = (level: number): string => `r${level}`

/** The entry of a list field at a level. */
export const entryAt = (level: number): string => `l${level}`

/**
 * A name as it stands in SQL. Names are ours (`column-of.ts`) and are written out here: to have the builder take each of
 * them apart and print it again took a page longer than its rows.
 */
const quoted = (name: string): string => `"${name}"`

/** One column of a row or of an entry. */
export const column = (alias: string, name: string): RawBuilder<unknown> => sql.raw(`${quoted(alias)}.${quoted(name)}`)

/** The table of a collection under the name of a level. */
export const rowsOf = (collection: CollectionId, level: number) =>
  sql.raw<unknown>(`${quoted(tableOf(collection))} as ${quoted(rowAt(level))}`)

/** A value for the place of a question mark; SQLite knows no truth values. */
export const bound = ({ dialect }: SqlOptions, value: Scalar) =>
  sql.val(typeof value === 'boolean' && dialect === 'sqlite' ? Number(value) : value)

/** All of several conditions; none of them is always true. */
export const allOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`1 = 1` : joined(conditions, 'and')

/** One of several conditions; none of them is never true. */
export const anyOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`1 = 0` : joined(conditions, 'or')

function joined(conditions: readonly Condition[], word: 'and' | 'or'): Condition {
  const [only] = conditions
  if (conditions.length === 1 && only) return only
  return sql`(${sql.join(conditions, sql.raw(` ${word} `))})`
}

/** Hides rows of imports that may still be undone; asks nothing while none is running. */
export function withoutPending({ pendingImports, level }: SqlContext): readonly Condition[] {
  if (pendingImports.length === 0) return []
  const importId = column(rowAt(level), SYSTEM_COLUMNS.importId)
  return [sql`(${importId} is null or ${importId} not in (${sql.join(pendingImports)}))`]
}

const ROW = quoted(rowAt(0))
const ENTRY = quoted(entryAt(0))

/**
 * What is selected of a row to make it a record with these fields: no folded texts, no number of SQLite's. A list comes
 * with its row, as JSON under the name of its table: to ask for it afterwards costs more than the row itself.
 */
export const recordColumns = (fields: readonly Field[], dialect: Dialect): RawBuilder<unknown>[] => {
  const cells = fields.map((field) => (holdsList(field) ? listCell(field.id, dialect) : ownCell(columnOf(field.id))))
  return [sql.raw([...READ_OF_ALL.map(ownCell), ...cells].join(', '))]
}

const READ_OF_ALL = Object.values(SYSTEM_COLUMNS).filter((name) => name !== SYSTEM_COLUMNS.importId)

const ownCell = (name: string): string => `${ROW}.${quoted(name)}`

function listCell(field: FieldId, dialect: Dialect): string {
  const [value, position] = [`${ENTRY}."value"`, `${ENTRY}."position"`]
  const entries = `from ${quoted(listTableOf(field))} as ${ENTRY}
    where ${ENTRY}."record_id" = ${ownCell(SYSTEM_COLUMNS.id)}`
  // SQLite walks the key of the table in this form, and would sort each list if the order stood inside the function.
  const list =
    dialect === 'sqlite'
      ? `select json_group_array(value) from (select ${value} as value ${entries} order by ${position})`
      : `select cast(json_agg(${value} order by ${position}) as text) ${entries}`
  return `(${list}) as ${quoted(listTableOf(field))}`
}
