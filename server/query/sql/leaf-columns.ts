import { type RawBuilder, sql } from 'kysely'
import { holdsList } from '#domain/fields/field.ts'
import { holdsText } from '#domain/fields/folded-text.ts'
import type { SystemField } from '#domain/fields/system-fields.ts'
import type { Leaf } from '#domain/query/check/checked-filter.ts'
import { kindOfLeaf } from '#domain/query/filter/read-literal.ts'
import type { OptionId } from '#domain/shared/ids.ts'
import { hasFoldColumn } from './field-storage.ts'
import {
  column,
  columnOf,
  type Condition,
  entryAt,
  foldColumnOf,
  listTableOf,
  rowAt,
  SYSTEM_COLUMNS,
} from './sql-context.ts'

export const valueColumn = (leaf: Leaf): string =>
  leaf.type === 'field' ? columnOf(leaf.field.id) : systemColumn(leaf.field)

/** The folded text of a value; IDs are identical to their folded form. */
export const foldColumn = (leaf: Leaf): string =>
  leaf.type === 'field' && hasFoldColumn(leaf.field) ? foldColumnOf(leaf.field.id) : valueColumn(leaf)

export const isListLeaf = (leaf: Leaf): boolean => leaf.type === 'field' && holdsList(leaf.field)

export const entriesOf = (leaf: Leaf, level: number): RawBuilder<unknown> =>
  sql`${sql.table(listTableOf(leaf.type === 'field' ? leaf.field.id : ''))} as ${sql.id(entryAt(level))}`

export const entryOfRow = (entry: number, row: number): Condition =>
  sql`${column(entryAt(entry), 'record_id')} = ${column(rowAt(row), 'id')}`

/**
 * The position of an option in a list of options. IDs and positions are generated, so they are inlined as literals, as
 * an expression index requires.
 */
export function placeAmong(options: readonly OptionId[], value: RawBuilder<unknown>): RawBuilder<unknown> {
  if (options.length === 0) return sql`cast(null as integer)`
  const cases = options.map((id, place) => sql`when ${sql.lit(id)} then ${sql.lit(place)}`)
  return sql`case ${value} ${sql.join(cases, sql` `)} end`
}

export const hasTextOrder = (leaf: Leaf): boolean => holdsText(kindOfLeaf(leaf))

export function namingTable(leaf: Leaf): 'assets' | 'users' | undefined {
  const kind = kindOfLeaf(leaf)
  if (kind === 'files') return 'assets'
  return kind === 'user' ? 'users' : undefined
}

const systemColumn = (field: SystemField): string => SYSTEM_COLUMNS[field]

/**
 * PostgreSQL rejects index entries above 2,704 bytes, so its indexes contain prefixes of 200 characters, which always
 * fit and are nearly as selective as whole texts.
 */
const PREFIX_LENGTH = 200

export const isLongText = (leaf: Leaf): boolean =>
  leaf.type === 'field' && (holdsText(leaf.field.kind) || leaf.field.kind === 'rich-text')

export const prefixExpression = (text: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`left(${text}, ${sql.lit(PREFIX_LENGTH)})`

/** The same prefix for a text in memory; like SQL, counts code points. */
export const prefixOfText = (text: string): string =>
  text.length <= PREFIX_LENGTH ? text : [...text].slice(0, PREFIX_LENGTH).join('')

/** Whether no other text has the same prefix. */
export const isShorterThanPrefix = (text: string): boolean => text.length < PREFIX_LENGTH

export const fitsInPrefix = (text: string): boolean => prefixOfText(text) === text
