import type { Field } from '#domain/fields/field.ts'
import { type RecordId, seqOf } from '#domain/shared/ids.ts'
import type { CellValue, Dialect, Transaction } from '#server/platform/database/database.ts'
import { SEQ_COLUMN, SYSTEM_COLUMNS } from '#server/query/sql/sql-context.ts'
import { allocateNumbers } from '#server/records/values/auto-numbers.ts'
import { cellsIn, columnsOfField } from '#server/records/values/row-mapping.ts'

export type ColumnValues = { readonly name: string; readonly cells: readonly CellValue[] }

/** Ids and row numbers of new rows. */
export function keyColumns(ids: readonly RecordId[], dialect: Dialect): ColumnValues[] {
  const id = { name: SYSTEM_COLUMNS.id, cells: ids }
  return dialect === 'sqlite' ? [id, { name: SEQ_COLUMN, cells: ids.map(seqOf) }] : [id]
}

/** The next auto numbers of every such field. */
export async function numberColumns(
  transaction: Transaction,
  counted: readonly Field<'auto-number'>[],
  count: number,
): Promise<ColumnValues[]> {
  const columns: ColumnValues[] = []
  for (const field of count > 0 ? counted : []) {
    const first = await allocateNumbers(transaction, field.id, count)
    const cells = Array.from({ length: count }, (_, at) => cellsIn(field, first + at, transaction.dialect))
    for (const [place, name] of columnsOfField(field).entries()) {
      columns.push({ name, cells: cells.map((row) => row[place] ?? null) })
    }
  }
  return columns
}
