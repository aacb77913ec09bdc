import * as api from '#api/home.ts'
import { favoriteRoutes } from '#server/records/favorites/change-favorites.ts'
import { can } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { listToDo } from './list-to-do.ts'
import type { Actor } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { checkedQuery, scopeOf } from '#server/access/record-access/authorized-query.ts'
import type { Listing } from '#server/query/cache/cache-subject.ts'
import { withTimeout } from '#server/platform/concurrency/async-helpers.ts'

/** Maximum wait for counts in ms; enough for small collections. */
const TIMEOUT_MS = 200

/** Maximum number of concurrent counts; fewer than the queue allows. */
const MAX_CONCURRENT = 20

type Count = { readonly collection: string; readonly total: number }
type CountRequest = { readonly collection: Collection; readonly listing: Listing }

/**
 * How many records of each collection an actor can see, from the cache; missing counts are computed in the background.
 */
async function countRecords(deps: RecordDeps, actor: Actor): Promise<Count[]> {
  const requested = await listingsOf(deps, actor)
  const endsAtMs = performance.now() + TIMEOUT_MS
  const counts: Count[] = []
  for (let at = 0; at < requested.length; at += MAX_CONCURRENT) {
    const waitsMs = Math.max(0, endsAtMs - performance.now())
    const some = requested.slice(at, at + MAX_CONCURRENT)
    const totals = await Promise.all(some.map(({ listing }) => withTimeout(deps.shapes.glance(listing), waitsMs)))
    for (const [place, { collection }] of some.entries()) {
      const total = totals[place]
      if (total !== undefined) counts.push({ collection: collection.id, total })
    }
  }
  return counts
}

async function listingsOf(deps: RecordDeps, actor: Actor): Promise<CountRequest[]> {
  const definitions = await deps.definitions.current()
  const queryActor = { definitions, actor, now: deps.clock() }
  const scope = scopeOf(deps, definitions)
  return definitions.list.flatMap((collection) => {
    const decision = decide(actor, 'records:read', collection)
    if (!decision.allowed) return []
    const query = checkedQuery(queryActor, collection, decision, { page: 1, perPage: 1 })
    return { collection, listing: { scope, query, definitionsVersion: definitions.version } }
  })
}

export const homeRoutes = (deps: RecordDeps): readonly Route[] => [
  route(api.countRecords, can('records:read'), async ({ actor }) => ({ items: await countRecords(deps, actor) })),
  route(api.listTransitionable, can('records:read'), async ({ actor }) => listToDo(deps, actor)),
  ...favoriteRoutes(deps),
]
