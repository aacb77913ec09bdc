import { MAX_LABEL_LENGTH } from '../collections/names.ts'
import { foldText } from '../shared/fold-text.ts'
import type { DetectedKind } from './detect-kind.ts'

/** A column as a look at the file found it. */
export type InspectedColumn = { readonly header: string; readonly kind: string; readonly emptyCount: number }

/** A label for each column of a file, different from one another: its header, else its place. */
export function columnLabels(columns: readonly InspectedColumn[]): string[] {
  const taken = new Set<string>()
  return columns.map(({ header }, at) => {
    const label = header.trim().slice(0, MAX_LABEL_LENGTH - 5) || `Column ${at + 1}`
    let free = label
    for (let count = 2; taken.has(foldText(free)); count += 1) free = `${label} ${count}`
    taken.add(foldText(free))
    return free
  })
}

const TITLE_KIND: DetectedKind['kind'] = 'text'

/** The column that most likely names the records: the first with a line of text in every row, else in some. */
export function guessTitleColumn(columns: readonly InspectedColumn[]): number | null {
  const full = columns.findIndex(({ kind, emptyCount }) => kind === TITLE_KIND && emptyCount === 0)
  const some = full === -1 ? columns.findIndex(({ kind }) => kind === TITLE_KIND) : full
  return some === -1 ? null : some
}
