import type { z } from 'zod'
import type { TransitionableBody, listTransitionable as endpoint } from '#api/home.ts'
import type { Actor } from '#domain/access/actor.ts'
import { type AllowedDecision, decide } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field, SelectOption } from '#domain/fields/field.ts'
import { anyFilter, type Filter } from '#domain/query/filter/filter.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import { compareText } from '#domain/shared/compare-values.ts'
import type { OptionId } from '#domain/shared/ids.ts'
import { transitionCondition, waitingStates } from '#domain/workflow/evaluate-transition.ts'
import { recordTitles } from '#server/records/show/visible-titles.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { type QueryActor, checkedQuery, scopeOf } from '#server/access/record-access/authorized-query.ts'
import { recordsOfRows } from '#server/records/values/row-mapping.ts'
import { lastTransitionTimes } from '#server/records/workflow/transition-log.ts'
import { type CollectionWorkflow, workflowOf } from '#server/records/workflow/transition-problems.ts'

type Answer = z.input<(typeof endpoint)['response']>

/** Maximum number of records shown across all collections. */
const MAX_SHOWN = 20

/**
 * Number of records read per query, ordered by last change. Status changes have no timestamp column, so the order by
 * submission is exact only if no more records than this were edited since then.
 */
const MAX_CANDIDATES = 100

/** A status with a pending transition, and the transition's condition. */
type Waiting = { readonly from: SelectOption; readonly when: Filter | null }

type ToDoSource = CollectionWorkflow & {
  readonly reading: AllowedDecision
  readonly moving: AllowedDecision
  readonly forRoles: readonly Waiting[]
  /** Statuses in which a record counts only if one of the fields in `people` contains the actor. */
  readonly forNamed: readonly Waiting[]
  readonly people: readonly Field[]
}

type ToDoRecord = { readonly collection: Collection; readonly record: CollectionRecord; readonly from: SelectOption }

/**
 * The records on an actor's to-do list: records in a status with a transition limited to one of the actor's roles, and
 * records that name the actor and that the actor can move. A transition open to everyone counts only for the users
 * named in a record.
 */
export async function listToDo(deps: RecordDeps, actor: Actor): Promise<Answer> {
  const definitions = await deps.definitions.current()
  const queryActor = { definitions, actor, now: deps.clock() }
  const sources = definitions.list.flatMap((collection) => toDoSourceIn(actor, collection) ?? [])
  const found = await Promise.all(
    sources.map(async (source) => ({ source, ...(await toDoRecordsIn(deps, queryActor, source)) })),
  )
  const [items, lists] = await Promise.all([
    newestSubmissions(
      deps,
      found.flatMap(({ records }) => records),
    ).then((newest) => toDoBodies(deps, queryActor, newest)),
    Promise.all(found.filter(({ records }) => records.length > 0).map((one) => listOf(deps, queryActor, one))),
  ])
  return { items, lists }
}

/** Undefined if nothing can be pending for the actor, or if they can't read the status. */
function toDoSourceIn(actor: Actor, collection: Collection): ToDoSource | undefined {
  if (!collection.workflow || actor.type !== 'user') return undefined
  const reading = decide(actor, 'records:read', collection)
  const moving = decide(actor, 'records:transition', collection)
  if (!reading.allowed || !moving.allowed) return undefined
  const way = workflowOf(collection)
  if (reading.hiddenFields.has(way.state.id)) return undefined
  const states = waitingStates(way.workflow, actor.roles ?? [])
  const waitingIn = (conditions: ReadonlyMap<OptionId, Filter | null>): Waiting[] =>
    way.state.options.choices.flatMap((from) => {
      const when = conditions.get(from.id)
      return when === undefined ? [] : { from, when }
    })
  const people = collection.fields.filter(({ id, kind }) => kind === 'user' && !reading.hiddenFields.has(id))
  const forNamed = people.length === 0 ? [] : waitingIn(states.forNamed)
  const source = { ...way, reading, moving, forRoles: waitingIn(states.forRoles), forNamed, people }
  return source.forRoles.length + forNamed.length === 0 ? undefined : source
}

type Found = { readonly records: readonly ToDoRecord[]; readonly isWhole: boolean }

