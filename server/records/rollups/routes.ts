import * as api from '#api/recalculations.ts'
import type { Actor } from '#domain/access/actor.ts'
import { readsAllRecords } from '#domain/access/decide.ts'
import { findField, type Collection } from '#domain/collections/collection.ts'
import { isComputed, rollupsIn } from '#domain/formulas/value-field.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { commitChange, type WriteDeps } from '#server/records/changes/commit-change.ts'
import { rollupsOf, withDependents } from './rollup-plans.ts'
import { pendingRecalculations, requestRecalculation, setCanceled } from './rollups-store.ts'

type FieldParams = { readonly collection: string; readonly field: string }

type RollupPlace = { readonly collection: Collection; readonly rollups: readonly FieldId[] }

/** A lookup, count or rollup, or the values of linked records in a formula. */
function getRollups(
  definitions: Definitions,
  actor: Actor,
  { collection: nameOrId, field: fieldNameOrId }: FieldParams,
): RollupPlace {
  const { collection } = getCollection(definitions, actor, 'collections:manage', nameOrId)
  const field = findField(collection, fieldNameOrId)
  if (field && isComputed(field)) return { collection, rollups: rollupsIn([field]).map(({ id }) => id) }
  throw new Problem('not-found', `There is no calculated field “${fieldNameOrId}” in ${collection.label}.`)
}

async function readProgress(deps: WriteDeps, actor: Actor, place: FieldParams) {
  const { collection, rollups } = getRollups(await deps.definitions.current(), actor, place)
  const pending = (await pendingRecalculations(deps.database.read)).filter(({ field }) => rollups.includes(field))
  // They are calculated one after the other.
  const found = pending.find(({ isCanceled, done }) => !isCanceled && done > 0) ?? pending[0]
  const state = !found ? 'done' : pending.some(({ isCanceled }) => isCanceled) ? 'canceled' : 'running'
  // The number of records would disclose those that the actor can't read.
  const counts = found && readsAllRecords(actor, collection) ? found : { done: null, total: null }
  return { state, done: counts.done, total: counts.total } as const
}

/** Calculates all values of a field again, with those computed from them. */
const restart = (deps: WriteDeps, actor: Actor, place: FieldParams): Promise<void> =>
  commitChange(deps, actor, async ({ transaction, definitions }) => {
    const { rollups } = getRollups(definitions, actor, place)
    const plans = withDependents(rollupsOf(definitions), rollups)
    await requestRecalculation(
      transaction,
      plans.map((plan) => plan.field.id),
    )
    await setCanceled(transaction, rollups, false)
    return { answer: undefined, changes: [], events: [{ type: 'recalculation-requested' }] }
  })

/** Stops calculating a field. It stays marked as being recalculated until the calculation is restarted. */
const cancel = (deps: WriteDeps, actor: Actor, place: FieldParams): Promise<void> =>
  commitChange(deps, actor, async ({ transaction, definitions }) => {
    await setCanceled(transaction, getRollups(definitions, actor, place).rollups, true)
    return { answer: undefined, changes: [], events: [] }
  })

export const recalculationRoutes = (deps: WriteDeps): readonly Route[] => [
  route(api.readRecalculation, can('collections:manage'), async ({ actor, params }) =>
    readProgress(deps, actor, params),
  ),
  route(api.startRecalculation, can('collections:manage'), async ({ actor, params }) => restart(deps, actor, params)),
  route(api.cancelRecalculation, can('collections:manage'), async ({ actor, params }) => cancel(deps, actor, params)),
]
