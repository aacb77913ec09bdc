import type { CellValue } from '#server/platform/database/database.ts'
import type { ThreadResult } from './thread-messages.ts'

export function rowsAsObjects({
  columns,
  rows,
}: Pick<ThreadResult, 'columns' | 'rows'>): { [column: string]: CellValue }[] {
  return rows.map((cells) => {
    const row: { [column: string]: CellValue } = {}
    columns.forEach((column, at) => {
      row[column] = cells[at] ?? null
    })
    return row
  })
}

/** SQLite has no Booleans, so they become 1 and 0. */
export const toBindValue = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value)
