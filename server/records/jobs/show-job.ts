import type { JobBody } from '#api/bulk.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { decide, holds } from '#domain/access/decide.ts'
import type { Permission } from '#domain/access/permission.ts'
import { readsEach, readsWhole } from '#domain/access/unreadable-fields.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { fieldsNamed } from '#domain/records/check-values.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import type { BulkDeps } from '#server/records/bulk/bulk-deps.ts'
import { endJob, endJobWriteOptions } from './end-job.ts'
import { skippedBody } from '#server/records/bulk/skipped-records.ts'
import { findJob, lockJob, listUserJobs, runningJobs } from './store.ts'
import type { StoredJob } from './stored-job.ts'

/** Story: how far a job is. One that is over is told once everything here knows what it did. */
export async function readJob(needs: BulkDeps, actor: Actor, id: string): Promise<JobBody> {
  const job = assertVisible(actor, await findJob(needs.database.read, id))
  if (job.state !== 'running') await needs.jobs.get(id)?.over
  return shownTo(actor, await needs.definitions.current(), job)
}

/** Story: end a job, and say what it did until then. One that is over is told as it ended. */
export async function cancelJob(needs: BulkDeps, actor: Actor, id: string): Promise<JobBody> {
  const { database, clock } = needs
  const found = assertVisible(actor, await findJob(database.read, id))
  const definitions = await needs.definitions.current()
  return database.write(async (transaction) => {
    const job = assertVisible(actor, await lockJob(transaction, id))
    if (job.state !== 'running') return shownTo(actor, definitions, job)
    const cancelled = { state: 'cancelled', endedAt: clock().toISOString() } as const
    await endJob(transaction, job, cancelled)
    return shownTo(actor, definitions, { ...job, ...cancelled })
  }, endJobWriteOptions(found))
}

/** How long one's own jobs are listed after their end, in ms. */
const LISTED_FOR_MS = 24 * 60 * 60 * 1000
/** Most of one's own jobs that are listed. */
const MAX_LISTED = 50

/** Story: one's own jobs everywhere, under way or just over. */
export async function listOwnJobs(needs: BulkDeps, actor: Actor): Promise<JobBody[]> {
  const userId = userIdOf(actor)
  if (userId === null) return []
  const endedSince = new Date(needs.clock().getTime() - LISTED_FOR_MS).toISOString()
  const atWork = [...needs.jobs]
  const found = await listUserJobs(needs.database.read, userId, { endedSince, limit: MAX_LISTED })
  await Promise.all(
    atWork.filter(([id]) => found.some((job) => job.id === id && job.endedAt)).map(([, { over }]) => over),
  )
  const definitions = await needs.definitions.current()
  return found.filter((job) => isVisible(actor, job)).map((job) => shownTo(actor, definitions, job))
}

/** Story: what goes on in a collection, as far as the actor may know of it. */
export async function listJobs(needs: BulkDeps, actor: Actor, collection: string): Promise<JobBody[]> {
  const { database, jobs } = needs
  const atWork = [...jobs]
  const running = await runningJobs(database.read)
  // What just ended here is no more told as running once everything here knows what it did.
  const ended = atWork.filter(([id]) => !running.some((job) => job.id === id))
  await Promise.all(ended.map(([, { over }]) => over))
  const definitions = await needs.definitions.current()
  const theirs = running.filter((job) => job.collection === collection && isVisible(actor, job))
  return theirs.map((job) => shownTo(actor, definitions, job))
}

/** The job, if the actor may know of it; for others there is none. */
function assertVisible(actor: Actor, job: StoredJob | undefined): StoredJob {
  if (!job || !isVisible(actor, job)) throw new Problem('not-found', 'Job not found.')
  return job
}

/** A job is for whoever began it and whoever manages the workspace; a change of a field for all who manage fields there. */
const isVisible = (actor: Actor, job: StoredJob): boolean =>
  isOwn(actor, job) ||
  holds(actor, 'workspace:manage') ||
  (job.task.does === 'change-field' && hasJobPermission(actor, job))

/** Whether somebody's own job is shown to them: to a token of theirs only if it could have begun it. */
const isOwn = (actor: Actor, job: StoredJob): boolean =>
  job.userId === userIdOf(actor) &&
  (actor.type !== 'user' || actor.scopes === undefined || hasJobPermission(actor, job))

const hasJobPermission = (actor: Actor, { task, collection }: StoredJob): boolean =>
  decide(actor, permissionFor(task), { id: collection, fields: [] }).allowed

function permissionFor({ does }: StoredJob['task']): Permission {
  if (does === 'change-field') return 'collections:manage'
  return does === 'restore' ? 'records:delete' : `records:${does}`
}

/** To whoever did not begin it, a job tells of values and their numbers only what they read as well. */
function shownTo(actor: Actor, definitions: Definitions, job: StoredJob): JobBody {
  const collection = definitions.byId.get(job.collection)
  const told = jobBody(job, collection)
  const { task, userId } = job
  const readsAll = (of: Collection): boolean =>
    task.does === 'change-field' ? readsWhole(actor, of, task.field) : readsEach(actor, of)
  if (userId === userIdOf(actor)) return told
  // What it does, and why records were refused, was said to its beginner, who may read other fields.
  const others = { ...told, fields: [], to: null, refused: [] }
  if (collection && readsAll(collection)) return others
  const failure = job.failure === null ? null : 'This couldn’t be completed. Ask the user who started it.'
  return { ...others, total: null, done: 0, lost: null, failure }
}

function jobBody(job: StoredJob, home: Collection | undefined): JobBody {
  const { id, task, collection, state, total, done, failure, lost, createdAt, endedAt } = job
  const refused = job.refused.map(skippedBody)
  const times = { createdAt, endedAt }
  const how = { id, does: task.does, collection, state, total, done, refused, failure, lost, ...times }
  if (task.does === 'change-field') return { ...how, field: task.field, fields: [], to: null }
  if (task.does === 'restore') return { ...how, field: null, fields: [], to: null }
  const named = home ? fieldsNamed(home, { ...task.values, ...task.add, ...task.take }) : []
  return { ...how, field: null, fields: named.map((field) => field.id), to: task.move?.to ?? null }
}
