import { holdsList } from '#domain/fields/field.ts'
import { holdsText } from '#domain/fields/folded-text.ts'
import type { SystemField } from '#domain/fields/system-fields.ts'
import type { Leaf } from '#domain/query/checked-filter.ts'
import { kindOfLeaf } from '#domain/query/read-literal.ts'
import { SYSTEM_COLUMNS, columnOf, foldColumnOf, hasFoldColumn } from './column-of.ts'

/** The column that holds the value of a leaf. */
export const valueColumn = (leaf: Leaf): string =>
  leaf.type === 'field' ? columnOf(leaf.field.id) : systemColumn(leaf.field)

/** The column that holds its folded text; ids are their own folded form. */
export const foldColumn = (leaf: Leaf): string =>
  leaf.type === 'field' && hasFoldColumn(leaf.field) ? foldColumnOf(leaf.field.id) : valueColumn(leaf)

/** Whether its values stand in a table of their own. */
export const isListLeaf = (leaf: Leaf): boolean => leaf.type === 'field' && holdsList(leaf.field)

/** Whether its order is that of the folded form and then of the text itself. */
export const hasTextOrder = (leaf: Leaf): boolean => holdsText(kindOfLeaf(leaf))

/** Our own table in which what a leaf names by id has its folded name, if there is one: files and people. */
export function namingTable(leaf: Leaf): 'assets' | 'users' | undefined {
  const kind = kindOfLeaf(leaf)
  if (kind === 'files') return 'assets'
  return kind === 'user' ? 'users' : undefined
}

const systemColumn = (field: SystemField): string => SYSTEM_COLUMNS[field]
