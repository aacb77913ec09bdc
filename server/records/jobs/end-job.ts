import { abandonKindChange } from '#server/schema/kind-changes/end-kind-change.ts'
import { kindChangeOf } from '#server/schema/kind-changes/running-changes.ts'
import type { Transaction, WriteOptions } from '#server/platform/database/database.ts'
import { type StoredJob, updateJob } from './store.ts'

/** Ends a job early and removes what it prepared. Run it within `writeToEnd`. */
export async function endJob(
  transaction: Transaction,
  job: StoredJob,
  end: Pick<StoredJob, 'state' | 'endedAt'> & Partial<Pick<StoredJob, 'failure'>>,
): Promise<void> {
  await updateJob(transaction, job, end)
  const change = await kindChangeOf(transaction.db, job.id)
  if (change) await abandonKindChange(transaction, change)
}

/** Options of the write that ends a job: it can drop columns, and the job's next batch must not overtake it. */
export const endJobWriteOptions = ({ task }: StoredJob): WriteOptions =>
  task.does === 'change-field' ? { alone: 'definitions', locksItself: true } : {}
