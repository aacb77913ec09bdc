import type { FieldValue } from '../fields/field.ts'
import type { CollectionId, FieldId, RecordId, UserId } from '../shared/ids.ts'

/** Values by field ID; missing fields are empty. */
export type RecordValues = { readonly [field: FieldId]: FieldValue }

export type CollectionRecord = {
  readonly id: RecordId
  readonly collection: CollectionId
  /** Incremented on every change; saving with an older version fails. */
  readonly version: number
  readonly createdAt: string
  readonly createdBy: UserId | null
  readonly updatedAt: string
  readonly updatedBy: UserId | null
  readonly values: RecordValues
}
