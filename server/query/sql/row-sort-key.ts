import { type SortPart, isNumberPart } from '#domain/query/list/sort.ts'
import type { KeyValue } from '#domain/shared/compare-values.ts'
import type { CellValue, CollectionRow } from '#server/platform/database/database.ts'
import { keyName } from '#server/query/compile/compile-sort.ts'

export const keyIn = (row: CollectionRow, sort: readonly SortPart[]): KeyValue[] =>
  sort.map((part, at) => keyValue(row[keyName(at)], isNumberPart(part)))

function keyValue(cell: CellValue | undefined, isNumber: boolean): KeyValue {
  if (cell === null || cell === undefined) return null
  return isNumber ? Number(cell) : String(cell)
}
