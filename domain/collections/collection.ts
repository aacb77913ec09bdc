import { type Field, type FieldKind, type FieldShape, shapeOf } from '../fields/field.ts'
import type { Rule } from '../rules/rule.ts'
import type { CollectionId, FieldId } from '../shared/ids.ts'
import type { Workflow } from '../workflow/workflow.ts'
import type { CollectionAppearance } from './collection-appearance.ts'
import type { RecordLayout } from './record-layout.ts'

/** Set of records with the same fields. The ID never changes, but the name and label can. */
export type Collection = CollectionAppearance & {
  readonly id: CollectionId
  /** Used in URLs and by API clients. */
  readonly name: string
  readonly label: string
  /** In display order. */
  readonly fields: readonly Field[]
  /** Field whose value is the record title; null: the record ID is the title. */
  readonly titleField: FieldId | null
  /** If absent, the collection has no workflow, and a status field can be edited like a select field. */
  readonly workflow?: Workflow
  readonly rules?: readonly Rule[]
  /** If absent, the fields of a record are in the order of `fields`, with long ones last. */
  readonly layout?: RecordLayout
  /** Incremented on every change to the definition. */
  readonly version: number
}

/** Limit set by the specification. */
export const MAX_FIELDS = 500

export const fieldById = (collection: Collection, id: FieldId): Field | undefined =>
  collection.fields.find((field) => field.id === id)

export const fieldByName = (collection: Collection, name: string): Field | undefined =>
  collection.fields.find((field) => field.name === name)

export const findField = (collection: Collection, nameOrId: string): Field | undefined =>
  fieldByName(collection, nameOrId) ?? fieldById(collection, nameOrId)

const TITLE_SHAPES: readonly FieldShape[] = ['text', 'number', 'date', 'date-time']

/** Whether values are short and simple enough to be a record title. */
export const canBeTitle = (kind: FieldKind): boolean => kind !== 'long-text' && TITLE_SHAPES.includes(shapeOf({ kind }))
