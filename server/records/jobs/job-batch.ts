import type { Actor } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { currentActor } from '#server/identity/users/current-actor.ts'
import type { BatchSize, BulkDeps } from '#server/records/bulk/bulk-deps.ts'
import type { StoredJob } from './store.ts'

/** The owner of a job with their current permissions. */
export async function jobActor(deps: BulkDeps, { actor }: StoredJob): Promise<Actor> {
  const now = await currentActor(deps, actor)
  if (now) return now
  throw new Problem('forbidden', 'The user who started this job no longer has access.')
}

/** Whether this process still runs a job: it was neither canceled nor taken over. */
export const isOwnedByThisProcess = ({ self }: BulkDeps, job: StoredJob | undefined): job is StoredJob =>
  job?.state === 'running' && job.runner?.token === self.token

/**
 * Maximum duration of a batch in ms, including the wait for the write queue, because other writers wait for the whole
 * batch.
 */
const TARGET_MS = 40
/** Maximum number of records per batch. A thousand are allowed, but fewer keep each commit short. */
const MAX_RECORDS = 500
/** Minimum number of records per batch; the fixed cost would dominate smaller batches. */
const MIN_RECORDS = 25

export const INITIAL_BATCH_SIZE: BatchSize = { records: 50, waits: 0 }

/** The next batch size, which can at most double but shrinks immediately. */
export function nextBatchSize({ records }: BatchSize, changed: number, tookMs: number): BatchSize {
  const aimed = Math.floor((Math.max(changed, 1) * TARGET_MS) / Math.max(tookMs, 1))
  return { records: Math.max(MIN_RECORDS, Math.min(MAX_RECORDS, records * 2, aimed)), waits: 0 }
}
