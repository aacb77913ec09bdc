import type { Actor } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Filter } from '#domain/query/filter.ts'
import { type RuleReader, isRuleVisible, isMessageVisible } from '#domain/rules/visible-rules.ts'
import type { Rule } from '#domain/rules/rule.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'

/** Who reads rules, and among which definitions. */
export type RuleReadContext = { readonly actor: Actor; readonly definitions: Definitions }

/** What an actor may see of a collection and of those its rules reach into. */
export function createRuleReader({ actor, definitions }: RuleReadContext, collection: Collection): RuleReader {
  const collectionOf = (id: string) => (id === collection.id ? collection : definitions.byId.get(id))
  return { collection, collectionOf, decisionFor: (id) => decide(actor, 'records:read', collectionOf(id)) }
}

/** Whether a rule stands in the definition an actor is shown: whoever manages a collection knows its fields. */
export function isRuleShown(reading: RuleReadContext, collection: Collection, rule: Rule): boolean {
  const reader = createRuleReader(reading, collection)
  const managesIt = decide(reading.actor, 'collections:manage', collection).allowed
  return managesIt ? isRuleVisible(rule, reader) : isMessageVisible(rule, reader)
}

/** Whether whoever manages a collection is shown a condition of its moves: one that reaches what they do not see stays unseen. */
export const isConditionShown = (reading: RuleReadContext, collection: Collection, condition: Filter): boolean =>
  isRuleVisible({ when: null, then: condition, field: null }, createRuleReader(reading, collection))
