import type { RawBuilder } from 'kysely'
import { computedAt, type Leaf } from '#domain/query/check/checked-filter.ts'
import { foldColumn, hasTextOrder, valueColumn } from '#server/query/sql/leaf-columns.ts'
import { column, rowAt, type SqlContext } from '#server/query/sql/sql-context.ts'
import { compileFormula, foldOf } from './compile-formula.ts'

/** The value of a field in a row: its column or, for a formula, an expression. */
export function leafValue(leaf: Leaf, place: SqlContext): RawBuilder<unknown> {
  const computed = computedAt(leaf)
  return computed ? compileFormula(computed, place) : column(rowAt(place.level), valueColumn(leaf))
}

/** The folded text of a value; other values are identical to their folded form. */
export function leafFold(leaf: Leaf, place: SqlContext): RawBuilder<unknown> {
  if (computedAt(leaf) === undefined) return column(rowAt(place.level), foldColumn(leaf))
  const value = leafValue(leaf, place)
  return hasTextOrder(leaf) ? foldOf(value, place) : value
}
