import type { Field } from '#domain/fields/field.ts'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'

export type KindChange = {
  readonly job: string
  readonly collection: CollectionId
  readonly field: FieldId
  readonly next: Field
  readonly position: number | null
  readonly acceptLoss: boolean
  /** The new field, under the ID of the shadow columns, which nothing else reads. */
  readonly shadow: Field
}
