import type { Actor } from '#domain/access/actor.ts'
import { type Decision, whereFieldsReadable } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { afterRecord } from '#domain/query/list/records-query.ts'
import { fieldsNamed, type NamedValues } from '#domain/records/check-values.ts'
import type { OptionId, RecordId } from '#domain/shared/ids.ts'
import { transitionFilter } from '#domain/workflow/evaluate-transition.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { type AllowedCollection as Found, getCollection } from '#server/query/definitions/find-collection.ts'
import { countRecords, selectPage } from '#server/query/run/run-records-query.ts'
import { chunkIds } from '#server/platform/database/rows/id-lists.ts'
import { checkedQuery, scopeOf } from '#server/access/record-access/authorized-query.ts'
import { partlyWritableFields } from '#server/records/write/assert-writable-fields.ts'
import { visibleRecords } from '#server/records/crud/visible-records.ts'
import { transitionActorOf } from '#server/records/workflow/transition-record.ts'
import { workflowOf } from '#server/records/workflow/transition-problems.ts'
import type { BulkDeps } from './bulk-deps.ts'
import type { Task } from './task.ts'

type Allowed = Extract<Decision, { allowed: true }>

export type TaskScope = { readonly collection: Collection; readonly read: Allowed; readonly change: Allowed }

export function taskScopeOf(definitions: Definitions, actor: Actor, task: Task): TaskScope {
  const { collection, does, move, values } = task
  const lists = { ...task.add, ...task.take }
  const { decision: reading } = getCollection(definitions, actor, 'records:read', collection)
  const found = getCollection(definitions, actor, `records:${does}`, collection)
  const named = { ...values, ...lists }
  const change = move
    ? whereTransitionable(found.collection, actor, found.decision, move.to)
    : whereWritable(actor, found, named)
  // Adding to or removing from a list requires read permission, because the outcome reveals whether the list contains
  // the value.
  const listed = fieldsNamed(found.collection, lists).map(({ id }) => id)
  const read = listed.length === 0 ? reading : (whereFieldsReadable(reading, listed) ?? reading)
  return { collection: found.collection, read, change }
}

function whereWritable(actor: Actor, context: Found, values: NamedValues): Allowed {
  const partly = partlyWritableFields(actor, context, values)
  return whereFieldsReadable(context.decision, partly) ?? context.decision
}

function whereTransitionable(collection: Collection, actor: Actor, decision: Allowed, to: OptionId): Allowed {
  const open = transitionFilter(workflowOf(collection).workflow, to, transitionActorOf(actor))
  return { ...decision, where: decision.where === undefined ? open : { all: [decision.where, open] } }
}

/** The task's actor and creation time, so that `@today` keeps its meaning for the whole job. */
export type TaskQuery = { readonly definitions: Definitions; readonly actor: Actor; readonly task: Task }

function queryOf(
  { definitions, actor, task }: TaskQuery,
  { collection, read, change }: TaskScope = taskScopeOf(definitions, actor, task),
) {
  const queryActor = { definitions, actor, now: new Date(task.at) }
  return checkedQuery(queryActor, collection, read, { ...task.words, storedFilter: change.where, page: 1, perPage: 1 })
}

/** The next matching records after an ID, in ID order, including those that the task excludes. */
export async function findRecords(
  deps: BulkDeps,
  looking: TaskQuery,
  walk: { readonly after: RecordId | null; readonly limit: number },
): Promise<RecordId[]> {
  const query = afterRecord(queryOf(looking), walk)
  const { rows } = await selectPage(scopeOf(deps, looking.definitions), query, [])
  return rows.map((row) => String(row['id']))
}

export async function countTaskRecords(deps: BulkDeps, looking: TaskQuery, context?: TaskScope): Promise<number> {
  const scope = scopeOf(deps, looking.definitions)
  const { total } = await countRecords(scope, queryOf(looking, context), 'exact')
  const { except } = looking.task
  return except.length === 0 ? total : total - (await countMatchingIds(deps, looking, except, context))
}

export async function countMatchingIds(
  deps: BulkDeps,
  looking: TaskQuery,
  ids: readonly RecordId[],
  { collection, read, change }: TaskScope = taskScopeOf(looking.definitions, looking.actor, looking.task),
): Promise<number> {
  const scope = scopeOf(deps, looking.definitions)
  const queryActor = { ...looking, now: new Date(looking.task.at) }
  let count = 0
  for (const some of chunkIds([...new Set(ids)])) {
    const isOne = { field: 'id', op: 'in', value: some } as const
    const rule = change.where === undefined ? isOne : { all: [change.where, isOne] }
    const query = checkedQuery(queryActor, collection, read, {
      ...looking.task.words,
      storedFilter: rule,
      page: 1,
      perPage: 1,
    })
    count += (await countRecords(scope, query, 'exact')).total
  }
  return count
}

/** The records that a task still applies to: they match, and the actor can currently read and change them. */
export async function recheckMatches(
  writing: Writing,
  actor: Actor,
  task: Task,
  ids: readonly RecordId[],
): Promise<RecordId[]> {
  const { definitions, transaction } = writing
  const { collection, read, change } = taskScopeOf(definitions, actor, task)
  const scope = { reader: transaction.db, dialect: transaction.dialect, pendingImports: definitions.pendingImports }
  const queryActor = { definitions, actor, now: new Date(task.at) }
  const found: RecordId[] = []
  for (const some of chunkIds(ids)) {
    const rule = { field: 'id', op: 'in', value: some } as const
    const query = checkedQuery(queryActor, collection, read, {
      ...task.words,
      storedFilter: rule,
      page: 1,
      perPage: some.length,
    })
    const { rows } = await selectPage(scope, query, [])
    found.push(...rows.map((row) => String(row['id'])))
  }
  const own = { ...writing, actor }
  const readable = await visibleRecords(own, collection, read, found)
  const changeable = await visibleRecords(own, collection, change, [...readable])
  return found.filter((id) => changeable.has(id))
}
