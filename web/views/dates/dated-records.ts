import type { Field } from '#domain/fields/field.ts'
import { type DateFields, dateKindOf } from '#domain/views/dates/date-fields.ts'
import {
  type DateKind,
  type DateSpan,
  type DateValues,
  readDateValues,
  spanOfDates,
} from '#domain/views/dates/date-span.ts'
import { firstWeekdayOf } from '#domain/views/dates/periods.ts'
import { LOCALE } from '#web/i18n/locale.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { isWritable } from '#web/shared/fields/editable-cells.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { LOCAL_FORMAT } from '#web/shared/formatting/local-format.ts'

export const TIME_ZONE = LOCAL_FORMAT.timeZone
export const FIRST_WEEKDAY = firstWeekdayOf(LOCALE)

/** The fields that place the records of a list in time. */
export type DatedFields = { readonly start: Field; readonly end: Field | undefined; readonly kind: DateKind }

/** Undefined if no start is chosen, or if it no longer exists. */
export function datedFieldsOf(
  { fields }: Pick<TypedCollection, 'fields'>,
  { start, end }: DateFields,
): DatedFields | undefined {
  const first = fields.find(({ id }) => id === start)
  const kind = first && dateKindOf(first)
  if (first === undefined || kind === undefined) return undefined
  const last = fields.find((field) => field.id === end && dateKindOf(field) === kind)
  return { start: first, end: last, kind }
}

/** A record with its place in time. */
export type DatedRecord = DateSpan & {
  readonly row: RecordRow
  readonly name: string
  readonly dates: DateValues
  readonly isMoving?: boolean
}

type Known = { readonly fields: DatedFields; readonly found: DatedRecord | undefined }

/** Rows keep their identity until they change, and are drawn again while they scroll. */
const known = new WeakMap<RecordRow, Known>()

/** Undefined for records without a date. */
export function datedRecord(collection: TypedCollection, fields: DatedFields, row: RecordRow): DatedRecord | undefined {
  const { start, end, kind } = fields
  const before = known.get(row)
  if (before?.fields.start === start && before.fields.end === end) return before.found
  const { values } = row.record
  const dates = readDateValues(kind, values[start.name], end && values[end.name])
  const found = dates && placedRecord(collection, kind, row, dates)
  known.set(row, { fields, found })
  return found
}

export const placedRecord = (
  collection: TypedCollection,
  kind: DateKind,
  row: RecordRow,
  dates: DateValues,
): DatedRecord => ({
  ...spanOfDates(kind, dates, TIME_ZONE),
  row,
  name: recordTitle(collection, row.record),
  dates,
})

/** Whether the user may move a record, and whether its ends can be moved separately. */
export type MayMove = { readonly all: boolean; readonly start: boolean; readonly end: boolean }

export function mayMove(collection: TypedCollection, { start, end }: DatedFields, { record }: RecordRow): MayMove {
  const mayStart = isWritable(collection, start, record)
  const mayEnd = end !== undefined && isWritable(collection, end, record)
  const hasEnd = end !== undefined && record.values[end.name] !== null
  return { all: mayStart && (mayEnd || !hasEnd), start: mayStart && end !== undefined, end: mayEnd }
}

/** The changed values by field name. */
export function changedDates({ start, end }: DatedFields, before: DateValues | undefined, after: DateValues) {
  return {
    ...(after.start !== before?.start && { [start.name]: after.start }),
    ...(end && after.end !== (before?.end ?? null) && { [end.name]: after.end }),
  }
}
