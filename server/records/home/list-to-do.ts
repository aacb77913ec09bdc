import type { z } from 'zod'
import type { TransitionableBody, listTransitionable as endpoint } from '#api/home.ts'
import type { Actor } from '#domain/access/actor.ts'
import { type AllowedDecision, decide } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { SelectOption } from '#domain/fields/field.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import { compareText } from '#domain/shared/compare-values.ts'
import { transitionableStates } from '#domain/workflow/evaluate-transition.ts'
import { recordTitles } from '#server/records/show/linked-names.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { type QueryActor, checkedQuery, scopeOf } from '#server/access/record-access/authorized-query.ts'
import { recordsOfRows } from '#server/records/values/row-mapping.ts'
import { transitionActorOf } from '#server/records/workflow/transition-record.ts'
import { type CollectionWorkflow, workflowOf } from '#server/records/workflow/transition-problems.ts'

type Answer = z.input<(typeof endpoint)['response']>

/** Maximum records shown over all collections. */
const MAX_SHOWN = 20

type ToDoSource = CollectionWorkflow & {
  readonly reading: AllowedDecision
  readonly moving: AllowedDecision
  readonly open: readonly { readonly from: SelectOption; readonly when: Filter | null }[]
}

type ToDoRecord = { readonly collection: Collection; readonly record: CollectionRecord; readonly from: SelectOption }

/** The records that wait for an actor. Each state is queried up to the shown number, in index order. */
export async function listToDo(deps: RecordDeps, actor: Actor): Promise<Answer> {
  const definitions = await deps.definitions.current()
  const queryActor = { definitions, actor, now: deps.clock() }
  const ways = definitions.list.flatMap((collection) => toDoSourceIn(actor, collection) ?? [])
  const [found, lists] = await Promise.all([
    Promise.all(ways.map((way) => toDoRecordsIn(deps, queryActor, way))),
    Promise.all(ways.map((way) => listOf(deps, queryActor, way))),
  ])
  const waiting = found
    .flat()
    .toSorted((one, other) => compareText(other.record.updatedAt, one.record.updatedAt))
    .slice(0, MAX_SHOWN)
  const isThere = new Set(found.flatMap(([first]) => first?.collection.id ?? []))
  return {
    items: await toDoBodies(deps, queryActor, waiting),
    lists: lists.filter(({ collection }) => isThere.has(collection)),
  }
}

/** The actor's transitions in a collection; none if the actor cannot read the status. */
function toDoSourceIn(actor: Actor, collection: Collection): ToDoSource | undefined {
  if (!collection.workflow) return undefined
  const reading = decide(actor, 'records:read', collection)
  const moving = decide(actor, 'records:transition', collection)
  if (!reading.allowed || !moving.allowed) return undefined
  const way = workflowOf(collection)
  if (reading.hiddenFields.has(way.state.id)) return undefined
  const states = transitionableStates(way.workflow, transitionActorOf(actor))
  const open = way.state.options.choices.flatMap((from) => {
    const when = states.get(from.id)
    return when === undefined ? [] : { from, when }
  })
  return open.length === 0 ? undefined : { ...way, reading, moving, open }
}

async function toDoRecordsIn(
  deps: RecordDeps,
  queryActor: QueryActor,
  { collection, state, reading, moving, open }: ToDoSource,
): Promise<ToDoRecord[]> {
  const scope = scopeOf(deps, queryActor.definitions)
  const pages = open.map(async ({ from, when }) => {
    const storedFilter = { all: [moving.where, when].flatMap((each) => each ?? []) }
    const filter: Filter = { field: state.name, op: '=', value: from.name }
    const requested = { filter, storedFilter, sort: '-updatedAt', page: 1, perPage: MAX_SHOWN }
    const query = checkedQuery(queryActor, collection, reading, requested)
    const listing = { scope, query, definitionsVersion: queryActor.definitions.version }
    const { rows } = await deps.shapes.page(listing, [])
    return recordsOfRows({ ...collection, fields: [] }, rows).map((record) => ({ collection, record, from }))
  })
  return (await Promise.all(pages)).flat()
}

/**
 * The list that contains them: that of their states. Transition conditions are visible to managers only, so with
 * conditions the list is longer than the to-do list and has no count.
 */
async function listOf(
  deps: RecordDeps,
  queryActor: QueryActor,
  { collection, state, reading, moving, open }: ToDoSource,
) {
  const names = open.map(({ from }) => from.name)
  const [only] = names
  const where: Filter =
    names.length === 1 && only !== undefined
      ? { field: state.name, op: '=', value: only }
      : { field: state.name, op: 'in', value: names }
  const filter = printFilter(where)
  const list = { collection: collection.id, filter }
  if (moving.where !== undefined || open.some(({ when }) => when !== null)) return { ...list, total: null }
  const query = checkedQuery(queryActor, collection, reading, { filter, page: 1, perPage: 1 })
  const listing = {
    scope: scopeOf(deps, queryActor.definitions),
    query,
    definitionsVersion: queryActor.definitions.version,
  }
  return { ...list, ...(await deps.shapes.total(listing, 'capped')) }
}

async function toDoBodies(
  deps: RecordDeps,
  queryActor: QueryActor,
  waiting: readonly ToDoRecord[],
): Promise<TransitionableBody[]> {
  const titles = new Map<string, string>()
  for (const [collection, some] of Map.groupBy(waiting, (each) => each.collection)) {
    const ids = some.map(({ record }) => record.id)
    for (const [id, title] of await recordTitles(deps, queryActor, collection, ids)) titles.set(id, title)
  }
  return waiting.map(({ collection, record, from }) => ({
    collection: collection.id,
    record: record.id,
    title: titles.get(record.id) ?? '',
    state: { name: from.name, color: from.color },
    updatedAt: record.updatedAt,
  }))
}
