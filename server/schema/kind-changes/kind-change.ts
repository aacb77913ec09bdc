import type { Field } from '#domain/fields/field.ts'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'

/** A change of a field's kind that a job carries out. */
export type KindChange = {
  /** Id of the job. */
  readonly job: string
  readonly collection: CollectionId
  readonly field: FieldId
  /** What the field becomes. */
  readonly next: Field
  /** Its new place among the fields, 0 for the first; null where it keeps its place. */
  readonly position: number | null
  readonly acceptLoss: boolean
  /** What the field becomes, under the id whose columns nothing reads; there the converted values wait. */
  readonly shadow: Field
}
