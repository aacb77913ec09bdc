import type { Collection } from '#domain/collections/collection.ts'
import { isRollup } from '#domain/fields/field.ts'
import { allInputs } from '#domain/formulas/formula-fields.ts'
import { isFormula } from '#domain/formulas/value-field.ts'
import { rollupGraph, type RollupGraph } from '#domain/rollups/rollup-graph.ts'
import type { RollupPlan } from '#domain/rollups/rollup-plan.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'

const graphs = new WeakMap<Definitions['list'], RollupGraph>()

/** Definitions keep their identity until they change. */
export function rollupsOf({ list, byId, timeZone }: Definitions): RollupGraph {
  const known = graphs.get(list)
  if (known) return known
  const graph = rollupGraph({ list, collectionOf: (id) => byId.get(id), timeZone })
  graphs.set(list, graph)
  return graph
}

/** These rollups, and those computed from them, in the order in which they are calculated. */
export function withDependents({ plans }: RollupGraph, fields: Iterable<FieldId>): readonly RollupPlan[] {
  const found = new Set(fields)
  return plans.filter(({ field, reads }) => {
    if (![...reads].some((input) => found.has(input)) && !found.has(field.id)) return false
    found.add(field.id)
    return true
  })
}

/** The fields of a collection whose values depend on rollups that are being recalculated, or aren’t valid. */
export function staleFields(
  definitions: Definitions,
  { id, fields }: Collection,
  pending: readonly FieldId[],
): ReadonlySet<FieldId> {
  const graph = rollupsOf(definitions)
  const { plans } = graph
  const stale = new Set(withDependents(graph, pending).flatMap(({ home, field }) => (home === id ? field.id : [])))
  for (const { id: invalid } of fields
    .filter(isRollup)
    .filter((field) => !plans.some((plan) => plan.field.id === field.id)))
    stale.add(invalid)
  const formulas = fields
    .filter(isFormula)
    .filter((field) => allInputs(field, fields).some((input) => stale.has(input)))
  return new Set([...stale, ...formulas.map((field) => field.id)])
}
