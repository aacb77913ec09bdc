import type { Actor } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { currentActor } from '#server/access/rights/current-actor.ts'
import type { BulkDeps } from '#server/records/bulk/bulk-deps.ts'
import type { StoredJob } from './stored-job.ts'

/** The owner of a job with their current permissions. */
export async function jobActor(deps: BulkDeps, { actor }: StoredJob): Promise<Actor> {
  const now = await currentActor(deps, actor)
  if (now) return now
  throw new Problem('forbidden', 'The user who started this job no longer has access.')
}

/** Whether this process still runs a job: not canceled, and not taken over. */
export const isOwnedByThisProcess = ({ self }: BulkDeps, job: StoredJob | undefined): job is StoredJob =>
  job?.state === 'running' && job.runner?.token === self.token
