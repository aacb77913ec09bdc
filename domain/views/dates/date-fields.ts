import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { valueField } from '#domain/formulas/value-field.ts'
import type { RenameField, ViewKindRules } from '../view-kind.ts'
import type { DateKind } from './date-span.ts'
import { CALENDAR_PERIODS, type CalendarPeriod } from './periods.ts'
import { TIMELINE_ZOOMS, type TimelineZoom } from './timeline-scale.ts'

/** The fields that place a record in time. */
export type DateFields = {
  /** Null: no field is chosen, or the reader can't see it. */
  readonly start: string | null
  /** Null: each record takes up the day of its start. */
  readonly end: string | null
}

/** The kind of a field's dates, including those of calculated fields; undefined if the field has none. */
export function dateKindOf(field: Field): DateKind | undefined {
  // Lookups can have several values.
  const kind = field.kind === 'lookup' ? undefined : valueField(field).kind
  return kind === 'date' || kind === 'date-time' ? kind : undefined
}

/** The first date field; null if there is none. */
function startDateFields({ fields }: Pick<Collection, 'fields'>): DateFields | null {
  const first = fields.find((field) => dateKindOf(field) !== undefined)
  return first === undefined ? null : { start: first.id, end: null }
}

type Stored = { readonly [option: string]: unknown }

const readDateFields = ({ start, end }: Stored): DateFields => ({
  start: typeof start === 'string' ? start : null,
  end: typeof end === 'string' ? end : null,
})

const renameDateFields = ({ start, end }: DateFields, rename: RenameField): DateFields => ({
  start: start === null ? null : (rename(start) ?? null),
  end: end === null ? null : (rename(end) ?? null),
})

type DateFieldsProblem = { readonly option: 'start' | 'end'; readonly message: string }

/** Compares the fields by ID. */
function dateFieldsProblem(
  { start, end }: DateFields,
  { fields }: Pick<Collection, 'fields'>,
): DateFieldsProblem | null {
  const kindOf = (id: string) => {
    const field = fields.find((each) => each.id === id)
    return field && dateKindOf(field)
  }
  const first = start === null ? undefined : kindOf(start)
  if (start !== null && first === undefined) return { option: 'start', message: 'The start must be a date field.' }
  if (end === null) return null
  const last = kindOf(end)
  if (last === undefined) return { option: 'end', message: 'The end must be a date field.' }
  return start === null || last === first
    ? null
    : { option: 'end', message: 'The start and the end must both be dates, or both be dates with a time.' }
}

/** A view whose records have a place in time, with other options. */
const datedView = <Others extends object>(
  readOthers: (stored: Stored) => Others,
): ViewKindRules<DateFields & Others> => ({
  startFor: (collection) => {
    const fields = startDateFields(collection)
    return fields && { ...fields, ...readOthers({}) }
  },
  read: (stored) => ({ ...readDateFields(stored), ...readOthers(stored) }),
  renameFields: (options, rename) => ({ ...options, ...renameDateFields(options, rename) }),
  problem: dateFieldsProblem,
})

export type CalendarOptions = DateFields & { readonly period: CalendarPeriod }

export const calendar: ViewKindRules<CalendarOptions> = datedView(({ period }) => ({
  period: CALENDAR_PERIODS.find((known) => known === period) ?? 'month',
}))

/** Records are grouped as the list is. */
export type TimelineOptions = DateFields & { readonly zoom: TimelineZoom }

export const timeline: ViewKindRules<TimelineOptions> = datedView(({ zoom }) => ({
  zoom: TIMELINE_ZOOMS.find((known) => known === zoom) ?? 'month',
}))
