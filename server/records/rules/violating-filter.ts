import type { Actor } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { CheckedFilter } from '#domain/query/checked-filter.ts'
import { compileRule } from '#domain/rules/rule-violations.ts'
import { isMessageVisible } from '#domain/rules/visible-rules.ts'
import type { RuleId } from '#domain/rules/rule.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { ruleContextOf } from './evaluate-rules.ts'
import { isRuleShown, createRuleReader } from './rule-reader.ts'

/** What finds the records that break a rule; for whoever manages the collection, as it may speak of hidden fields. */
export function violatingFilter(
  { actor, definitions, now }: { readonly actor: Actor; readonly definitions: Definitions; readonly now: Date },
  collection: Collection,
  id: RuleId,
): CheckedFilter {
  if (!decide(actor, 'collections:manage', collection).allowed) {
    throw new Problem(
      'forbidden',
      `Only users who can manage ${collection.label} can list the records that break its rules.`,
    )
  }
  const rule = collection.rules?.find((each) => each.id === id && isRuleShown({ actor, definitions }, collection, each))
  if (rule && !isMessageVisible(rule, createRuleReader({ actor, definitions }, collection))) {
    throw new Problem(
      'forbidden',
      'This rule uses values you can’t read, and the list would reveal them. Ask an owner.',
    )
  }
  const ready = rule && compileRule(rule, ruleContextOf({ definitions, at: now.toISOString() }, collection))
  if (ready) return ready.broken
  throw new Problem('invalid-request', `${collection.label} has no rule ${id}.`, {
    errors: [{ path: 'breaks', code: 'unknown-rule', message: 'There is no rule with this ID.' }],
  })
}
