import type { JobBody } from '#api/bulk.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { holds } from '#domain/access/decide.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { BulkNeeds } from './bulk-needs.ts'
import { changeJob, findJob, holdJob } from './store.ts'
import type { StoredJob } from './stored-job.ts'

/** Story: how far a job is. */
export const readJob = async ({ database }: BulkNeeds, actor: Actor, id: string): Promise<JobBody> =>
  shown(visible(actor, await findJob(database.read, id)))

/** Story: end a job, and say what it did until then. One that is over is told as it ended. */
export const cancelJob = ({ database, clock }: BulkNeeds, actor: Actor, id: string): Promise<JobBody> =>
  database.write(async (transaction) => {
    const job = visible(actor, await holdJob(transaction, id))
    if (job.state !== 'running') return shown(job)
    const cancelled = { state: 'cancelled', endedAt: clock().toISOString() } as const
    await changeJob(transaction, job, cancelled)
    return shown({ ...job, ...cancelled })
  })

/** The job, for whoever began it and whoever manages the workspace; for others there is none. */
function visible(actor: Actor, job: StoredJob | undefined): StoredJob {
  const isVisible = job && (job.userId === userIdOf(actor) || holds(actor, 'workspace:manage'))
  if (!isVisible) throw new Problem('not-found', 'There is no such job.')
  return job
}

const shown = ({ id, task, collection, state, total, done, failure, createdAt, endedAt }: StoredJob): JobBody => ({
  id,
  does: task.does,
  collection,
  state,
  total,
  done,
  failure,
  createdAt,
  endedAt,
})
