import type { Actor } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { BulkNeeds } from './bulk-needs.ts'
import { findWorker } from './store.ts'
import type { StoredJob } from './stored-job.ts'

/** Who a job works for, with what they are granted at this moment. */
export async function actorNow({ database, grantsOf }: BulkNeeds, { actor }: StoredJob): Promise<Actor> {
  if (actor.type !== 'user') return actor
  const user = await findWorker(database.read, actor.userId)
  if (!user) throw new Problem('forbidden', 'Whoever began this may not come in any more.')
  return { ...actor, grants: grantsOf(user) }
}

/** Whether this program still carries a job out: it was not cancelled, and nobody took it over. */
export const isMine = ({ self }: BulkNeeds, job: StoredJob | undefined): job is StoredJob =>
  job?.state === 'running' && job.runner?.token === self.token
