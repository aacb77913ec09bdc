import type { z } from 'zod'
import type { RecordBody, recordMarks } from '#api/records.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { type RecordMarks, marksIn } from '#domain/query/list/search-marks.ts'
import { type CheckedSearch, searchedAs } from '#domain/query/list/search.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { type RecordViewer, type ShowOptions, showRecords } from '#server/records/show/show-records.ts'

/** A collection with only its searched fields and its title. */
export const searchedPart = (collection: Collection, hidden: HiddenFields): Collection => ({
  ...collection,
  fields: collection.fields.filter(
    (field) => !hidden.has(field.id) && (isSearched(field) || field.id === collection.titleField),
  ),
})

const isSearched = (field: Field): boolean => searchedAs(field) !== 'nothing'

export const marksOnWire = (found: HighlightedRecord | undefined): z.input<typeof recordMarks> =>
  Object.fromEntries(
    Object.entries(found?.marks ?? {}).map(([name, marks]) => [name, marks.map((mark) => [...mark] as number[])]),
  )

export type HighlightedRecord = {
  readonly record: RecordBody
  readonly marks: RecordMarks
}

/** Highlights matches in values visible to the actor; the records must include all searched fields. */
export async function findHighlights(
  deps: RecordDeps,
  viewer: RecordViewer,
  records: readonly CollectionRecord[],
  { search, hidden }: { readonly search: CheckedSearch; readonly hidden: HiddenFields },
): Promise<HighlightedRecord[]> {
  const { fields } = searchedPart(viewer.collection, hidden)
  const names = new Set(fields.map(({ name }) => name))
  const showing: ShowOptions = {
    form: { choices: 'name', richText: 'text' },
    expand: names,
    fields: names,
    reverse: deps.isPast !== true,
  }
  const terms = search.terms.map(({ text }) => text)
  const shown = await showRecords(deps, viewer, records, showing)
  return shown.map((record) => ({ record, marks: marksIn(record.values, terms, fields.filter(isSearched)) }))
}
