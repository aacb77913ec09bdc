import type { BulkByWhere, ChangedBody } from '#api/bulk.ts'
import type { Actor } from '#domain/access/actor.ts'
import { unreadFields } from '#domain/access/unread-fields.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { commitChange } from '#server/changes/commit-change.ts'
import { getCollection } from '#server/collections/find-collection.ts'
import { beginJob } from './begin-job.ts'
import { stateNamed, workflowOf } from '#server/workflows/refuse-move.ts'
import type { BulkNeeds } from './bulk-needs.ts'
import { changeFound, refuseSharing } from './change-found.ts'
import { findRecords, groundOf } from './find-records.ts'
import { givenBy } from './given-values.ts'
import { leavingOut, type Refusal, refusedAmong, toldRefusal, withRefused } from './refusals.ts'
import { showBefore } from './show-before.ts'
import type { Task } from './task.ts'

/**
 * Story: change, move or delete every record a query finds, all or nothing. Of more than ten thousand a job is made, which is
 * answered by its id.
 */
export async function changeWhere(
  needs: BulkNeeds,
  actor: Actor,
  nameOrId: string,
  body: BulkByWhere,
): Promise<ChangedBody | { readonly job: string }> {
  const definitions = await needs.definitions.current()
  const { collection } = getCollection(definitions, actor, 'records:read', nameOrId)
  const task = taskOf(body, actor, collection, needs.clock())
  const ground = groundOf(definitions, actor, task)
  const { values } = givenBy([ground], task)
  const ids = chosen(body.where) ?? (await firstFound(needs, { definitions, actor, task }))
  if (ids.length > 1) refuseSharing(collection, values)
  const isMuch = body.where.only === undefined && ids.length > needs.changedAtOnce
  if (isMuch) return { job: await beginJob(needs, actor, task) }

  const change = (left: readonly RecordId[]) =>
    commitChange(needs, actor, (writing) => changeFound(writing, [actor], task, left))
  const { count, before, refused } = await (body.refused === 'leave'
    ? leavingOut(ids, async (left, told) => ({ ...(await change(left)), refused: withRefused([], told) }))
    : change(ids).then(
        (found) => ({ ...found, refused: NONE }),
        (error: unknown) => refuseNaming(error, ids),
      ))
  return {
    created: [],
    updated: task.does === 'delete' ? 0 : count,
    deleted: task.does === 'delete' ? count : 0,
    ...(refused.length > 0 && { refused: refused.map(toldRefusal) }),
    ...(body.remember && { before: await showBefore(needs, actor, ground, before) }),
  }
}

const NONE: readonly Refusal[] = []

const taskOf = ({ where, update, transition }: BulkByWhere, actor: Actor, collection: Collection, now: Date): Task => ({
  does: update ? 'update' : transition ? 'transition' : 'delete',
  collection: collection.id,
  ...(transition && {
    move: {
      to: stateNamed(workflowOf(collection), transition.to, unreadFields(actor, collection)),
      note: transition.note,
    },
  }),
  words: { filter: where.filter, search: where.search },
  except: where.except,
  values: update?.values ?? {},
  ...(update && { add: update.add, take: update.take }),
  at: now.toISOString(),
})

/** The records that were named, where they were. */
function chosen({ only, except }: BulkByWhere['where']): readonly RecordId[] | undefined {
  if (only === undefined) return undefined
  const out = new Set(except)
  return [...new Set(only)].filter((id) => !out.has(id))
}

/** The records a task is about, up to one more than are changed at once. */
async function firstFound(needs: BulkNeeds, looking: Parameters<typeof findRecords>[1]): Promise<RecordId[]> {
  const except = new Set(looking.task.except)
  const found = await findRecords(needs, looking, { after: null, limit: needs.changedAtOnce + 1 + except.size })
  return found.filter((id) => !except.has(id))
}

/** Says which of the records stand in the way: whoever asked reads every one of them, and may change it. */
function refuseNaming(error: unknown, ids: readonly RecordId[]): never {
  const refused = withRefused([], refusedAmong(error, ids))
  if (!(error instanceof Problem) || refused.length === 0) throw error
  const { code, message, details } = error
  throw new Problem(code, message, { ...details, extra: { ...details.extra, refused } })
}
