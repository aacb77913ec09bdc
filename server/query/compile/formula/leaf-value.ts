import type { RawBuilder } from 'kysely'
import { computedAt, type Leaf } from '#domain/query/check/checked-filter.ts'
import { foldColumn, hasTextOrder, valueColumn } from '#server/query/sql/leaf-columns.ts'
import { column, type ColumnNames, rowAt, type SqlContext } from '#server/query/sql/sql-context.ts'
import { compileFormula, foldOf } from './compile-formula.ts'

/** The value of a field in a row: its column or, for a formula, an expression. */
export function leafValue(leaf: Leaf, place: SqlContext): RawBuilder<unknown> {
  return valueIn(leaf, place, (name) => column(rowAt(place.level), name))
}

/** The same with columns that are read in another way, such as in an index. */
export function valueIn(
  leaf: Leaf,
  { dialect }: Pick<SqlContext, 'dialect'>,
  columnNamed: ColumnNames,
): RawBuilder<unknown> {
  const computed = computedAt(leaf)
  return computed ? compileFormula(computed, { dialect }, columnNamed) : columnNamed(valueColumn(leaf))
}

/** The folded text of a value; other values are identical to their folded form. */
export function leafFold(leaf: Leaf, place: SqlContext): RawBuilder<unknown> {
  return foldIn(leaf, place, (name) => column(rowAt(place.level), name))
}

export function foldIn(
  leaf: Leaf,
  { dialect }: Pick<SqlContext, 'dialect'>,
  columnNamed: ColumnNames,
): RawBuilder<unknown> {
  if (computedAt(leaf) === undefined) return columnNamed(foldColumn(leaf))
  const value = valueIn(leaf, { dialect }, columnNamed)
  return hasTextOrder(leaf) ? foldOf(value, { dialect }) : value
}
