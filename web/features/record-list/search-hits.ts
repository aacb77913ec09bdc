import type { Field } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { cellText } from '#web/shared/fields/client-value.ts'
import { LOCAL_FORMAT } from '#web/shared/formatting/local-format.ts'
import { recordTitle, valueText } from '#web/shared/fields/record-title.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { highlightedExcerpt } from '#web/field-kinds/value-highlights.tsx'
import { t } from '#web/i18n/t.ts'
import type { Span } from '#web/ui/grid/rows/row-window.ts'
import { describeHiddenHits } from '#web/views/listing/list-notices.tsx'

export type SearchStep = 1 | -1

/** A match in a cell; the column is undefined for matches in a card. */
type SearchHit = { readonly ordinal: number; readonly columnId: string | undefined }

type SearchedRows = {
  readonly span: Span
  /** Column IDs in display order. */
  readonly columnIds: readonly string[]
  /** The columns with a match in a row; undefined while the row is loading. */
  readonly hitsIn: (ordinal: number) => readonly (string | undefined)[] | undefined
}

/** Where to continue the search: after or before a cell, or at a row. */
type SearchStart = SearchHit & { readonly isWholeRow: boolean }

/**
 * Finds the next match row by row. `isLoading` means that the row must be loaded first; undefined means that there are
 * no more matches.
 */
export function nextHit(
  { span, columnIds, hitsIn }: SearchedRows,
  from: SearchStart,
  step: SearchStep,
): (SearchHit & { readonly isLoading?: true }) | undefined {
  const placeOf = (columnId: string | undefined) => (columnId === undefined ? -1 : columnIds.indexOf(columnId))
  const isBeyond = (columnId: string | undefined) => (placeOf(columnId) - placeOf(from.columnId)) * step > 0
  for (let { ordinal } = from; ordinal >= span.first && ordinal < span.end; ordinal += step) {
    const all = hitsIn(ordinal)
    if (all === undefined) return { ordinal, columnId: undefined, isLoading: true }
    const hits = ordinal === from.ordinal && !from.isWholeRow ? all.filter(isBeyond) : all
    if (hits.length > 0) return { ordinal, columnId: step === 1 ? hits[0] : hits.at(-1) }
  }
  return undefined
}

const hasMark = ({ marks }: RecordRow['record'], name: string): boolean =>
  marks !== undefined && Object.hasOwn(marks, name)

/**
 * The columns with a match in a row. A match in a hidden field or a file counts as a match in the first column, or in
 * the card.
 */
export function hitColumns(
  { fields }: TypedCollection,
  { record }: RecordRow,
  columnIds: readonly string[],
): readonly (string | undefined)[] {
  // Records created or changed in this tab have no search results yet.
  if (record.marks === undefined) return []
  const isHit = (id: string) => fields.some((field) => field.id === id && hasMark(record, field.name))
  const hits = columnIds.filter(isHit)
  return hits.length > 0 ? hits : [columnIds[0]]
}

/** Maximum number of characters of an announced value. */
const MAX_LENGTH = 80

/** If a field has several values, returns the one with the match. */
function matchedText(field: Field, stored: unknown, entry = 0): string {
  const value = Array.isArray(stored) ? stored.slice(entry, entry + 1) : stored
  return valueText(field, value) || cellText(field, value, LOCAL_FORMAT.decimal)
}

/** Example: “Project: “Harbour”, row 7”. */
export function describeHit(collection: TypedCollection, { record, ordinal }: RecordRow, columnId?: string): string {
  const row = ordinal + 1
  const marked = collection.fields.filter(({ name }) => hasMark(record, name))
  const field = columnId === undefined ? marked[0] : marked.find(({ id }) => id === columnId)
  if (field) {
    const marks = record.marks?.[field.name] ?? []
    const ranges = marks.map(([from = 0, to = 0]) => [from, to] as const)
    const text = matchedText(field, record.values[field.name], marks[0]?.[2])
    const value = highlightedExcerpt(text, ranges).text.slice(0, MAX_LENGTH)
    return t('{field}: “{value}”, row {row}', { field: field.label, value, row })
  }
  const title = recordTitle(collection, record)
  if (marked.length === 0) return t('{title}, row {row}', { title, row })
  const place = describeHiddenHits(marked.map(({ label }) => label))
  return t('{title}, found {place}, row {row}', { title, place, row })
}
