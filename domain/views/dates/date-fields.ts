import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { valueField } from '#domain/formulas/value-field.ts'
import type { RenameField } from '../view-kind.ts'

export type DateKind = 'date' | 'date-time'

/** The fields that place a record in time. */
export type DateFields = {
  /** Null: no field is chosen, or the reader can't see it. */
  readonly start: string | null
  /** Null: each record takes up the day of its start. */
  readonly end: string | null
}

export const NO_DATE_FIELDS: DateFields = { start: null, end: null }

/** The kind of a field's dates, including those of calculated fields; undefined if the field has none. */
export function dateKindOf(field: Field): DateKind | undefined {
  // Lookups can have several values.
  const kind = field.kind === 'lookup' ? undefined : valueField(field).kind
  return kind === 'date' || kind === 'date-time' ? kind : undefined
}

/** The first date field; null if there is none. */
export function startDateFields({ fields }: Pick<Collection, 'fields'>): DateFields | null {
  const first = fields.find((field) => dateKindOf(field) !== undefined)
  return first === undefined ? null : { start: first.id, end: null }
}

export const readDateFields = ({ start, end }: { readonly [option: string]: unknown }): DateFields => ({
  start: typeof start === 'string' ? start : null,
  end: typeof end === 'string' ? end : null,
})

export const renameDateFields = ({ start, end }: DateFields, rename: RenameField): DateFields => ({
  start: start === null ? null : (rename(start) ?? null),
  end: end === null ? null : (rename(end) ?? null),
})

type DateFieldsProblem = { readonly option: 'start' | 'end'; readonly message: string }

/** Compares the fields by ID. */
export function dateFieldsProblem(
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
