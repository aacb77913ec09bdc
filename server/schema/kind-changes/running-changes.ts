import type { Collection } from '#domain/collections/collection.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { type KindChange, changeByJob, changeIn, loadChanges } from './kind-changes-store.ts'

export const kindChangeOf = (reader: Reader, job: string): Promise<KindChange | undefined> => changeByJob(reader, job)

export const kindChanges = (reader: Reader): Promise<KindChange[]> => loadChanges(reader)

/** Rejects changes to the fields of a collection while the kind of one of them is being changed. */
export async function assertNoKindChange(reader: Reader, { id, label }: Collection): Promise<void> {
  const change = await changeIn(reader, id)
  if (!change) return
  throw new Problem(
    'change-running',
    `The field type of ${change.next.label} in ${label} is being changed. Wait until that finishes, or cancel it first.`,
    { extra: { job: change.job, field: change.next.name } },
  )
}
