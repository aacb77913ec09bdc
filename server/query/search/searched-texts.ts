import { type RawBuilder, sql } from 'kysely'
import type { Collection } from '#domain/collections/collection.ts'
import { formulaInputs } from '#domain/formulas/formula-inputs.ts'
import { computedAt, type Leaf } from '#domain/query/check/checked-filter.ts'
import { fieldOf } from '#domain/query/list/index-selection.ts'
import { searchedTexts } from '#domain/query/list/search.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import type { Dialect } from '#server/platform/database/database.ts'
import { SQLITE_FORMULA_FUNCTION } from '#server/platform/database/sqlite/formula-function.ts'
import { foldIn } from '#server/query/compile/formula/leaf-value.ts'
import { columnOf } from '#server/query/sql/sql-context.ts'
import type { SearchedField } from './full-text-index.ts'

/** A text that full-text indexes contain. */
export type SearchedText = { readonly name: SearchedField; readonly leaf: Leaf }

type TextContext = { readonly timeZone: string; readonly dialect: Dialect }

/** The texts that the indexes of a collection must contain. */
export const textsIn = (collection: Collection, { timeZone, dialect }: TextContext): readonly SearchedText[] =>
  searchedTexts(collection, timeZone).map((leaf) => ({ name: searchedFieldOf(leaf, dialect), leaf }))

/** On SQLite, indexes contain what this version of the function has calculated. */
const VERSIONS: { readonly [Of in Dialect]: string } = {
  sqlite: SQLITE_FORMULA_FUNCTION.replace('dossier_formula', ''),
  postgres: '',
}

export const searchedFieldOf = (leaf: Leaf, dialect: Dialect): SearchedField =>
  computedAt(leaf) ? fieldOf(leaf).replace('=', '_') + VERSIONS[dialect] : fieldOf(leaf)

export const idOfSearchedField = (name: SearchedField): FieldId => name.split('_')[0] ?? name

/** The column of an index on SQLite. */
export const indexColumnOf = (name: SearchedField): string => columnOf(idOfSearchedField(name))

/** The folded text in a row. */
export const foldedTextIn = (row: string, leaf: Leaf, dialect: Dialect): RawBuilder<unknown> =>
  foldIn(leaf, { dialect }, (name) => sql.ref(`${row}.${name}`))

/** Whether a text can differ after some fields were changed. */
export function isTextAffected(leaf: Leaf, changed: ReadonlySet<FieldId>): boolean {
  if (leaf.type === 'system') return false
  if (leaf.computed === undefined) return changed.has(leaf.field.id)
  const inputs = formulaInputs(leaf.computed.expression)
  return inputs.some((input) => (input.node === 'field' ? changed.has(input.field.id) : input.field === 'updatedAt'))
}
