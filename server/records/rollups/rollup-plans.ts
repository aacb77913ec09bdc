import type { Field } from '#domain/fields/field.ts'
import { EMPTY_SPEC, type LinkIndex } from '#domain/query/list/index-selection.ts'
import { rollupGraph, type RollupGraph } from '#domain/rollups/rollup-graph.ts'
import type { RollupPlan } from '#domain/rollups/rollup-plan.ts'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'
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

/** Indexes that find the records that link to others, along the path; lists of links always have one. */
export const linksToRead = ({ steps }: RollupPlan): readonly LinkIndex[] =>
  steps.flatMap(({ relation, isReverse, into }) => (isReverse ? linkIndex(into, relation) : []))

/** The same in the other direction. */
export const linksToDependents = ({ home, steps }: RollupPlan): readonly LinkIndex[] =>
  steps.flatMap(({ relation, isReverse }, at) => (isReverse ? [] : linkIndex(steps[at - 1]?.into ?? home, relation)))

const linkIndex = (collection: CollectionId, { id, options }: Field<'relation'>): readonly LinkIndex[] =>
  options.many ? [] : [{ collection, spec: { ...EMPTY_SPEC, equal: [id] } }]
