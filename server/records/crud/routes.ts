import * as api from '#api/records.ts'
import { Problem } from '#domain/shared/problem.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { parseDocuments } from '#server/records/rich-text/parse-documents.ts'
import { depsAsOf } from '#server/records/as-of/as-of.ts'
import { createRecord, deleteRecord, updateRecord } from './write-record.ts'
import { listGroups } from './list-groups.ts'
import { listRecords } from './list-records.ts'
import { listRecordsByDay } from './list-records-by-day.ts'
import { readRecord } from './read-record.ts'
import { queryActorOf, type RecordDeps } from './record-deps.ts'
import type { z } from 'zod'
import type { aggregateRecords as endpoint } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import { checkAggregatesQuery } from '#domain/query/list/group.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { checkedQuery, queryContext, scopeOf, toQueryProblem } from '#server/access/record-access/authorized-query.ts'

type Query = z.output<(typeof endpoint)['query']>
type Answer = z.input<(typeof endpoint)['response']>

async function summarizeRecords(deps: RecordDeps, actor: Actor, nameOrId: string, requested: Query): Promise<Answer> {
  const definitions = await deps.definitions.current()
  const { collection, decision } = getCollection(definitions, actor, 'records:read', nameOrId)
  const queryActor = queryActorOf(deps, definitions, actor)
  const { aggregates = '', filter, search } = requested
  const sums = checkAggregatesQuery(aggregates, queryContext(queryActor, collection, decision))
  if (!sums.ok) throw toQueryProblem(sums.fault)
  const query = checkedQuery(queryActor, collection, decision, { filter, search, page: 1, perPage: 1 })
  const listing = { scope: scopeOf(deps, definitions), query, definitionsVersion: definitions.version }
  const [whole] = (await deps.shapes.groups(listing, sums.value)).groups
  return {
    count: whole?.count ?? 0,
    aggregates: Object.fromEntries(
      sums.value.aggregates.map(({ type, text }, at) => [text, whole?.aggregates[at] ?? (type === 'count' ? 0 : null)]),
    ),
  }
}

export const recordRoutes = (deps: RecordDeps): readonly Route[] => [
  route(api.listRecords, can('records:read'), async ({ actor, params, query }) =>
    listRecords(await depsAsOf(deps, actor, { ...params, at: query.at }), actor, params.collection, query),
  ),
  route(api.listRecordsByDay, can('records:read'), async ({ actor, params, query }) =>
    listRecordsByDay(await depsAsOf(deps, actor, { ...params, at: query.at }), actor, params.collection, query),
  ),
  route(api.createRecord, can('records:create'), async ({ actor, params, body, request }) => {
    const key = readIdempotencyKey(request.headers['idempotency-key'])
    const [values = {}] = await parseDocuments(deps, params.collection, [body.values])
    return createRecord(deps, actor, { ...params, key }, values)
  }),
  route(api.readRecord, can('records:read'), async ({ actor, params, query }) =>
    readRecord(await depsAsOf(deps, actor, { ...params, at: query.at }), actor, params, query),
  ),
  route(api.updateRecord, can('records:update'), async ({ actor, params, body, request }) => {
    const version = body.version ?? versionFromHeader(request.headers['if-match'])
    const [values = {}] = await parseDocuments(deps, params.collection, [body.values])
    return updateRecord(deps, actor, params, { values, version })
  }),
  route(api.deleteRecord, can('records:delete'), async ({ actor, params }) => deleteRecord(deps, actor, params)),
  route(api.aggregateRecords, can('records:read'), async ({ actor, params, query }) =>
    summarizeRecords(await depsAsOf(deps, actor, { ...params, at: query.at }), actor, params.collection, query),
  ),
  route(api.listGroups, can('records:read'), async ({ actor, params, query }) =>
    listGroups(await depsAsOf(deps, actor, { ...params, at: query.at }), actor, params.collection, query),
  ),
]

function readIdempotencyKey(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined || (typeof header === 'string' && /^[!-~]{8,100}$/.test(header))) return header
  throw new Problem('invalid-request', 'Idempotency-Key must be 8 to 100 characters without spaces.', {
    errors: [{ path: 'Idempotency-Key', code: 'bad-key', message: 'Use a random UUID.' }],
  })
}

/** `If-Match: "7"` is the version that the change is based on; `*` matches any version. */
export function versionFromHeader(header: string | undefined): number | undefined {
  if (header === undefined || header === '*') return undefined
  const [, version] = /^(?:W\/)?"(\d+)"$/.exec(header) ?? []
  if (version !== undefined) return Number(version)
  throw new Problem('invalid-request', 'If-Match must be the version in double quotes, such as "7".', {
    errors: [{ path: 'If-Match', code: 'bad-version', message: 'Must be a whole number in double quotes.' }],
  })
}
