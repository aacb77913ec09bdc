import * as api from '#api/workflows.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { type RecordRef, transitionActorOf, transitionRecord, undoTransition } from './transition-record.ts'
import type { TransitionBody } from '#api/workflows.ts'
import type { Actor } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import { optionName } from '#domain/fields/select.ts'
import { missingToLeave, transitionCondition, transitionsFrom } from '#domain/workflow/evaluate-transition.ts'
import { checkedQuery, idsInside, type QueryActor, scopeOf } from '#server/access/record-access/authorized-query.ts'
import { workflowOf } from './transition-problems.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { HiddenFields } from '#domain/records/check-values.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { type QueryScope, selectPage } from '#server/query/run/run-records-query.ts'
import { hiddenFieldsIn } from '#server/records/show/hidden-fields-in.ts'
import { recordNotFound } from '#server/records/crud/read-record.ts'
import { recordsOfRows } from '#server/records/values/row-mapping.ts'

type Visible = {
  readonly collection: Collection
  readonly record: CollectionRecord
  readonly hidden: HiddenFields
  readonly queryActor: QueryActor
  readonly scope: QueryScope
}

async function findVisibleRecord(deps: RecordDeps, actor: Actor, place: RecordRef): Promise<Visible> {
  const definitions = await deps.definitions.current()
  const queryActor = { definitions, actor, now: deps.clock() }
  const scope = scopeOf(deps, definitions)
  const { collection, decision } = getCollection(definitions, actor, 'records:read', place.collection)
  const rule = { field: 'id', op: '=', value: place.record } as const
  const query = checkedQuery(queryActor, collection, decision, { storedFilter: rule, page: 1, perPage: 1 })
  const { rows } = await selectPage(scope, query, collection.fields)
  const [record] = recordsOfRows(collection, rows)
  if (!record) throw recordNotFound(collection, place.record)
  const shown = { collection, decision, fields: collection.fields }
  return {
    collection,
    record,
    hidden: (await hiddenFieldsIn(deps, queryActor, shown, [record]))(record),
    queryActor,
    scope,
  }
}

/** The transitions available to an actor for a record, with the fields that must be filled in first. */
async function listTransitions(deps: RecordDeps, actor: Actor, place: RecordRef): Promise<TransitionBody[]> {
  const { collection, record, hidden, queryActor, scope } = await findVisibleRecord(deps, actor, place)
  const moving = decide(actor, 'records:transition', collection)
  if (collection.workflow === undefined || !moving.allowed) return []
  const { workflow, state } = workflowOf(collection)
  // Listing the available transitions would reveal the status.
  if (hidden.has(state.id)) return []
  const missing = missingToLeave(collection, workflow, record.values)
  const moves: TransitionBody[] = []
  for (const transition of transitionsFrom(workflow, record.values, transitionActorOf(actor))) {
    const open = transitionCondition(workflow, transition)
    const where = moving.where === undefined ? open : { all: [moving.where, open] }
    const inside = await idsInside(scope, queryActor, { collection, decision: { ...moving, where } }, [record.id])
    if (!inside.has(record.id)) continue
    moves.push({
      id: transition.id,
      name: transition.name,
      to: optionName(state, transition.to) ?? transition.to,
      note: transition.note,
      missing: missing.flatMap(({ id, name }) => (hidden.has(id) ? [] : name)),
    })
  }
  return moves
}

export const workflowRoutes = (deps: RecordDeps): readonly Route[] => [
  route(api.listTransitions, can('records:read'), async ({ actor, params }) => ({
    items: await listTransitions(deps, actor, params),
  })),
  route(api.transitionRecord, can('records:transition'), async ({ actor, params, body }) =>
    transitionRecord(deps, actor, params, body),
  ),
  route(api.undoTransition, can('records:transition'), async ({ actor, params, body }) =>
    undoTransition(deps, actor, params, body.version),
  ),
]
