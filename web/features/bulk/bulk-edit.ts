import type { BeforeBody } from '#api/bulk.ts'
import { type Field, holdsList, isEntered } from '#domain/fields/field.ts'
import { emptyValue } from '#domain/fields/kinds.ts'
import { DEFAULT_FORM, apiValue } from '#domain/records/named-values.ts'
import { toClientValue, toWireValue } from '#web/shared/fields/client-value.ts'
import type { CellChange } from '#web/shared/cell-editing/store/cell-edits.ts'
import type { BulkBody } from '#web/shared/bulk-operations/selected-records.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { canBeCleared, isSetByWorkflow } from '#web/shared/fields/editable-cells.ts'

export type BulkEdit = { readonly field: Field; readonly way: BulkAction; readonly value: unknown }

export const emptyValueOf = (field: Field): unknown => apiValue(field, emptyValue(field), DEFAULT_FORM)

export function updateOf(edits: readonly BulkEdit[]): NonNullable<BulkBody['update']> {
  const parts: Record<'values' | 'add' | 'take', Record<string, unknown>> = { values: {}, add: {}, take: {} }
  for (const { field, way, value } of edits) {
    const sent = toWireValue(field, way === 'empty' ? emptyValueOf(field) : value) ?? null
    if (way === 'set' || way === 'empty') parts.values[field.name] = sent
    else parts[way][field.name] = Array.isArray(sent) ? [...sent] : [sent]
  }
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0))
}

export const changesBy = (edits: readonly BulkEdit[], before: readonly BeforeBody[]): readonly CellChange[] =>
  edits.flatMap((edit) => {
    const { name } = edit.field
    return before
      .filter(({ values }) => Object.hasOwn(values, name))
      .map(({ id, values }) => ({ record: id, field: name, was: values[name], is: afterOf(edit, values[name]) }))
  })

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

/** Compares users and records by ID, and options by name. */
const keyOf = (item: unknown): unknown => (typeof item === 'object' && item !== null && 'id' in item ? item.id : item)

export type BulkAction = 'set' | 'add' | 'take' | 'empty'

/** Excludes files, which belong to one record, and values that the server assigns or calculates. */
export const bulkFields = (collection: TypedCollection): readonly Field[] =>
  collection.fields.filter(
    (field) =>
      field.kind !== 'files' &&
      field.kind !== 'auto-number' &&
      isEntered(field) &&
      !field.unique &&
      !isSetByWorkflow(collection, field) &&
      collection.closed?.[field.name]?.update !== 'wholly',
  )

export function bulkActionsOf(field: Field): readonly BulkAction[] {
  const isList = holdsList(field)
  const empties = field.kind !== 'checkbox' && canBeCleared(field)
  return ['set', ...(isList ? (['add', 'take'] as const) : []), ...(empties ? (['empty'] as const) : [])]
}
