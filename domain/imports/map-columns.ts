import type { Collection } from '../collections/collection.ts'
import type { Field, FieldKind } from '../fields/field.ts'
import type { HiddenFields } from '../records/check-values.ts'
import { foldText } from '../shared/text.ts'
import { unguardFormula } from './print-csv.ts'
import { MAX_LABEL_LENGTH } from '../collections/names.ts'
import type { DetectedKind } from './detect-kind.ts'

/**
 * The field each column of a file goes into, by its header: the field of that very name, else of that label, else of a
 * name or label that differs in case or accents only. Each field takes one column.
 */
export function mapColumns(
  headers: readonly string[],
  collection: Collection,
  hidden: HiddenFields,
): (Field | undefined)[] {
  const unmapped = new Set(collection.fields.filter((field) => isImportable(field.kind) && !hidden.has(field.id)))
  const mapped = headers.map((): Field | undefined => undefined)
  for (const matches of MATCHERS) {
    for (const [at, header] of headers.entries()) {
      const field = mapped[at] ?? [...unmapped].find((each) => matches(each, header.trim()))
      if (!field) continue
      mapped[at] = field
      unmapped.delete(field)
    }
  }
  return mapped
}

/** Files cannot be imported from a CSV, and auto numbers are assigned by the server; exports contain both. */
export const isImportable = (kind: FieldKind): boolean => kind !== 'files' && kind !== 'auto-number'

/** From the surest sign to the weakest. */
const MATCHERS: readonly ((field: Field, header: string) => boolean)[] = [
  (field, header) => field.name === header,
  (field, header) => field.label === header,
  // An export may have guarded it.
  (field, header) => field.label === unguardFormula(header),
  (field, header) => {
    const folded = foldText(header)
    return folded !== '' && (foldText(field.label) === folded || foldText(field.name) === folded)
  },
]

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
