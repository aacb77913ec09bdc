import type { Field, FieldKind } from '#domain/fields/field.ts'
import type { ClientValueOf } from './kind-traits.ts'
import { KIND_TRAITS, traitsOf } from './kinds.ts'

export const toClientValue = <Kind extends FieldKind>(kind: Kind, value: unknown): ClientValueOf[Kind] =>
  KIND_TRAITS[kind].read(value)

/** Converts relations, users and files to their ids. */
export function toWireValue(field: Field, value: unknown): unknown {
  const { toWire } = traitsOf(field)
  return toWire ? toWire(value, field) : value
}

/** Checkboxes are never empty. */
export function isEmptyClientValue(kind: FieldKind, value: unknown): boolean {
  const shown = toClientValue(kind, value)
  return shown === null || (kind !== 'json' && Array.isArray(shown) && shown.length === 0)
}

/**
 * The value as exported text, which can be pasted again; `decimal` is the separator that the user's spreadsheet
 * expects.
 */
export const cellText = (field: Field, value: unknown, decimal = '.'): string =>
  value === null || value === undefined ? '' : traitsOf(field).copyText(value, field, decimal)

/** Converts the given fields' values to the form sent to the server. */
export const wireValues = (fields: readonly Field[], values: { readonly [field: string]: unknown }) =>
  Object.fromEntries(
    fields.flatMap((field) =>
      Object.hasOwn(values, field.name) ? [[field.name, toWireValue(field, values[field.name])] as const] : [],
    ),
  )
