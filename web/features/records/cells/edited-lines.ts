import type { RecordLineBody } from '#api/records.ts'
import type { RecordLine } from '../record-line.ts'
import type { EditsShown } from './cell-edits.ts'

/** Lines with edits laid over them, by the line they were laid over: the same one as long as nothing changes. */
const laid = new WeakMap<RecordLine, RecordLine>()

/** A line of the list with what was edited in it. */
export function withEdit<Line extends RecordLine | undefined>(line: Line, edits: EditsShown): RecordLine | Line {
  const over = line && edits.over(line.record)
  if (!line || !over) return line
  const known = laid.get(line)
  if (known?.record === over.record && known.faults === over.faults) return known
  const edited: RecordLine = { ...line, record: over.record, faults: over.faults }
  laid.set(line, edited)
  return edited
}

/** The lines of a page with what was edited in them. */
export const withEdits = (lines: readonly RecordLine[], edits: EditsShown): readonly RecordLine[] =>
  lines.map((line) => withEdit(line, edits))

/** The lines of records that were just made here, below a list that does not know them yet. */
export function linesMade(
  made: readonly RecordLineBody[],
  known: readonly RecordLineBody[],
  firstOrdinal: number,
): readonly RecordLine[] {
  const fresh = made.filter(({ id }) => known.every((record) => record.id !== id))
  return fresh.map((record, at) => ({ record, ordinal: firstOrdinal + at }))
}
