import type { Actor } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import type { RecordNeeds } from '#server/records/record-needs.ts'
import { checkedQuery, scopeOf } from '#server/records/records-query.ts'
import { soon } from '#server/shapes/soon.ts'

/** So long the answer waits for numbers that are being counted, in ms: those of small collections are there by then. */
const WAITS_MS = 60

type Count = { readonly collection: string; readonly total: number }

/** Story: how many records of each collection an actor sees, of what is remembered; the rest is counted when there is time. */
export async function countRecords(needs: RecordNeeds, actor: Actor): Promise<Count[]> {
  const definitions = await needs.definitions.current()
  const asker = { definitions, actor, now: needs.clock() }
  const scope = scopeOf(needs, definitions)
  const counts = definitions.list.map(async (collection): Promise<Count | undefined> => {
    const decision = decide(actor, 'records:read', collection)
    if (!decision.allowed) return undefined
    const query = checkedQuery(asker, collection, decision, { page: 1, perPage: 1 })
    const total = await soon(needs.shapes.glance({ scope, query, definitionsVersion: definitions.version }), WAITS_MS)
    return total === undefined ? undefined : { collection: collection.id, total }
  })
  return (await Promise.all(counts)).filter((count) => count !== undefined)
}
