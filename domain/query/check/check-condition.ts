import type { Collection } from '../../collections/collection.ts'
import type { Profile } from '../../access/actor.ts'
import { SELF_CHOSEN_ATTRIBUTES } from '#domain/access/user.ts'
import { hasSelectOptions } from '../../fields/field.ts'
import { findOption } from '../../fields/select.ts'
import type { CollectionId } from '../../shared/ids.ts'
import { type Result, fail, ok } from '../../shared/result.ts'
import { checkFilterIn, environmentOfActor, environmentOfRules } from './check-filter.ts'
import { type Comparison, type Filter, literalsOf } from '../filter/filter.ts'
import { readsText } from '../filter/operators.ts'
import { attributeNameOf } from '../filter/attribute-markers.ts'
import { parseFilter } from '../filter/parse-filter.ts'
import { type QueryContext, type QueryFault, invalidQuery } from './query-context.ts'
import { comparisonsOf, filterById, partsOfPath, type PathContext } from '../filter/saved-filter.ts'

export type ConditionContext = {
  readonly collection: Collection
  readonly collectionOf: (id: CollectionId) => Collection | undefined
  /** Attribute names allowed after `@me.`. */
  readonly attributeNames: readonly string[]
  /** Read access of the condition's author; absent: unrestricted. Unreadable fields are reported as unknown. */
  readonly decisionFor?: QueryContext['decisionFor']
}

/**
 * Validates a condition before it is stored and converts names to IDs. Errors include a position. A stored condition
 * that later becomes invalid matches nothing (`checkStoredFilter`).
 */
export function checkCondition(condition: string | Filter, context: ConditionContext): Result<Filter, QueryFault> {
  const { collection, collectionOf, attributeNames, decisionFor = ALL_READABLE } = context
  const queryContext = {
    collection,
    collectionOf,
    decisionFor,
    // Placeholder values, because validity doesn't depend on the time or the reader.
    now: new Date(0),
    timeZone: 'UTC',
    workspaceTimeZone: 'UTC',
    actorId: null,
    profile: Object.fromEntries(attributeNames.map((name) => [name, []])) satisfies Profile,
  }
  const environment = context.decisionFor ? environmentOfActor(queryContext) : environmentOfRules(queryContext)
  if (!environment) return invalidQuery('filter', `You don’t have access to ${collection.label}.`)
  const checked = checkFilterIn(environment, condition)
  if (!checked.ok) return fail(checked.fault)
  const tree = typeof condition === 'string' ? parseFilter(condition) : ok({ filter: condition })
  // Parsing can't fail, because the same text was parsed above.
  const filter = tree.ok ? tree.value.filter : { any: [] }
  if (comparisonsOf(filter).some((comparison) => namesRemovedOption(comparison, context))) {
    return invalidQuery('filter', REMOVED_OPTION_MESSAGE)
  }
  if ([...SELF_CHOSEN_ATTRIBUTES].some((name) => readsAttribute(filter, name)))
    return invalidQuery('filter', SELF_CHOSEN_MESSAGE)
  return ok(filterById(filter, context))
}

const ALL_READABLE: QueryContext['decisionFor'] = () => ({ allowed: true, hiddenFields: new Set() })

const SELF_CHOSEN_MESSAGE =
  'Conditions can’t use @me.name or @me.email, because users set their own name and inviters set the email. Use @me or a user attribute.'

/** Whether a condition uses the user attribute `name`. */
export const readsAttribute = (filter: Filter, name: string): boolean =>
  comparisonsOf(filter).some((comparison) => literalsOf(comparison).some((one) => attributeNameOf(one) === name))

export const REMOVED_OPTION_MESSAGE = 'Uses an option that doesn’t exist.'

/** No value equals a deleted option, so a stored condition with “is not” would match everything. */
export function namesRemovedOption(comparison: Comparison, context: PathContext): boolean {
  const { field: path, op } = comparison
  const leaf = partsOfPath(path, context)?.at(-1)?.leaf
  if (leaf?.type !== 'field' || !hasSelectOptions(leaf.field) || readsText(op)) return false
  const { field } = leaf
  return literalsOf(comparison).some((literal) => typeof literal === 'string' && !findOption(field, literal))
}
