import { rollupGraph, type RollupGraph } from '#domain/rollups/rollup-graph.ts'
import type { RollupPlan } from '#domain/rollups/rollup-plan.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'

const graphs = new WeakMap<Definitions['list'], RollupGraph>()

/** The list keeps its identity until a definition changes. */
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
