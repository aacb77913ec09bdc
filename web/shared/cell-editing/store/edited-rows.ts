import type { RecordListItem } from '#api/records.ts'
import type { RecordRow } from '#web/shared/cell-editing/record-row.ts'
import type { EditsSnapshot } from './cell-edits.ts'

/** Lines with edits laid over them, by the line they were laid over: the same one as long as nothing changes. */
const editedRows = new WeakMap<RecordRow, RecordRow>()

/** A line of the list with what was edited in it. */
export function applyEditsToRow<Line extends RecordRow | undefined>(
  line: Line,
  edits: EditsSnapshot,
): RecordRow | Line {
  const over = line && edits.over(line.record)
  if (!line || !over) return line
  const known = editedRows.get(line)
  if (known?.record === over.record && known.faults === over.faults) return known
  const edited: RecordRow = { ...line, record: over.record, faults: over.faults }
  editedRows.set(line, edited)
  return edited
}

/** The lines of a page with what was edited in them. */
export const applyEditsToRows = (lines: readonly RecordRow[], edits: EditsSnapshot): readonly RecordRow[] =>
  lines.map((line) => applyEditsToRow(line, edits))

/** The lines of records that were just made here, below a list that does not know them yet. */
export function createdRows(
  made: readonly RecordListItem[],
  known: readonly RecordListItem[],
  firstOrdinal: number,
): readonly RecordRow[] {
  const fresh = made.filter(({ id }) => known.every((record) => record.id !== id))
  return fresh.map((record, at) => ({ record, ordinal: firstOrdinal + at }))
}
