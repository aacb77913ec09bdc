import type { BeforeBody } from '#api/bulk.ts'
import type { Field } from '#domain/fields/field.ts'
import { emptyValue } from '#domain/fields/kinds.ts'
import { apiValue, DEFAULT_FORM } from '#domain/records/named-values.ts'
import { toClientValue, toWireValue } from '#web/shared/fields/client-value.ts'
import type { CellChange } from '#web/shared/cell-editing/store/cell-edits.ts'
import type { BulkAction } from './bulk-fields.ts'
import type { BulkBody } from '#web/shared/bulk-operations/selected-records.ts'

export type BulkEdit = { readonly field: Field; readonly way: BulkAction; readonly value: unknown }

export const emptyValueOf = (field: Field): unknown => apiValue(field, emptyValue(field), DEFAULT_FORM)

export function updateOf({ field, way, value }: BulkEdit): NonNullable<BulkBody['update']> {
  const sent = toWireValue(field, way === 'empty' ? emptyValueOf(field) : value) ?? null
  if (way === 'set' || way === 'empty') return { values: { [field.name]: sent } }
  return { [way]: { [field.name]: Array.isArray(sent) ? [...sent] : [sent] } }
}

/** The cell changes of an edit, given the previous values from the server. */
export function changesBy(edit: BulkEdit, before: readonly BeforeBody[]): readonly CellChange[] {
  const { name } = edit.field
  return before
    .filter(({ values }) => Object.hasOwn(values, name))
    .map(({ id, values }) => ({ record: id, field: name, was: values[name], is: afterOf(edit, values[name]) }))
}

function afterOf({ field, way, value }: BulkEdit, was: unknown): unknown {
  if (way === 'set') return value
  if (way === 'empty') return emptyValueOf(field)
  const [had, given] = [itemsOf(field, was), itemsOf(field, value)]
  const keys = new Set(given.map(keyOf))
  const others = had.filter((item) => !keys.has(keyOf(item)))
  if (way === 'take') return others
  const known = new Set(had.map(keyOf))
  return [...had, ...given.filter((item) => !known.has(keyOf(item)))]
}

function itemsOf(field: Field, value: unknown): readonly unknown[] {
  const shown = toClientValue(field.kind, value)
  return Array.isArray(shown) ? shown : []
}

/** People and records are equal by id, options by name. */
const keyOf = (item: unknown): unknown => (typeof item === 'object' && item !== null && 'id' in item ? item.id : item)
