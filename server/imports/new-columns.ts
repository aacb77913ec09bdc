import type { Field } from '#domain/fields/field.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { CellValue, Dialect, Transaction } from '#server/database/database.ts'
import { takeNumbers } from '#server/records/auto-numbers.ts'
import { keyCells } from '#server/records/key-cells.ts'
import { cellsIn, columnsOfField } from '#server/records/values-and-row.ts'

/** A column of new rows, with the cell of each. */
export type NewColumn = { readonly name: string; readonly cells: readonly CellValue[] }

/** What new rows are found by. */
export function keyColumns(ids: readonly RecordId[], dialect: Dialect): NewColumn[] {
  const keys = ids.map((id) => keyCells(id, dialect))
  return Object.keys(keyCells('', dialect)).map((name) => ({ name, cells: keys.map((key) => key[name] ?? null) }))
}

/** The next numbers of every field that counts. */
export async function numberColumns(
  transaction: Transaction,
  counted: readonly Field<'auto-number'>[],
  count: number,
): Promise<NewColumn[]> {
  const columns: NewColumn[] = []
  for (const field of count > 0 ? counted : []) {
    const first = await takeNumbers(transaction, field.id, count)
    const cells = Array.from({ length: count }, (_, at) => cellsIn(field, first + at, transaction.dialect))
    for (const [place, name] of columnsOfField(field).entries()) {
      columns.push({ name, cells: cells.map((row) => row[place] ?? null) })
    }
  }
  return columns
}
