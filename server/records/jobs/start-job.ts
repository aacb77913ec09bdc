import { type Actor, userIdOf } from '#domain/access/actor.ts'
import type { BulkDeps } from '#server/records/bulk/bulk-deps.ts'
import { runJob } from './run-job.ts'
import { insertJob, type StoredJob } from './store.ts'
import type { RestoreTask, Task } from '#server/records/bulk/task.ts'

export async function startJob(deps: BulkDeps, actor: Actor, task: Task | RestoreTask): Promise<string> {
  const job = newJob(deps, actor, task)
  await deps.database.write((transaction) => insertJob(transaction, job))
  runInBackground(deps, job.id)
  return job.id
}

export function newJob(deps: BulkDeps, actor: Actor, task: StoredJob['task']): StoredJob {
  const at = deps.clock().toISOString()
  return {
    id: deps.newId(),
    userId: userIdOf(actor),
    collection: task.collection,
    state: 'running',
    task,
    actor,
    total: null,
    done: 0,
    lastRecord: null,
    runner: deps.self,
    aliveAt: at,
    failure: null,
    lost: null,
    refused: [],
    createdAt: at,
    endedAt: null,
  }
}

export function runInBackground(deps: BulkDeps, id: string): void {
  const stop = new AbortController()
  const over = runJob(deps, id, stop.signal)
    // If the job can't be ended now, the job runner ends it later.
    .then(undefined, (error: unknown) => deps.log.error({ err: error, job: id }, 'job failed to resume'))
    .finally(() => deps.jobs.delete(id))
  deps.jobs.set(id, { stop, over })
}
