import { checkFilterIn, environmentOfActor } from '#domain/query/check/check-filter.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { parseFilter } from '#domain/query/filter/parse-filter.ts'
import type { QueryContext, QueryFault } from '#domain/query/check/query-context.ts'
import { filterById } from '#domain/query/filter/saved-filter.ts'
import { type Json, sameJson } from '#domain/shared/json.ts'
import { isMessageVisible } from './visible-rules.ts'

export type RuleContext = Pick<QueryContext, 'collection' | 'collectionOf' | 'now' | 'workspaceTimeZone'>

export type ReaderContext = RuleContext & Pick<QueryContext, 'decisionFor'>

/** Rules aren't evaluated as a user, so they can read everything. */
export const ruleQueryContext = (context: RuleContext): QueryContext => ({
  ...context,
  timeZone: context.workspaceTimeZone,
  decisionFor: () => ({ allowed: true, hiddenFields: new Set() }),
  actorId: null,
})

/**
 * Validates a condition that applies to other users' records. Hidden and partly readable fields are reported as
 * unknown, because the condition's result would reveal their values.
 */
export function conditionFault(condition: string | Filter, context: ReaderContext): QueryFault | undefined {
  const environment = environmentOfActor({ ...ruleQueryContext(context), decisionFor: context.decisionFor })
  if (!environment) return fault(`You don’t have access to ${context.collection.label}.`)
  const checked = checkFilterIn(environment, condition)
  if (!checked.ok) return checked.fault
  return isMessageVisible({ when: null, then: treeOf(condition), field: null }, context)
    ? undefined
    : fault(UNREADABLE_CONDITION)
}

const fault = (message: string): QueryFault => ({ code: 'invalid-filter', path: 'filter', message })

const UNREADABLE_CONDITION = 'This condition could reveal records or values you can’t read. Ask an owner.'

/** Whether a submitted condition equals the stored one. */
export const sameCondition = (condition: string | Filter, stored: Filter, context: RuleContext): boolean =>
  sameJson(asJson(filterById(treeOf(condition), context)), asJson(stored))

const asJson = (filter: Filter): Json => JSON.parse(JSON.stringify(filter))

/** Invalid text becomes a condition that matches nothing. */
export function treeOf(condition: string | Filter): Filter {
  if (typeof condition !== 'string') return condition
  const parsed = parseFilter(condition)
  return parsed.ok ? parsed.value.filter : { any: [] }
}
