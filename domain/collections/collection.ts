import { type Field, type FieldKind, type FieldShape, shapeOf } from '../fields/field.ts'
import type { Rule } from '../rules/rule.ts'
import type { CollectionId, FieldId } from '../shared/ids.ts'
import type { Workflow } from '../workflow/workflow.ts'
import type { CollectionAppearance } from './collection-appearance.ts'

/** A set of records with the same fields. The ID never changes; name and label can. */
export type Collection = CollectionAppearance & {
  readonly id: CollectionId
  /** Used in URLs and by programs. */
  readonly name: string
  readonly label: string
  /** In display order. */
  readonly fields: readonly Field[]
  /** The field that names a record; null: the record's ID does. */
  readonly titleField: FieldId | null
  /** Absent: the status field, if any, is edited like a select. */
  readonly workflow?: Workflow
  readonly rules?: readonly Rule[]
  /** Increases with every change of the definition. */
  readonly version: number
}

/** Fixed by the specification. */
export const MAX_FIELDS = 500

export const fieldById = (collection: Collection, id: FieldId): Field | undefined =>
  collection.fields.find((field) => field.id === id)

export const fieldByName = (collection: Collection, name: string): Field | undefined =>
  collection.fields.find((field) => field.name === name)

export const findField = (collection: Collection, nameOrId: string): Field | undefined =>
  fieldByName(collection, nameOrId) ?? fieldById(collection, nameOrId)

const TITLE_SHAPES: readonly FieldShape[] = ['text', 'number', 'date', 'date-time']

/** Whether values are short and plain enough to name a record. */
export const canBeTitle = (kind: FieldKind): boolean => kind !== 'long-text' && TITLE_SHAPES.includes(shapeOf({ kind }))
