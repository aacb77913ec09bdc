import { type RecordId, seqOf } from '#domain/shared/ids.ts'
import type { CellValue, Dialect } from '#server/platform/database/database.ts'
import { SEQ_COLUMN, SYSTEM_COLUMNS } from '#server/query/sql/sql-context.ts'

/** Keys of a new row: its ID and, on SQLite, its row number. */
export const keyCells = (id: RecordId, dialect: Dialect): { [column: string]: CellValue } => ({
  [SYSTEM_COLUMNS.id]: id,
  ...(dialect === 'sqlite' && { [SEQ_COLUMN]: seqOf(id) }),
})
