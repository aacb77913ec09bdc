import * as api from '#api/recalculations.ts'
import type { Actor } from '#domain/access/actor.ts'
import { readsAllRecords } from '#domain/access/decide.ts'
import { findField, type Collection } from '#domain/collections/collection.ts'
import { type Field, isRollup, type RollupKind } from '#domain/fields/field.ts'
import { Problem } from '#domain/shared/problem.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { commitChange, type WriteDeps } from '#server/records/changes/commit-change.ts'
import { rollupsOf, withDependents } from './rollup-plans.ts'
import { findRecalculation, requestRecalculation, setCanceled } from './rollups-store.ts'

type RollupPlace = { readonly collection: Collection; readonly field: Field<RollupKind> }

type FieldParams = { readonly collection: string; readonly field: string }

function getRollup(
  definitions: Definitions,
  actor: Actor,
  { collection: nameOrId, field: fieldNameOrId }: FieldParams,
): RollupPlace {
  const { collection } = getCollection(definitions, actor, 'collections:manage', nameOrId)
  const field = findField(collection, fieldNameOrId)
  if (field && isRollup(field)) return { collection, field }
  throw new Problem('not-found', `There is no lookup, count or rollup “${fieldNameOrId}” in ${collection.label}.`)
}

async function readProgress(deps: WriteDeps, actor: Actor, place: FieldParams) {
  const { collection, field } = getRollup(await deps.definitions.current(), actor, place)
  const found = await findRecalculation(deps.database.read, field.id)
  const state = !found ? 'done' : found.isCanceled ? 'canceled' : 'running'
  // The number of records would disclose those that the actor can't read.
  const counts = found && readsAllRecords(actor, collection) ? found : { done: null, total: null }
  return { state, done: counts.done, total: counts.total } as const
}

/** Calculates all values of a field again, with those computed from them. */
const restart = (deps: WriteDeps, actor: Actor, place: FieldParams): Promise<void> =>
  commitChange(deps, actor, async ({ transaction, definitions }) => {
    const { field } = getRollup(definitions, actor, place)
    const plans = withDependents(rollupsOf(definitions), [field.id])
    await requestRecalculation(
      transaction,
      plans.map((plan) => plan.field.id),
    )
    await setCanceled(transaction, field.id, false)
    return { answer: undefined, changes: [], events: [{ type: 'recalculation-requested' }] }
  })

/** Stops calculating a field. It stays marked as being recalculated until the calculation is restarted. */
const cancel = (deps: WriteDeps, actor: Actor, place: FieldParams): Promise<void> =>
  commitChange(deps, actor, async ({ transaction, definitions }) => {
    await setCanceled(transaction, getRollup(definitions, actor, place).field.id, true)
    return { answer: undefined, changes: [], events: [] }
  })

export const recalculationRoutes = (deps: WriteDeps): readonly Route[] => [
  route(api.readRecalculation, can('collections:manage'), async ({ actor, params }) =>
    readProgress(deps, actor, params),
  ),
  route(api.startRecalculation, can('collections:manage'), async ({ actor, params }) => restart(deps, actor, params)),
  route(api.cancelRecalculation, can('collections:manage'), async ({ actor, params }) => cancel(deps, actor, params)),
]
