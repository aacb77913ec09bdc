import type { Collection } from '#domain/collections/collection.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { changeByJob, changeIn, loadChanges } from './kind-changes-store.ts'
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

/** The change of kind that a job carries out, as long as it is under way. */
export const kindChangeOf = (reader: Reader, job: string): Promise<KindChange | undefined> => changeByJob(reader, job)

/** Every change of kind that is under way. */
export const kindChanges = (reader: Reader): Promise<KindChange[]> => loadChanges(reader)

/** Refuses whatever changes the fields of a collection while the kind of one of them is being changed. */
export async function assertNoKindChange(reader: Reader, { id, label }: Collection): Promise<void> {
  const change = await changeIn(reader, id)
  if (!change) return
  throw new Problem(
    'change-running',
    `The field type of ${change.next.label} in ${label} is being changed. Wait until that finishes, or cancel it first.`,
    { extra: { job: change.job, field: change.next.name } },
  )
}
