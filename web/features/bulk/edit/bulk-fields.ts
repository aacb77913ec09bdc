import type { Field } from '#domain/fields/field.ts'
import { holdsList } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { canBeCleared, isSetByWorkflow } from '#web/shared/fields/editable-cells.ts'

export type BulkAction = 'set' | 'add' | 'take' | 'empty'

/** Files belong to one record, and auto numbers to the server. */
export const bulkFields = (collection: TypedCollection): readonly Field[] =>
  collection.fields.filter(
    (field) =>
      field.kind !== 'files' &&
      field.kind !== 'auto-number' &&
      !field.unique &&
      !isSetByWorkflow(collection, field) &&
      collection.closed?.[field.name]?.update !== 'wholly',
  )

export function bulkActionsOf(field: Field): readonly BulkAction[] {
  const isList = holdsList(field)
  const empties = field.kind !== 'checkbox' && canBeCleared(field)
  return ['set', ...(isList ? (['add', 'take'] as const) : []), ...(empties ? (['empty'] as const) : [])]
}
