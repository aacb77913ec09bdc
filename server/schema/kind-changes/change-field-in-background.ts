import type { CollectionBody, FieldChange } from '#api/collections.ts'
import type { Actor } from '#domain/access/actor.ts'
import { beginKindChange, planKindChange } from '#server/schema/kind-changes/begin-kind-change.ts'
import { type FieldPlace, changeField } from '#server/schema/fields/change-field.ts'
import { runInBackground, newJob } from '#server/records/jobs/start-job.ts'
import type { BulkDeps } from '#server/records/bulk/bulk-deps.ts'
import { insertJob } from '#server/records/jobs/store.ts'

/**
 * Story: change a field. Where its values have to be converted and are so many that others would wait, a job is made,
 * which is answered by its id; the field stays what it was until the job is over.
 */
export async function changeFieldInBackground(
  needs: BulkDeps,
  actor: Actor,
  place: FieldPlace,
  asked: FieldChange,
): Promise<CollectionBody | { readonly job: string }> {
  const long = await planKindChange(needs, actor, place, asked)
  if (!long) return changeField(needs, actor, place, asked)

  const job = needs.newId()
  await beginKindChange(needs, actor, { place, change: long.change, job }, ({ transaction }, { collection, field }) =>
    insertJob(transaction, {
      ...newJob(needs, actor, { does: 'change-field', collection, field }),
      id: job,
      // Those who count go through all records twice.
      total: long.change.kind === 'auto-number' ? long.records * 2 : long.records,
    }),
  )
  runInBackground(needs, job)
  return { job }
}
