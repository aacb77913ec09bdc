import type { FieldValue } from '../fields/field.ts'
import type { CollectionId, FieldId, RecordId, UserId } from '../shared/ids.ts'

/** What a record holds, by field id. A field that is missing here is empty. */
export type RecordValues = { readonly [field: FieldId]: FieldValue }

/** One dossier: an item of a collection. */
export type CollectionRecord = {
  readonly id: RecordId
  readonly collection: CollectionId
  /** Counts up with every change; a save that names an older one is refused. */
  readonly version: number
  readonly createdAt: string
  readonly createdBy: UserId | null
  readonly updatedAt: string
  readonly updatedBy: UserId | null
  readonly values: RecordValues
}
