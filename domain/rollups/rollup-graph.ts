import type { Collection } from '#domain/collections/collection.ts'
import { isComputed, rollupsIn } from '#domain/formulas/value-field.ts'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'
import {
  collectionsOfPlan,
  directInputsOf,
  type FieldPlace,
  type RollupContext,
  type RollupPlan,
  rollupPlan,
} from './rollup-plan.ts'

/** The rollups of a workspace, with the values of linked records in formulas; each comes after those from which it is computed. */
export type RollupGraph = {
  readonly plans: readonly RollupPlan[]
  /** Collections whose records are at some step of a path. */
  readonly collections: ReadonlySet<CollectionId>
}

type Workspace = Omit<RollupContext, 'collection'> & { readonly list: readonly Collection[] }

export function rollupGraph(workspace: Workspace): RollupGraph {
  const plans = new Map<FieldId, RollupPlan>()
  const seen = new Set<FieldId>()
  const visit = ({ collection, field }: FieldPlace): void => {
    if (seen.has(field.id) || !isComputed(field)) return
    seen.add(field.id)
    for (const input of directInputsOf({ collection, field }, { ...workspace, collection })) visit(input)
    for (const rollup of rollupsIn([field])) {
      const plan = rollupPlan(rollup, { ...workspace, collection })
      if (plan.ok) plans.set(rollup.id, plan.value)
    }
  }
  for (const collection of workspace.list) for (const field of collection.fields) visit({ collection, field })
  const all = [...plans.values()]
  return {
    plans: all,
    collections: new Set(all.flatMap(collectionsOfPlan)),
  }
}

/** A path from a calculated field of the workspace back to itself; undefined if there is none. */
export function findCycle(workspace: Workspace): readonly FieldPlace[] | undefined {
  const done = new Set<FieldId>()
  const search = (place: FieldPlace, path: readonly FieldPlace[]): readonly FieldPlace[] | undefined => {
    const { field } = place
    if (done.has(field.id) || !isComputed(field)) return undefined
    const start = path.findIndex((one) => one.field.id === field.id)
    if (start !== -1) return [...path.slice(start), place]
    for (const input of directInputsOf(place, { ...workspace, collection: place.collection })) {
      const cycle = search(input, [...path, place])
      if (cycle !== undefined) return cycle
    }
    done.add(field.id)
    return undefined
  }
  for (const collection of workspace.list)
    for (const field of collection.fields.filter((each) => rollupsIn([each]).length > 0)) {
      const cycle = search({ collection, field }, [])
      if (cycle !== undefined) return cycle
    }
  return undefined
}
