import type { BrokenBody } from '#api/rules.ts'
import type { Actor } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { readyRule } from '#domain/rules/broken-rules.ts'
import { mayBeTold } from '#domain/rules/may-be-told.ts'
import type { Rule } from '#domain/rules/rule.ts'
import type { WriteNeeds } from '#server/changes/commit-change.ts'
import type { Definitions } from '#server/collections/definitions-cache.ts'
import { unwantedSignal, whileWanted } from '#server/database/while-wanted.ts'
import { countRecords } from '#server/query/run-records-query.ts'
import { checkedQuery, scopeOf } from '#server/records/records-query.ts'
import { ruleWorld } from './judge-rules.ts'
import { ruleReader } from './rule-reader.ts'

/** How long the records that break new rules are counted before the answer is given without, in ms. */
const MOST_COUNTING_MS = 2_000

/** How many of the records an actor may read break each of these rules. The rules are saved already; nobody waits long. */
export async function countBroken(
  needs: Pick<WriteNeeds, 'database' | 'clock'>,
  { actor, definitions }: { readonly actor: Actor; readonly definitions: Definitions },
  collection: Collection,
  rules: readonly Rule[],
): Promise<BrokenBody[]> {
  const tooLate = AbortSignal.timeout(MOST_COUNTING_MS)
  const unwanted = unwantedSignal()
  const until = unwanted ? AbortSignal.any([unwanted, tooLate]) : tooLate
  const decision = decide(actor, 'records:read', collection)
  const world = ruleWorld({ definitions, at: needs.clock().toISOString() }, collection)
  const asker = { actor, definitions, now: world.now }

  const counts: BrokenBody[] = []
  for (const rule of rules) {
    const isTold = mayBeTold(rule, ruleReader({ actor, definitions }, collection))
    const ready = isTold ? readyRule(rule, world) : undefined
    if (!decision.allowed || !ready || tooLate.aborted) {
      counts.push({ rule: rule.id, count: null, countIs: 'unknown' })
      continue
    }
    const query = checkedQuery(asker, collection, decision, { also: ready.broken, page: 1, perPage: 1 })
    const counted = whileWanted(until, () => countRecords(scopeOf(needs, definitions), query, 'capped')).then(
      ({ total, totalIs }) => ({ count: total, countIs: totalIs }),
      (error: unknown) => {
        if (!tooLate.aborted) throw error
        return { count: null, countIs: 'unknown' as const }
      },
    )
    counts.push({ rule: rule.id, ...(await counted) })
  }
  return counts
}
