import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scalar } from '#domain/query/checked-filter.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { Dialect } from '#server/platform/database/database.ts'
import { SYSTEM_COLUMNS, tableOf } from './column-names.ts'
import type { SearchPlan } from '#server/query/search/search-plan.ts'

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
export const quoted = (name: string): string => `"${name}"`

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
