import type { BulkDeps } from '#server/records/bulk/bulk-deps.ts'
import type { Transaction, WriteOptions } from '#server/platform/database/database.ts'
import { type StoredJob, updateJob } from './store.ts'

/** Ends a job early and removes what it prepared. Run it within `writeToEnd`. */
export async function endJob(
  { fieldConversion }: Pick<BulkDeps, 'fieldConversion'>,
  transaction: Transaction,
  job: StoredJob,
  end: Pick<StoredJob, 'state' | 'endedAt'> & Partial<Pick<StoredJob, 'failure'>>,
): Promise<void> {
  await updateJob(transaction, job, end)
  if (job.task.does === 'change-field') await fieldConversion.abandon(transaction, job.id)
}

/** Options of the write that ends a job: it can drop columns, and the job's next batch must not overtake it. */
export const endJobWriteOptions = ({ task }: StoredJob): WriteOptions =>
  task.does === 'change-field' ? { alone: 'definitions', locksItself: true } : {}
