import { formulaInputs } from '#domain/formulas/formula-inputs.ts'
import { readsClock } from '#domain/formulas/expression.ts'
import {
  conditionsIn,
  conditionsOn,
  type CheckedNode,
  sourcesOf,
  type Leaf,
  storedFieldsAt,
} from '../query/check/checked-filter.ts'
import type { FieldValue } from '../fields/field.ts'
import type { FieldId } from '../shared/ids.ts'
import { sameJson } from '../shared/json.ts'
import type { RecordValues } from './record.ts'

export const HISTORY_KINDS = ['created', 'changed', 'moved', 'deleted', 'restored'] as const

export type HistoryKind = (typeof HISTORY_KINDS)[number]

/** An entry of the change log about a record. Changes contain only the changed fields, the others all values. */
export type HistoryEntry = {
  readonly kind: HistoryKind
  readonly before: RecordValues | null
  readonly after: RecordValues | null
}

/** All values of a record before and after an entry; null while it doesn't exist. */
export type EntryStates = { readonly before: RecordValues | null; readonly after: RecordValues | null }

/** The states of a record around each entry, calculated backwards from its current values. Entries are newest first. */
export function entryStates(current: RecordValues | null, entries: readonly HistoryEntry[]): EntryStates[] {
  const states: EntryStates[] = []
  let after = current
  for (const entry of entries) {
    const state = { before: stateBefore(entry, after), after: stateAfter(entry, after) }
    states.push(state)
    after = state.before
  }
  return states
}

const stateAfter = ({ kind, after }: HistoryEntry, known: RecordValues | null): RecordValues | null =>
  kind === 'deleted' ? null : { ...known, ...after }

export function stateBefore({ kind, before, after }: HistoryEntry, known: RecordValues | null): RecordValues | null {
  if (kind === 'created' || kind === 'restored') return null
  return kind === 'deleted' ? before : { ...known, ...after, ...before }
}

export type Doubts = { readonly [side in keyof EntryStates]: ReadonlySet<FieldId> }

/**
 * Fields whose calculated value around each entry is doubtful: an older entry gave them another value, so they were
 * changed in between without an entry, for example when an option was deleted. Entries are newest first; `isComparable`
 * tells whether a field has had the same type since an entry.
 */
export function doubtfulFields<Entry extends HistoryEntry>(
  current: RecordValues | null,
  entries: readonly Entry[],
  isComparable: (entry: Entry, field: FieldId) => boolean = () => true,
): Doubts[] {
  const states = entryStates(current, entries)
  const doubts: Doubts[] = []
  // Fields that differ at the next older entry that contains them.
  let older: ReadonlySet<FieldId> = new Set()
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const entry = entries[at]
    const own = entry?.after ?? {}
    const assumed = at === 0 ? current : (states[at - 1]?.before ?? null)
    const after = new Set([...older].filter((field) => !Object.hasOwn(own, field)))
    doubts.unshift({ before: older, after })
    const differing = Object.keys(own).filter(
      (field) =>
        entry &&
        assumed !== null &&
        isComparable(entry, field) &&
        !sameJson(filled(assumed[field]), filled(own[field])),
    )
    older = new Set([...after, ...differing])
  }
  return doubts
}

/** The fields that an entry changed; all filled fields of a created, deleted or restored record. */
export function changedFields({ before, after }: EntryStates): readonly FieldId[] {
  const fields = Object.keys({ ...before, ...after })
  return fields.filter((field) => !sameJson(filled(before?.[field]), filled(after?.[field])))
}

/** Empty lists and missing values are the same. */
const filled = (value: FieldValue | undefined): FieldValue =>
  value === undefined || (Array.isArray(value) && value.length === 0) ? null : value

/** Whether a value depends only on fields, and neither on properties of the record nor on the time. */
function dependsOnFields(leaf: Leaf): boolean {
  if (leaf.type === 'system') return false
  const { expression } = leaf.computed ?? {}
  if (expression === undefined) return true
  return !readsClock(expression) && formulaInputs(expression).every(({ node }) => node === 'field')
}

/**
 * The record's own fields on which a condition depends; undefined if it also depends on data that isn't in its values,
 * such as the time of the last change.
 */
export function fieldsDeciding(where: CheckedNode): ReadonlySet<FieldId> | undefined {
  const fields = new Set<FieldId>()
  for (const condition of conditionsIn(where)) {
    for (const source of sourcesOf(condition)) {
      const [first] = source.steps
      if (!first && !dependsOnFields(source.leaf)) return undefined
      for (const field of first ? [first.relation.id] : storedFieldsAt(source.leaf)) fields.add(field)
      // Conditions on linked records also contain those records' fields; a few fields too many do no harm.
      for (const field of conditionsOn(source).flatMap((node) => [...(fieldsDeciding(node) ?? [])])) fields.add(field)
    }
  }
  return fields
}
