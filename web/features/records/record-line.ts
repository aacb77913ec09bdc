import type { RecordLineBody } from '#api/records.ts'
import type { Faults } from './cells/cell-edits.ts'

/** A record in a list. */
export type RecordLine = {
  readonly record: RecordLineBody
  /** Its place in the whole list, counted from 0. */
  readonly ordinal: number
  /** What is wrong with its cells, by field. */
  readonly faults?: Faults
}