/** One query per status for roles and one per user field, so that each can be read in index order. */
async function toDoRecordsIn(deps: RecordDeps, queryActor: QueryActor, source: ToDoSource): Promise<Found> {
  const { collection, state, reading, moving, forRoles, forNamed, people } = source
  const scope = scopeOf(deps, queryActor.definitions)
  const requests = [
    ...forRoles.map((one) => ({ filter: isInState(state, [one]), waiting: [one] })),
    ...(forNamed.length === 0 ? [] : people).map((field) => ({
      filter: isNamedIn(source, [field]),
      waiting: forNamed,
    })),
  ]
  const pages = await Promise.all(
    requests.map(async ({ filter, waiting }) => {
      const storedFilter = { all: [moving.where, conditionOf(source, waiting)].flatMap((each) => each ?? []) }
      const requested = { filter, storedFilter, sort: '-updatedAt', page: 1, perPage: MAX_CANDIDATES }
      const query = checkedQuery(queryActor, collection, reading, requested)
      const listing = { scope, query, definitionsVersion: queryActor.definitions.version }
      const { rows } = await deps.shapes.page(listing, [state])
      return recordsOfRows({ ...collection, fields: [state] }, rows)
    }),
  )
  const records = new Map(pages.flat().map((record) => [record.id, record]))
  return {
    records: [...records.values()].flatMap((record) => {
      const from = state.options.choices.find(({ id }) => id === record.values[state.id])
      return from ? { collection, record, from } : []
    }),
    isWhole: pages.every((page) => page.length < MAX_CANDIDATES),
  }
}

/** The transition conditions for records in these statuses, with stored IDs. */
function conditionOf({ workflow }: CollectionWorkflow, waiting: readonly Waiting[]): Filter | null {
  if (waiting.every(({ when }) => when === null)) return null
  return anyFilter(waiting.map(({ from, when }) => transitionCondition(workflow, { from: from.id, when })))
}

function isInState({ name: field }: Field<'state'>, waiting: readonly Waiting[]): Filter {
  const [only, ...more] = waiting.map(({ from }) => from.name)
  return only !== undefined && more.length === 0
    ? { field, op: '=', value: only }
    : { field, op: 'in', value: waiting.map(({ from }) => from.name) }
}

const isNamedIn = ({ state, forNamed }: ToDoSource, people: readonly Field[]): Filter => ({
  all: [
    isInState(state, forNamed),
    anyFilter(people.map(({ name: field }) => ({ field, op: '=', value: { marker: '@me' } }))),
  ],
})

/**
 * The list that contains the to-do records. Transition conditions are visible to managers only, so with conditions the
 * list is longer than the to-do list and has no count.
 */
async function listOf(
  deps: RecordDeps,
  queryActor: QueryActor,
  { source, records, isWhole }: Found & { readonly source: ToDoSource },
) {
  const { collection, state, reading, moving, forRoles, forNamed, people } = source
  const filter = printFilter(
    anyFilter([
      ...(forRoles.length === 0 ? [] : [isInState(state, forRoles)]),
      ...(forNamed.length === 0 ? [] : [isNamedIn(source, people)]),
    ]),
  )
  const list = { collection: collection.id, filter }
  const isConditional = [...forRoles, ...forNamed].some(({ when }) => when !== null)
  if (moving.where !== undefined || isConditional) return { ...list, total: null }
  if (isWhole) return { ...list, total: records.length, totalIs: 'exact' as const }
  const query = checkedQuery(queryActor, collection, reading, { filter, page: 1, perPage: 1 })
  const listing = {
    scope: scopeOf(deps, queryActor.definitions),
    query,
    definitionsVersion: queryActor.definitions.version,
  }
  return { ...list, ...(await deps.shapes.total(listing, 'capped')) }
}

type Submitted = ToDoRecord & { readonly since: string }

/**
 * The records that entered their status most recently, by the time of the transition or, if there was none, of their
 * creation.
 */
async function newestSubmissions({ database }: RecordDeps, all: readonly ToDoRecord[]): Promise<readonly Submitted[]> {
  const rest = all.toSorted((one, other) => compareText(other.record.updatedAt, one.record.updatedAt))
  let newest: readonly Submitted[] = []
  for (let some = rest.splice(0, MAX_CANDIDATES); some.length > 0; some = rest.splice(0, MAX_CANDIDATES)) {
    const moved = await lastTransitionTimes(
      database.read,
      some.map(({ record }) => record.id),
    )
    const submitted = some.map((one) => ({ ...one, since: moved.get(one.record.id) ?? one.record.createdAt }))
    newest = [...newest, ...submitted].toSorted((one, other) => compareText(other.since, one.since)).slice(0, MAX_SHOWN)
    // A transition is also an edit, so records edited earlier entered their status earlier too.
    const [last, next] = [newest[MAX_SHOWN - 1], rest[0]]
    if (last && next && last.since >= next.record.updatedAt) break
  }
  return newest
}

async function toDoBodies(
  deps: RecordDeps,
  queryActor: QueryActor,
  waiting: readonly Submitted[],
): Promise<TransitionableBody[]> {
  const titles = new Map<string, string>()
  for (const [collection, some] of Map.groupBy(waiting, (each) => each.collection)) {
    const ids = some.map(({ record }) => record.id)
    for (const [id, title] of await recordTitles(deps, queryActor, collection, ids)) titles.set(id, title)
  }
  return waiting.map(({ collection, record, from, since }) => ({
    collection: collection.id,
    record: record.id,
    title: titles.get(record.id) ?? '',
    state: { name: from.name, color: from.color },
    since,
  }))
}
