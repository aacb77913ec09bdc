import { checkFilterIn, environmentOfRules, joinChecked, negate } from '#domain/query/check/check-filter.ts'
import {
  type CheckedCondition,
  type CheckedFilter,
  type Source,
  conditionsIn,
  sourcesOf,
} from '#domain/query/check/checked-filter.ts'
import { matches } from '#domain/query/run/matches.ts'

import { kindOfLeaf } from '#domain/query/filter/read-literal.ts'
import type { Lookup } from '#domain/query/run/read-values.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import { type RuleContext, ruleQueryContext } from './condition-errors.ts'
import type { Rule } from './rule.ts'

/** A rule ready to be judged. */
export type CompiledRule = {
  readonly rule: Rule
  /** Finds the records that break it. */
  readonly violatingFilter: CheckedFilter
  /** The collection's own fields it names: a change of none of them does not ask for it. */
  readonly fields: ReadonlySet<FieldId>
  /** Whether the values of the record alone decide, so that a form can judge it. */
  readonly isLocal: boolean
}

/** What became of a record in one write: new, or the fields that changed. */
export type Touched = 'new' | ReadonlySet<FieldId>

/** The rules of a collection, ready to be judged. One that does not fit any more is left out: it says nothing. */
export function compileRules(context: RuleContext): readonly CompiledRule[] {
  return (context.collection.rules ?? []).flatMap((rule) => compileRule(rule, context) ?? [])
}

/** One rule, ready to be judged; undefined when it does not fit the definitions. */
export function compileRule(rule: Rule, context: RuleContext): CompiledRule | undefined {
  const environment = environmentOfRules(ruleQueryContext(context))
  const when = checkFilterIn(environment, rule.when ?? { all: [] })
  const then = checkFilterIn(environment, rule.then)
  if (!when.ok || !then.ok) return undefined
  const conditions = [when.value, then.value].flatMap(conditionsIn)
  return {
    rule,
    violatingFilter: joinChecked(when.value, negate(then.value)),
    fields: new Set(conditions.flatMap(sourcesOf).flatMap(ownField)),
    isLocal: conditions.every(readsOnlyOwnValues),
  }
}

/**
 * Whether a rule is asked after a write. What was wrong before and is left alone stays as it is: nobody is kept from
 * mending one thing because of another.
 */
export const isAffected = ({ fields }: CompiledRule, touched: Touched): boolean =>
  touched === 'new' || [...touched].some((field) => fields.has(field))

/** The rules that a record in memory breaks, of those that its values alone decide. */
export const violatedLocally = (rules: readonly CompiledRule[], record: CollectionRecord): readonly Rule[] =>
  rules
    .filter(({ isLocal, violatingFilter }) => isLocal && matches(violatingFilter, record, NO_LOOKUP))
    .map(({ rule }) => rule)

/** Whether a record breaks a rule, its relations followed. */
export const violates = ({ violatingFilter }: CompiledRule, record: CollectionRecord, lookup: Lookup): boolean =>
  matches(violatingFilter, record, lookup)

const NO_LOOKUP: Lookup = {
  recordOf: () => undefined,
  fileNameOf: () => undefined,
  userNameOf: () => undefined,
}

function ownField({ steps: [first], leaf }: Source): readonly FieldId[] {
  if (first) return [first.relation.id]
  return leaf.type === 'field' ? [leaf.field.id] : []
}

/** Names of people and files stand elsewhere, and so does what the server gives by itself. */
export function readsOnlyOwnValues(condition: CheckedCondition): boolean {
  const isOwn = ({ steps, leaf }: Source) =>
    steps.length === 0 && leaf.type === 'field' && leaf.field.kind !== 'auto-number'
  return sourcesOf(condition).every(isOwn) && !dependsOnNames(condition)
}

function dependsOnNames(condition: CheckedCondition): boolean {
  if (condition.type === 'pair') return false
  const { test, leaf } = condition
  const kind = kindOfLeaf(leaf)
  return (test.is === 'contains' || test.is === 'starts' || test.is === 'ends') && (kind === 'user' || kind === 'files')
}
