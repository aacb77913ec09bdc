import type { Decision } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { isMember } from '#domain/query/evaluate-change.ts'
import { everythingVisible } from '#domain/query/records-query.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import { type QueryActor, queryContext } from './authorized-query.ts'

/**
 * Whether a decision covers a record, from the record alone: a filter means the same in memory as in the database. Where
 * other records decide as well, or it may belong to an import on its way, the answer is undefined: the database must say.
 */
export function isVisibleByValues(
  asker: QueryActor,
  collection: Collection,
  decision: Extract<Decision, { allowed: true }>,
  record: CollectionRecord,
): boolean | undefined {
  if (asker.definitions.pendingImports.length > 0) return undefined
  if (decision.where === undefined) return true
  return isMember(everythingVisible(queryContext(asker, collection, decision)), record)
}
