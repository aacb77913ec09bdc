import type { Field, FieldKind } from '../fields/field.ts'
import type { Rule } from '../rules/rule.ts'
import type { CollectionId, FieldId } from '../shared/ids.ts'
import type { Workflow } from '../workflow/workflow.ts'
import type { CollectionAppearance } from './collection-appearance.ts'

/** A kind of thing the workspace keeps, defined by its owner. Ids never change; name and label may. */
export type Collection = CollectionAppearance & {
  readonly id: CollectionId
  /** In addresses and programs. */
  readonly name: string
  /** For people. */
  readonly label: string
  /** In the order people see them. */
  readonly fields: readonly Field[]
  /** The field that names a record to people; null falls back to the record's id. */
  readonly titleField: FieldId | null
  /** The way its records take; absent: their state, where there is one, is a value like any other. */
  readonly workflow?: Workflow
  /** What must hold in every record; absent: nothing besides what its fields say. */
  readonly rules?: readonly Rule[]
  /** Counts up with every change of the definition. */
  readonly version: number
}

/** Most fields of one collection (contract). */
export const MAX_FIELDS = 500

/** The field of that id, if the collection has it. */
export const fieldById = (collection: Collection, id: FieldId): Field | undefined =>
  collection.fields.find((field) => field.id === id)

/** The field of that name, if the collection has it. */
export const fieldByName = (collection: Collection, name: string): Field | undefined =>
  collection.fields.find((field) => field.name === name)

const TITLE_KINDS: readonly FieldKind[] = [
  'text',
  'email',
  'url',
  'phone',
  'number',
  'auto-number',
  'date',
  'date-time',
]

/** Whether values of a kind are short and plain enough to name a record. */
export const canBeTitle = (kind: FieldKind): boolean => TITLE_KINDS.includes(kind)
