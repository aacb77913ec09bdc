import type { z } from 'zod'
import type { sumRecords as endpoint } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import { checkAggregatesQuery } from '#domain/query/group.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import type { RecordDeps } from './record-deps.ts'
import { checkedQuery, queryContext, toQueryProblem, scopeOf } from '#server/access/record-access/authorized-query.ts'

type Query = z.output<(typeof endpoint)['query']>
type Answer = z.input<(typeof endpoint)['answer']>

/** Story: the figures of a whole list, as one actor may see it. */
export async function summarizeRecords(
  needs: RecordDeps,
  actor: Actor,
  nameOrId: string,
  asked: Query,
): Promise<Answer> {
  const definitions = await needs.definitions.current()
  const { collection, decision } = getCollection(definitions, actor, 'records:read', nameOrId)
  const asker = { definitions, actor, now: needs.clock() }
  const { aggregates = '', filter, search } = asked
  const sums = checkAggregatesQuery(aggregates, queryContext(asker, collection, decision))
  if (!sums.ok) throw toQueryProblem(sums.fault)
  const query = checkedQuery(asker, collection, decision, { filter, search, page: 1, perPage: 1 })
  const listing = { scope: scopeOf(needs, definitions), query, definitionsVersion: definitions.version }
  const [whole] = (await needs.shapes.groups(listing, sums.value)).groups
  return {
    count: whole?.count ?? 0,
    aggregates: Object.fromEntries(
      sums.value.aggregates.map(({ type, text }, at) => [text, whole?.aggregates[at] ?? (type === 'count' ? 0 : null)]),
    ),
  }
}
