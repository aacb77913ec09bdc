import type { Collection } from '../collections/collection.ts'
import type { Profile } from '../access/actor.ts'
import type { CollectionId } from '../shared/ids.ts'
import { type Result, no, ok } from '../shared/result.ts'
import { checkFilterIn, surroundingsOfRules } from './check-filter.ts'
import type { Filter } from './filter.ts'
import { parseFilter } from './parse-filter.ts'
import type { QueryFault } from './query-context.ts'
import { filterById } from './saved-filter.ts'

/** What a condition that is to be kept is checked against. */
export type ConditionWorld = {
  readonly collection: Collection
  readonly collectionOf: (id: CollectionId) => Collection | undefined
  /** The names that may stand behind `@me.`. */
  readonly ownNames: readonly string[]
}

/**
 * Proves a condition that is to be kept, by the same rules as one that is asked, and answers it by ids. What does not fit
 * is refused here, with its position; should it stop fitting later, `checkRule` lets nothing through.
 */
export function checkCondition(condition: string | Filter, world: ConditionWorld): Result<Filter, QueryFault> {
  const { collection, collectionOf, ownNames } = world
  const context = {
    collection,
    collectionOf,
    decisionFor: () => ({ allowed: true, hiddenFields: new Set<string>() }) as const,
    // Whether a condition fits does not depend on when and by whom it is read.
    now: new Date(0),
    timeZone: 'UTC',
    actorId: null,
    profile: Object.fromEntries(ownNames.map((name) => [name, []])) satisfies Profile,
  }
  const checked = checkFilterIn(surroundingsOfRules(context), condition)
  if (!checked.ok) return no(checked.fault)
  const tree = typeof condition === 'string' ? parseFilter(condition) : ok({ filter: condition })
  // What was checked right above can be parsed.
  return ok(tree.ok ? filterById(tree.value.filter, world) : { any: [] })
}
