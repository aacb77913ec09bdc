import type { BrokenBody } from '#api/rules.ts'
import type { Actor } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { compileRule } from '#domain/rules/rule-violations.ts'
import { isMessageVisible } from '#domain/rules/visible-rules.ts'
import type { Rule } from '#domain/rules/rule.ts'
import type { WriteDeps } from '#server/records/changes/commit-change.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { cancellationSignal, withCancellation } from '#server/platform/database/cancellation.ts'
import { countRecords } from '#server/query/run/run-records-query.ts'
import { checkedQuery, scopeOf } from '#server/access/record-access/authorized-query.ts'
import { createRuleReader, ruleContextOf } from './evaluate-rules.ts'

/** Time limit in ms for counting violations of new rules; after that, the response has no count. */
const COUNT_TIMEOUT_MS = 2_000

/** How many records visible to the actor violate each of these saved rules. */
export async function countViolations(
  deps: Pick<WriteDeps, 'database' | 'clock'>,
  { actor, definitions }: { readonly actor: Actor; readonly definitions: Definitions },
  collection: Collection,
  rules: readonly Rule[],
): Promise<BrokenBody[]> {
  const tooLate = AbortSignal.timeout(COUNT_TIMEOUT_MS)
  const unwanted = cancellationSignal()
  const until = unwanted ? AbortSignal.any([unwanted, tooLate]) : tooLate
  const decision = decide(actor, 'records:read', collection)
  const world = ruleContextOf({ definitions, at: deps.clock().toISOString() }, collection)
  const queryActor = { actor, definitions, now: world.now }

  const counts: BrokenBody[] = []
  for (const rule of rules) {
    const isReported = isMessageVisible(rule, createRuleReader({ actor, definitions }, collection))
    const ready = isReported ? compileRule(rule, world) : undefined
    if (!decision.allowed || !ready || tooLate.aborted) {
      counts.push({ rule: rule.id, count: null, countIs: 'unknown' })
      continue
    }
    const query = checkedQuery(queryActor, collection, decision, {
      extraFilter: ready.violatingFilter,
      page: 1,
      perPage: 1,
    })
    const counted = withCancellation(until, () => countRecords(scopeOf(deps, definitions), query, 'capped')).then(
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
