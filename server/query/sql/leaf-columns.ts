import { type RawBuilder, sql } from 'kysely'
import { holdsList } from '#domain/fields/field.ts'
import { holdsText } from '#domain/fields/folded-text.ts'
import type { SystemField } from '#domain/fields/system-fields.ts'
import type { Leaf } from '#domain/query/check/checked-filter.ts'
import { kindOfLeaf } from '#domain/query/filter/read-literal.ts'
import type { OptionId } from '#domain/shared/ids.ts'

import {
  column,
  columnOf,
  type Condition,
  entryAt,
  foldColumnOf,
  hasFoldColumn,
  listTableOf,
  rowAt,
  SYSTEM_COLUMNS,
} from './sql-context.ts'

/** The column that holds the value of a leaf. */
export const valueColumn = (leaf: Leaf): string =>
  leaf.type === 'field' ? columnOf(leaf.field.id) : systemColumn(leaf.field)

/** The column that holds its folded text; ids are their own folded form. */
export const foldColumn = (leaf: Leaf): string =>
  leaf.type === 'field' && hasFoldColumn(leaf.field) ? foldColumnOf(leaf.field.id) : valueColumn(leaf)

/** Whether its values stand in a table of their own. */
export const isListLeaf = (leaf: Leaf): boolean => leaf.type === 'field' && holdsList(leaf.field)

/** The table of a list's values under the name of a level. */
export const entriesOf = (leaf: Leaf, level: number): RawBuilder<unknown> =>
  sql`${sql.table(listTableOf(leaf.type === 'field' ? leaf.field.id : ''))} as ${sql.id(entryAt(level))}`

/** That an entry belongs to a row, each at its level. */
export const entryOfRow = (entry: number, row: number): Condition =>
  sql`${column(entryAt(entry), 'record_id')} = ${column(rowAt(row), 'id')}`

/** The place of an option among some. Ids and places are our own words and stand in the text, as in an index. */
export function placeAmong(options: readonly OptionId[], value: RawBuilder<unknown>): RawBuilder<unknown> {
  if (options.length === 0) return sql`cast(null as integer)`
  const cases = options.map((id, place) => sql`when ${sql.lit(id)} then ${sql.lit(place)}`)
  return sql`case ${value} ${sql.join(cases, sql` `)} end`
}

/** Whether its order is that of the folded form and then of the text itself. */
export const hasTextOrder = (leaf: Leaf): boolean => holdsText(kindOfLeaf(leaf))

/** Our own table in which what a leaf names by id has its folded name, if there is one: files and people. */
export function namingTable(leaf: Leaf): 'assets' | 'users' | undefined {
  const kind = kindOfLeaf(leaf)
  if (kind === 'files') return 'assets'
  return kind === 'user' ? 'users' : undefined
}

const systemColumn = (field: SystemField): string => SYSTEM_COLUMNS[field]
