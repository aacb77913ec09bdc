import type { Field } from '#domain/fields/field.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { rollupsOf, withDependents } from './rollup-plans.ts'
import { pendingRecalculations } from './rollups-store.ts'
import { countOutdated } from './values-store.ts'

export type OutdatedField = { readonly collection: CollectionId; readonly field: Field; readonly count: number }

/** Rollups whose stored values differ from recalculated ones, except those that are waiting to be recalculated. */
export async function findOutdated(database: Database, definitions: Definitions): Promise<readonly OutdatedField[]> {
  const graph = rollupsOf(definitions)
  const pending = await pendingRecalculations(database.read)
  const waiting = withDependents(
    graph,
    pending.map(({ field }) => field),
  )
  const outdated: OutdatedField[] = []
  for (const plan of graph.plans.filter((each) => !waiting.includes(each))) {
    const count = await countOutdated(database, plan, definitions)
    if (count > 0) outdated.push({ collection: plan.home, field: plan.field, count })
  }
  return outdated
}
