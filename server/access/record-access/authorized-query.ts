import type { Clock } from '#domain/shared/time.ts'
import { type Actor, timeZoneOf, userIdOf } from '#domain/access/actor.ts'
import { decide, type Decision } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { QueryContext, QueryFault } from '#domain/query/check/query-context.ts'
import {
  type CheckedRecordsQuery,
  checkRecordsQuery,
  everythingVisible,
  type RecordsQueryInput,
} from '#domain/query/list/records-query.ts'
import type { CollectionId, RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import type { Database } from '#server/platform/database/database.ts'
import { type QueryScope, selectPage } from '#server/query/run/run-records-query.ts'
import { chunkIds } from '#server/platform/database/rows/id-lists.ts'
import type { QueryDeps } from '#server/query/run/slow-query-log.ts'
import { isMember } from '#domain/query/list/evaluate-change.ts'
import type { CollectionRecord } from '#domain/records/record.ts'

export type QueryActor = {
  readonly definitions: Definitions
  readonly actor: Actor
  readonly now: Date
  /** Whether the records of an earlier time are read. */
  readonly isPast?: boolean
}

type Allowed = Extract<Decision, { allowed: true }>

/**
 * Context for validating a query: uses this decision for the collection, and read decisions for related collections.
 */
export const queryContext = (
  { definitions, actor, now, isPast = false }: QueryActor,
  collection: Collection,
  decision: Decision,
): QueryContext => ({
  collection,
  isPast,
  collectionOf: (id) => definitions.byId.get(id),
  decisionFor: (id) => (id === collection.id ? decision : decide(actor, 'records:read', definitions.byId.get(id))),
  now,
  timeZone: timeZoneOf(actor),
  workspaceTimeZone: definitions.timeZone,
  actorId: userIdOf(actor),
  profile: actor.type === 'user' ? actor.profile : undefined,
})

/** The query scope for readers; rows of unfinished imports are excluded. */
export const scopeOf = (
  { database, recordQueryTime, isIndexed, isPast = false }: QueryDeps,
  definitions: Definitions,
): QueryScope => ({
  reader: database.read,
  briefReader: database.readBriefly,
  dialect: database.dialect,
  pendingImports: definitions.pendingImports,
  searchParts: isPast ? undefined : definitions.searchParts,
  isPast,
  recordQueryTime,
  isIndexed,
})

export function checkedQuery(
  queryActor: QueryActor,
  collection: Collection,
  decision: Allowed,
  input: RecordsQueryInput,
): CheckedRecordsQuery {
  const checked = checkRecordsQuery(input, queryContext(queryActor, collection, decision))
  if (checked.ok) return checked.value
  throw toQueryProblem(checked.fault)
}

export function toQueryProblem(fault: QueryFault): Problem {
  return new Problem(fault.code, fault.message, {
    errors: [{ path: fault.path, code: fault.code, message: fault.message }],
    ...(fault.position !== undefined && { extra: { position: fault.position } }),
  })
}

export async function visibleIds(
  deps: { readonly database: Database; readonly clock: Clock },
  { actor, definitions }: Pick<QueryActor, 'actor' | 'definitions'>,
  collectionId: CollectionId,
  ids: readonly RecordId[],
): Promise<ReadonlySet<RecordId>> {
  const collection = definitions.byId.get(collectionId)
  const decision = decide(actor, 'records:read', collection)
  if (!decision.allowed || !collection) return new Set()
  if (decision.where === undefined && definitions.pendingImports.length === 0) return new Set(ids)

  return idsInside(scopeOf(deps, definitions), { definitions, actor, now: deps.clock() }, { collection, decision }, ids)
}

export async function idsInside(
  scope: QueryScope,
  queryActor: QueryActor,
  { collection, decision }: { readonly collection: Collection; readonly decision: Allowed },
  ids: readonly RecordId[],
): Promise<ReadonlySet<RecordId>> {
  const inside = new Set<RecordId>()
  for (const some of chunkIds(ids)) {
    const rule = { field: 'id', op: 'in', value: some } as const
    const query = checkedQuery(queryActor, collection, decision, { storedFilter: rule, page: 1, perPage: some.length })
    for (const row of (await selectPage(scope, query, [])).rows) inside.add(String(row['id']))
  }
  return inside
}

/**
 * Whether a decision covers a record, based only on its values: filters give the same result in memory and in the
 * database. Undefined if the result depends on other records or if the record may belong to an unfinished import; the
 * database must then be queried.
 */
export function isVisibleByValues(
  queryActor: QueryActor,
  collection: Collection,
  decision: Extract<Decision, { allowed: true }>,
  record: CollectionRecord,
): boolean | undefined {
  if (queryActor.definitions.pendingImports.length > 0) return undefined
  if (decision.where === undefined) return true
  return isMember(everythingVisible(queryContext(queryActor, collection, decision)), record)
}
