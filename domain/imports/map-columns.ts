import type { Collection } from '../collections/collection.ts'
import { type Field, type FieldKind, isEntered } from '../fields/field.ts'
import type { HiddenFields } from '../records/check-values.ts'
import { foldText } from '../shared/text.ts'
import { unguardFormula } from './print-csv.ts'
import { MAX_LABEL_LENGTH } from '../collections/names.ts'
import type { DetectedColumn } from './detect-kind.ts'

/**
 * Maps columns to fields by name, then by label, then ignoring case and accents. Each field is mapped to at most one
 * column.
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

/**
 * Exports contain files, auto numbers and computed values, but imports can't set them: CSV can't contain files, and the
 * server assigns the others.
 */
export const isImportable = (kind: FieldKind): boolean =>
  kind !== 'files' && kind !== 'auto-number' && isEntered({ kind })

const MATCHERS: readonly ((field: Field, header: string) => boolean)[] = [
  (field, header) => field.name === header,
  (field, header) => field.label === header,
  // An export may have escaped the label as a formula.
  (field, header) => field.label === unguardFormula(header),
  (field, header) => {
    const folded = foldText(header)
    return folded !== '' && (foldText(field.label) === folded || foldText(field.name) === folded)
  },
]

export type InspectedColumn = { readonly header: string; readonly kind: string }

/** Unique column labels: the header, or the column's position. */
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

const TITLE_KIND: DetectedColumn['kind'] = 'text'

/** Picks the first text column, otherwise the first column. */
export function guessTitleColumn(columns: readonly InspectedColumn[]): number | null {
  const text = columns.findIndex(({ kind }) => kind === TITLE_KIND)
  if (text !== -1) return text
  return columns.length > 0 ? 0 : null
}
