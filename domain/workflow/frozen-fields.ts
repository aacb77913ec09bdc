import type { Collection } from '../collections/collection.ts'
import type { Field } from '../fields/field.ts'
import type { RecordValues } from '../records/record.ts'
import type { FieldId } from '../shared/ids.ts'
import { frozenFields } from './workflow.ts'

/** Those of some fields that are frozen where a record is. */
export function frozenAmong(
  collection: Collection,
  values: RecordValues,
  changed: readonly FieldId[],
): readonly Field[] {
  const { workflow, fields } = collection
  const state = workflow && values[workflow.field]
  if (workflow === undefined || typeof state !== 'string') return []
  return frozenFields(workflow, state, fields).filter(({ id }) => changed.includes(id))
}
