import { checkFilterIn, environmentOfActor } from '#domain/query/check/check-filter.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { parseFilter } from '#domain/query/filter/parse-filter.ts'
import type { QueryContext, QueryFault } from '#domain/query/check/query-context.ts'
import { filterById } from '#domain/query/filter/saved-filter.ts'
import { type Json, sameJson } from '#domain/shared/json.ts'
import { isMessageVisible } from './visible-rules.ts'

/** What rules are read by: the collection, where its relations lead, and the clock. */
export type RuleContext = Pick<QueryContext, 'collection' | 'collectionOf' | 'now' | 'workspaceTimeZone'>

/** The same, and what somebody may see of it. */
export type ReaderContext = RuleContext & Pick<QueryContext, 'decisionFor'>

/** Rules are read by nobody in particular, and see everything. */
export const ruleQueryContext = (context: RuleContext): QueryContext => ({
  ...context,
  timeZone: context.workspaceTimeZone,
  decisionFor: () => ({ allowed: true, hiddenFields: new Set() }),
  actorId: null,
})

/**
 * What is wrong with a condition that somebody lays down for others, as far as they may know: what they may not read is
 * answered like what is not there, for whether the condition holds would tell them of it. Whoever reads all it names, in
 * every record, sees no more in it than the rules do.
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

const UNREADABLE_CONDITION =
  'This condition uses records or values you can’t fully read and could reveal the rest. Ask an owner.'

/** Whether a condition that was sent is the one that is kept. */
export const sameCondition = (condition: string | Filter, kept: Filter, context: RuleContext): boolean =>
  sameJson(asJson(filterById(treeOf(condition), context)), asJson(kept))

/** A filter is plain data; the type only forgets it. */
const asJson = (filter: Filter): Json => JSON.parse(JSON.stringify(filter))

/** The tree of a text; one that cannot be read is no condition of ours. */
export function treeOf(condition: string | Filter): Filter {
  if (typeof condition !== 'string') return condition
  const parsed = parseFilter(condition)
  return parsed.ok ? parsed.value.filter : { any: [] }
}
