import * as api from '#api/bulk.ts'
import { can, signedIn } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { BulkDeps } from './bulk-deps.ts'
import { changeListed } from './change-listed.ts'
import { changeMatching, countMatching } from './change-matching.ts'
import { parseDocuments } from '#server/records/rich-text/parse-documents.ts'
import type { JobBody } from '#api/bulk.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { skippedBody } from './skipped-records.ts'
import { findJob, listUserJobs, lockJob, runningJobs, type StoredJob } from '#server/records/jobs/store.ts'
import { decide, hasPermission, readsAllRecords, readsFieldEverywhere } from '#domain/access/decide.ts'
import type { Permission } from '#domain/access/permission.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { fieldsNamed } from '#domain/records/check-values.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { endJob, endJobWriteOptions } from '#server/records/jobs/run-job.ts'

/** The status of a job. A job is reported as finished only after all caches include its changes. */
async function readJob(deps: BulkDeps, actor: Actor, id: string): Promise<JobBody> {
  const job = assertVisible(actor, await findJob(deps.database.read, id))
  if (job.state !== 'running') await deps.jobs.get(id)?.over
  return shownTo(actor, await deps.definitions.current(), job)
}

/** Cancels a job and returns its progress; a finished job is returned unchanged. */
async function cancelJob(deps: BulkDeps, actor: Actor, id: string): Promise<JobBody> {
  const { database, clock } = deps
  const found = assertVisible(actor, await findJob(database.read, id))
  const definitions = await deps.definitions.current()
  return database.write(async (transaction) => {
    const job = assertVisible(actor, await lockJob(transaction, id))
    if (job.state !== 'running') return shownTo(actor, definitions, job)
    const cancelled = { state: 'cancelled', endedAt: clock().toISOString() } as const
    await endJob(deps, transaction, job, cancelled)
    return shownTo(actor, definitions, { ...job, ...cancelled })
  }, endJobWriteOptions(found))
}

/** How long a user's finished jobs are listed, in ms. */
const LISTED_FOR_MS = 24 * 60 * 60 * 1000
const MAX_LISTED = 50

async function listOwnJobs(deps: BulkDeps, actor: Actor): Promise<JobBody[]> {
  const userId = userIdOf(actor)
  if (userId === null) return []
  const endedSince = new Date(deps.clock().getTime() - LISTED_FOR_MS).toISOString()
  const atWork = [...deps.jobs]
  const found = await listUserJobs(deps.database.read, userId, { endedSince, limit: MAX_LISTED })
  await Promise.all(
    atWork.filter(([id]) => found.some((job) => job.id === id && job.endedAt)).map(([, { over }]) => over),
  )
  const definitions = await deps.definitions.current()
  return found.filter((job) => isVisible(actor, job)).map((job) => shownTo(actor, definitions, job))
}

async function listJobs(deps: BulkDeps, actor: Actor, collection: string): Promise<JobBody[]> {
  const { database, jobs } = deps
  const atWork = [...jobs]
  const running = await runningJobs(database.read)
  // A job that has just ended is listed as running until all caches include its changes.
  const ended = atWork.filter(([id]) => !running.some((job) => job.id === id))
  await Promise.all(ended.map(([, { over }]) => over))
  const definitions = await deps.definitions.current()
  const theirs = running.filter((job) => job.collection === collection && isVisible(actor, job))
  return theirs.map((job) => shownTo(actor, definitions, job))
}

function assertVisible(actor: Actor, job: StoredJob | undefined): StoredJob {
  if (!job || !isVisible(actor, job)) throw new Problem('not-found', 'Job not found.')
  return job
}

/**
 * Jobs are visible to their owner and workspace managers; field kind changes also to everyone who manages the
 * collection's fields.
 */
const isVisible = (actor: Actor, job: StoredJob): boolean =>
  isOwn(actor, job) ||
  hasPermission(actor, 'workspace:manage') ||
  (job.task.does === 'change-field' && hasJobPermission(actor, job))

/** Whether a job belongs to the actor; with a token, only if the token could have started the job. */
const isOwn = (actor: Actor, job: StoredJob): boolean =>
  job.userId === userIdOf(actor) &&
  (actor.type !== 'user' || actor.scopes === undefined || hasJobPermission(actor, job))

const hasJobPermission = (actor: Actor, { task, collection }: StoredJob): boolean =>
  permissionsFor(task).some((permission) => decide(actor, permission, { id: collection, fields: [] }).allowed)

function permissionsFor({ does }: StoredJob['task']): readonly Permission[] {
  if (does === 'change-field') return ['collections:manage']
  return does === 'restore' ? ['records:create', 'records:update', 'records:delete'] : [`records:${does}`]
}

/** Other users see only those values and counts of a job that they may read. */
function shownTo(actor: Actor, definitions: Definitions, job: StoredJob): JobBody {
  const collection = definitions.byId.get(job.collection)
  const reported = jobBody(job, collection)
  const { task, userId } = job
  const readsAll = (of: Collection): boolean =>
    task.does === 'change-field' ? readsFieldEverywhere(actor, of, task.field) : readsAllRecords(actor, of)
  if (userId === userIdOf(actor)) return reported
  // Error messages are written for the job's owner, who may have access to other fields.
  const others = { ...reported, fields: [], to: null, refused: [] }
  if (collection && readsAll(collection)) return others
  const failure = job.failure === null ? null : 'This job couldn’t be completed. Ask the user who started it.'
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

export const bulkRoutes = (deps: BulkDeps): readonly Route[] => [
  // The required permission depends on the body, so the functions below check it.
  route(api.bulkChange, signedIn, async ({ actor, params, body, reply }) => {
    if (!('where' in body))
      return changeListed(deps, actor, params.collection, await withDocuments(deps, params.collection, body))
    const said = await changeMatching(deps, actor, params.collection, await withDocument(deps, params.collection, body))
    if ('job' in said) void reply.code(202)
    return said
  }),
  route(api.countBulk, can('records:read'), async ({ actor, params, body }) => ({
    count: await countMatching(deps, actor, params.collection, body),
  })),
  route(api.listJobs, signedIn, async ({ actor, query }) => ({
    items: await (query.collection === undefined ? listOwnJobs(deps, actor) : listJobs(deps, actor, query.collection)),
  })),
  route(api.readJob, signedIn, async ({ actor, params }) => readJob(deps, actor, params.job)),
  route(api.cancelJob, signedIn, async ({ actor, params }) => cancelJob(deps, actor, params.job)),
]

async function withDocuments(deps: BulkDeps, collection: string, body: api.BulkByList): Promise<api.BulkByList> {
  const items = [...(body.create ?? []), ...(body.update ?? [])]
  const read = await parseDocuments(
    deps,
    collection,
    items.map(({ values }) => values),
  )
  const valuesOf = new Map(items.map((item, at) => [item, { ...read[at] }]))
  const withRead = <Item extends (typeof items)[number]>(item: Item): Item => ({
    ...item,
    values: valuesOf.get(item) ?? {},
  })
  return {
    ...body,
    ...(body.create && { create: body.create.map(withRead) }),
    ...(body.update && { update: body.update.map(withRead) }),
  }
}

async function withDocument(deps: BulkDeps, collection: string, body: api.BulkByWhere): Promise<api.BulkByWhere> {
  if (!body.update) return body
  const [values = {}] = await parseDocuments(deps, collection, [body.update.values])
  return { ...body, update: { ...body.update, values: { ...values } } }
}
