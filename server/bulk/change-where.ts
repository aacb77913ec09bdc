import type { BulkByWhere } from '#api/bulk.ts'
import type { Actor } from '#domain/access/actor.ts'
import { unreadFields } from '#domain/access/unread-fields.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { commitChange } from '#server/changes/commit-change.ts'
import { getCollection } from '#server/collections/find-collection.ts'
import { beginJob } from './begin-job.ts'
import { stateNamed, workflowOf } from '#server/workflows/refuse-move.ts'
import type { BulkNeeds } from './bulk-needs.ts'
import { changeFound, refuseSharing, valuesFor } from './change-found.ts'
import type { Changed } from './change-listed.ts'
import { findRecords, groundOf } from './find-records.ts'
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
): Promise<Changed | { readonly job: string }> {
  const definitions = await needs.definitions.current()
  const { collection } = getCollection(definitions, actor, 'records:read', nameOrId)
  const task = taskOf(body, actor, collection, needs.clock())
  const ground = groundOf(definitions, actor, task)
  const values = valuesFor([ground], task)
  const ids = await firstFound(needs, { definitions, actor, task })
  if (ids.length > 1) refuseSharing(collection, values)
  if (ids.length > needs.changedAtOnce) return { job: await beginJob(needs, actor, task) }

  const count = await commitChange(needs, actor, (writing) => changeFound(writing, [actor], task, ids))
  return { created: [], updated: task.does === 'delete' ? 0 : count, deleted: task.does === 'delete' ? count : 0 }
}

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
  at: now.toISOString(),
})

/** The records a task is about, up to one more than are changed at once. */
async function firstFound(needs: BulkNeeds, looking: Parameters<typeof findRecords>[1]): Promise<RecordId[]> {
  const except = new Set(looking.task.except)
  const found = await findRecords(needs, looking, { after: null, limit: needs.changedAtOnce + 1 + except.size })
  return found.filter((id) => !except.has(id))
}
