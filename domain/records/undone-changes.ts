import type { Field } from '../fields/field.ts'
import { isEmptyValue, startingValue } from '../fields/kinds.ts'
import type { FieldId } from '../shared/ids.ts'
import { sameJson } from '../shared/json.ts'
import type { HistoryEntry } from './record-history.ts'
import type { RecordValues } from './record.ts'

/** The changed fields of a record, before and after a change set. */
export type ChangedValues = { readonly before: RecordValues; readonly after: RecordValues }

/** What undoing a change set does to one record. */
export type UndoStep =
  /** Deletes the record if it still has these values. */
  | { readonly does: 'delete'; readonly values: RecordValues }
  | { readonly does: 'restore' }
  | ({ readonly does: 'change' } & ChangedValues)
  | { readonly does: 'nothing' }

/** The step for a record, from its entries in the change set, oldest first. */
export function undoStepFor(entries: readonly HistoryEntry[]): UndoStep {
  const [first, last] = [entries[0], entries.at(-1)]
  const existed = first !== undefined && first.kind !== 'created' && first.kind !== 'restored'
  const exists = last !== undefined && last.kind !== 'deleted'
  if (!existed && !exists) return { does: 'nothing' }
  if (!exists) return { does: 'restore' }
  const after: RecordValues = Object.assign({}, ...entries.map((entry) => entry.after))
  return existed ? { does: 'change', before: firstValues(entries), after } : { does: 'delete', values: after }
}

/** The values of all changed fields before the first of these entries that changed them; entries are oldest first. */
const firstValues = (entries: readonly Pick<HistoryEntry, 'before'>[]): RecordValues =>
  Object.assign({}, ...entries.map(({ before }) => before).toReversed())

/** The fields that still have the value that the change set gave them, and those that were changed since. */
export function undoableFields(
  current: RecordValues,
  { before, after }: ChangedValues,
): { readonly back: readonly FieldId[]; readonly changedSince: readonly FieldId[] } {
  const differing = Object.keys(before).filter((field) => !isSame(before[field], current[field]))
  const back = differing.filter((field) => isSame(current[field], after[field]))
  return { back, changedSince: differing.filter((field) => !back.includes(field)) }
}

/** Whether a record has these values, and nothing but empty and default values in the other fields. */
export const hasOnlyValues = (fields: readonly Field[], current: RecordValues, values: RecordValues): boolean =>
  fields.every((field) => {
    const value = current[field.id] ?? null
    if (Object.hasOwn(values, field.id)) return isSame(value, values[field.id])
    return isEmptyValue(value) || isSame(value, startingValue(field))
  })

/** Whether a record still has, or has again, the values from before these entries. */
export function isAsBefore(
  fields: readonly Field[],
  current: RecordValues,
  entries: readonly Pick<HistoryEntry, 'before'>[],
): boolean {
  const first = firstValues(entries)
  return fields.every(({ id }) => !Object.hasOwn(first, id) || isSame(first[id], current[id]))
}

const isSame = (one: RecordValues[FieldId] | undefined, other: RecordValues[FieldId] | undefined): boolean =>
  sameJson(one ?? null, other ?? null)
