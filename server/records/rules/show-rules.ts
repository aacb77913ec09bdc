import type { RuleBody } from '#api/rules.ts'
import { type Collection, fieldById } from '#domain/collections/collection.ts'
import { filterByName } from '#domain/query/saved-filter.ts'
import { type RuleReadContext, isRuleShown } from './rule-reader.ts'

/** The rules of a collection as one actor sees them. */
export function showRules(reading: RuleReadContext, collection: Collection): RuleBody[] {
  const world = { collection, collectionOf: (id: string) => reading.definitions.byId.get(id) }
  return (collection.rules ?? [])
    .filter((rule) => isRuleShown(reading, collection, rule))
    .map(({ id, when, then, message, field }) => ({
      id,
      when: when === null ? null : filterByName(when, world),
      then: filterByName(then, world),
      message,
      field: field === null ? null : (fieldById(collection, field)?.name ?? null),
    }))
}
