import type { BeforeBody, BulkByWhere, ChangedBody } from '#api/bulk.ts'
import type { Actor } from '#domain/access/actor.ts'
import { unreadableFields } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { commitChange } from '#server/records/changes/commit-change.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { startJob } from '#server/records/jobs/start-job.ts'
import { stateNamed, workflowOf } from '#server/records/workflow/transition-problems.ts'
import type { BulkDeps } from './bulk-deps.ts'
import { type AppliedTask, applyTask, assertNotUnique } from './apply-task.ts'
import {
  countMatchingIds,
  countTaskRecords,
  findRecords,
  type TaskQuery,
  type TaskScope,
  taskScopeOf,
} from './find-records.ts'
import { taskValues } from './given-values.ts'
import { mergeSkipped, skippedAmong, skippedBody, type SkippedRecords, skippingInvalid } from './skipped-records.ts'
import type { Task } from './task.ts'
import { DEFAULT_FORM } from '#domain/records/named-values.ts'
import { showRecords } from '#server/records/show/show-records.ts'

/**
 * The previous values of changed records, as visible to the caller; lists that are only partly visible are left out.
 */
async function showPreviousValues(
  deps: BulkDeps,
  actor: Actor,
  { collection, read }: TaskScope,
  before: AppliedTask['before'],
): Promise<BeforeBody[]> {
  const ids = new Set(before.flatMap(({ values }) => Object.keys(values)))
  const fields = collection.fields.filter(({ id }) => ids.has(id))
  const viewer = { actor, collection, decision: read, areWhole: true }
  const showing = { form: DEFAULT_FORM, expand: 'all', fields: new Set(fields.map(({ name }) => name)) } as const
  const records = before.map(({ record }) => record)
  const shown = await showRecords(deps, viewer, records, showing)
  return shown.map(({ id, version, values }, at) => {
    const own = fields.filter((field) => {
      const stored = records[at]?.values[field.id]
      const seen = values[field.name]
      return Object.hasOwn(values, field.name) && (!Array.isArray(stored) || lengthOf(seen) === stored.length)
    })
    // The write increased the version by one.
    return { id, version: version + 1, values: Object.fromEntries(own.map(({ name }) => [name, values[name]])) }
  })
}

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0)

/**
 * Changes or deletes every record that matches a query, all or nothing. More than ten thousand records are changed by a
 * job.
 */
export async function changeMatching(
  deps: BulkDeps,
  actor: Actor,
  nameOrId: string,
  body: BulkByWhere,
): Promise<ChangedBody | { readonly job: string }> {
  const definitions = await deps.definitions.current()
  const { collection } = getCollection(definitions, actor, 'records:read', nameOrId)
  const task = taskOf(body, actor, collection, deps.clock())
  const context = taskScopeOf(definitions, actor, task)
  const { values } = taskValues([context], task)
  const ids = selectedIds(body.where) ?? (await findFirst(deps, { definitions, actor, task }))
  await assertExpectedCount(deps, { definitions, actor, task }, body, ids)
  if (ids.length > 1) assertNotUnique(collection, values)
  const isMuch = body.where.only === undefined && ids.length > deps.changedAtOnce
  if (isMuch) return { job: await startJob(deps, actor, task) }

  const changeSet = deps.newId()
  const change = (left: readonly RecordId[]) =>
    commitChange(deps, actor, async (writing) => {
      const applied = await applyTask(writing, [actor], task, left)
      const answer = { ...applied.answer, isChanged: applied.changes.length > 0 }
      return { ...applied, answer, changeSet: { id: changeSet, isDeletion: task.does === 'delete' } }
    })
  const { count, before, isChanged, refused } = await (body.refused === 'leave'
    ? skippingInvalid(ids, async (left, reported) => ({ ...(await change(left)), refused: mergeSkipped([], reported) }))
    : change(ids).then(
        (found) => ({ ...found, refused: NO_SKIPPED }),
        (error: unknown) => rethrowWithRecords(error, ids),
      ))
  return {
    ...changedBody(task, count),
    ...(isChanged && { changeSet }),
    ...(refused.length > 0 && { refused: refused.map(skippedBody) }),
    ...(body.remember && { before: await showPreviousValues(deps, actor, context, before) }),
  }
}

export async function countMatching(
  deps: BulkDeps,
  actor: Actor,
  nameOrId: string,
  body: Pick<BulkByWhere, 'where' | 'delete'>,
): Promise<number> {
  const definitions = await deps.definitions.current()
  const { collection, decision } = getCollection(definitions, actor, 'records:read', nameOrId)
  const task = taskOf({ ...body, delete: true, refused: 'refuse' }, actor, collection, deps.clock())
  const reading = body.delete ? undefined : { collection, read: decision, change: decision }
  return countSelected(deps, { definitions, actor, task }, body.where, reading)
}

const countSelected = (
  deps: BulkDeps,
  looking: TaskQuery,
  where: BulkByWhere['where'],
  context?: TaskScope,
): Promise<number> => {
  const only = selectedIds(where)
  return only === undefined ? countTaskRecords(deps, looking, context) : countMatchingIds(deps, looking, only, context)
}

async function assertExpectedCount(
  deps: BulkDeps,
  looking: TaskQuery,
  { where, expected = Infinity }: BulkByWhere,
  ids: readonly RecordId[],
): Promise<void> {
  // Reads no more IDs than can be changed in one write.
  if (ids.length <= Math.min(expected, deps.changedAtOnce)) return
  const count = await countSelected(deps, looking, where)
  if (count <= expected) return
  throw new Problem('count-changed', `Nothing was deleted. ${count} records match now, not ${expected}.`, {
    extra: { count },
  })
}

const NO_SKIPPED: readonly SkippedRecords[] = []

const changedBody = ({ does }: Task, count: number): ChangedBody => ({
  created: [],
  updated: does === 'delete' ? 0 : count,
  deleted: does === 'delete' ? count : 0,
})

const taskOf = (
  { where, update, transition, expected }: BulkByWhere,
  actor: Actor,
  collection: Collection,
  now: Date,
): Task => ({
  does: update ? 'update' : transition ? 'transition' : 'delete',
  collection: collection.id,
  ...(transition && {
    move: {
      to: stateNamed(workflowOf(collection), transition.to, unreadableFields(actor, collection)),
      note: transition.note,
    },
  }),
  words: { filter: where.filter, search: where.search },
  except: where.except,
  values: update?.values ?? {},
  ...(update && { add: update.add, take: update.take }),
  ...(expected !== undefined && { most: expected }),
  at: now.toISOString(),
})

function selectedIds({ only, except }: BulkByWhere['where']): readonly RecordId[] | undefined {
  if (only === undefined) return undefined
  const out = new Set(except)
  return [...new Set(only)].filter((id) => !out.has(id))
}

async function findFirst(deps: BulkDeps, looking: Parameters<typeof findRecords>[1]): Promise<RecordId[]> {
  const except = new Set(looking.task.except)
  const found = await findRecords(deps, looking, { after: null, limit: deps.changedAtOnce + 1 + except.size })
  return found.filter((id) => !except.has(id))
}

function rethrowWithRecords(error: unknown, ids: readonly RecordId[]): never {
  const refused = mergeSkipped([], skippedAmong(error, ids))
  if (!(error instanceof Problem) || refused.length === 0) throw error
  const { code, message, details } = error
  throw new Problem(code, message, { ...details, extra: { ...details.extra, refused } })
}
