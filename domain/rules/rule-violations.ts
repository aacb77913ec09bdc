import { checkFilterIn, environmentOfRules, joinChecked, negate } from '#domain/query/check/check-filter.ts'
import {
  type CheckedCondition,
  type CheckedFilter,
  type ComputedValue,
  type Source,
  conditionsIn,
  sourcesOf,
  storedFieldsAt,
} from '#domain/query/check/checked-filter.ts'
import { formulaInputs } from '#domain/formulas/formula-inputs.ts'
import { matches } from '#domain/query/run/matches.ts'
import { kindOfLeaf } from '#domain/query/filter/read-literal.ts'
import { type Lookup, NO_LOOKUP } from '#domain/query/run/read-values.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import { type RuleContext, ruleQueryContext } from './condition-errors.ts'
import type { Rule } from './rule.ts'

export type CompiledRule = {
  readonly rule: Rule
  readonly violatingFilter: CheckedFilter
  /** Fields that the rule reads; changes to other fields can't affect the result. */
  readonly fields: ReadonlySet<FieldId>
  /** Whether the rule depends only on the record's own values, so that a form can evaluate it. */
  readonly isLocal: boolean
}

/** Change to a record: `new` if it was created, otherwise the changed fields. */
export type Touched = 'new' | ReadonlySet<FieldId>

/** Omits rules that are no longer valid. */
export function compileRules(context: RuleContext): readonly CompiledRule[] {
  return (context.collection.rules ?? []).flatMap((rule) => compileRule(rule, context) ?? [])
}

/** Undefined if the rule is no longer valid for the current definitions. */
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

/** Why it isn't known which records violated a valid rule at an earlier time. */
export function unknownInPast({ when, then }: Rule, context: RuleContext): string | undefined {
  const environment = environmentOfRules(ruleQueryContext(context))
  const past = { ...environment, context: { ...environment.context, isPast: true } }
  for (const condition of [when ?? { all: [] }, then]) {
    const checked = checkFilterIn(past, condition)
    if (!checked.ok) return checked.fault.message
  }
  return undefined
}

/** A rule that was already violated doesn't block changes to unrelated fields. */
export const isAffected = ({ fields }: CompiledRule, touched: Touched): boolean =>
  touched === 'new' || [...touched].some((field) => fields.has(field))

/** Violated rules, limited to those that a form can evaluate. */
export const violatedLocally = (rules: readonly CompiledRule[], record: CollectionRecord): readonly Rule[] =>
  rules
    .filter(({ isLocal, violatingFilter }) => isLocal && matches(violatingFilter, record, NO_LOOKUP))
    .map(({ rule }) => rule)

export const violates = ({ violatingFilter }: CompiledRule, record: CollectionRecord, lookup: Lookup): boolean =>
  matches(violatingFilter, record, lookup)

function ownField({ steps: [first], leaf }: Source): readonly FieldId[] {
  if (first) return [first.relation.id]
  return storedFieldsAt(leaf)
}

/** Values assigned by the server, and names of users and files, aren't available in the form. */
export function readsOnlyOwnValues(condition: CheckedCondition): boolean {
  const isOwn = ({ steps, leaf }: Source) =>
    steps.length === 0 && leaf.type === 'field' && leaf.field.kind !== 'auto-number' && isInForm(leaf.computed)
  return sourcesOf(condition).every(isOwn) && !dependsOnNames(condition)
}

/** A formula that the user can't see has no inputs in the form. */
function isInForm(computed: ComputedValue | undefined): boolean {
  if (computed === undefined) return true
  const inputs = formulaInputs(computed.expression)
  return inputs.length > 0 && inputs.every((input) => input.node === 'field' && input.field.kind !== 'auto-number')
}

function dependsOnNames(condition: CheckedCondition): boolean {
  if (condition.type === 'pair') return false
  const { test, leaf } = condition
  const kind = kindOfLeaf(leaf)
  return (test.is === 'contains' || test.is === 'starts' || test.is === 'ends') && (kind === 'user' || kind === 'files')
}
