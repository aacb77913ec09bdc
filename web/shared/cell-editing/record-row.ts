import type { RecordListItem } from '#api/records.ts'
import type { CellErrors } from './store/cell-edits.ts'

/** A record in a list. */
export type RecordRow = {
  readonly record: RecordListItem
  /** Its place in the whole list, counted from 0. */
  readonly ordinal: number
  /** What is wrong with its cells, by field. */
  readonly faults?: CellErrors
}
