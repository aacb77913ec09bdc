import type { RuleBody } from '#api/rules.ts'
import type { Actor } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import { type Collection, fieldById } from '#domain/collections/collection.ts'
import { filterByName } from '#domain/query/saved-filter.ts'
import { mayBeTold } from '#domain/rules/may-be-told.ts'
import type { Definitions } from '#server/collections/definitions-cache.ts'

/** The rules of a collection as one actor sees them: whoever manages it sees all, others those they could read about. */
export function showRules(actor: Actor, collection: Collection, definitions: Definitions): RuleBody[] {
  const world = { collection, collectionOf: (id: string) => definitions.byId.get(id) }
  const reader = {
    ...world,
    decisionFor: (id: string) =>
      decide(actor, 'records:read', id === collection.id ? collection : world.collectionOf(id)),
  }
  const seesAll = decide(actor, 'collections:manage', collection).allowed
  return (collection.rules ?? [])
    .filter((rule) => seesAll || mayBeTold(rule, reader))
    .map(({ id, when, then, message, field }) => ({
      id,
      when: when === null ? null : filterByName(when, world),
      then: filterByName(then, world),
      message,
      field: field === null ? null : (fieldById(collection, field)?.name ?? null),
    }))
}
