import type { RuleBody } from '#api/rules.ts'
import type { Field } from '#domain/fields/field.ts'
import { type Comparison, type Filter, isFieldOperand, pathsOf } from '#domain/query/filter/filter.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import { type PathContext, comparisonsOf, negateFilter } from '#domain/query/filter/saved-filter.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { describeCondition, describeField, type DescribeContext } from '#web/shared/conditions/describe-condition.ts'
import { t } from '#web/i18n/t.ts'

/** A rule as its dialog asks for it. */
export type RuleDraft = {
  readonly when: Filter | null
  readonly then: Filter | null
  readonly message: string
  /** The name of the field beside which a form says it; `undefined` as long as nobody chose: the first that must hold. */
  readonly field: string | null | undefined
}

/** A rule to begin with: most say that something must be there. */
export const newRule = ({ fields: [first] }: TypedCollection): RuleDraft => ({
  when: null,
  then: first ? { field: first.name, op: 'is not empty' } : null,
  message: '',
  field: undefined,
})

/** The field a rule is shown beside: the chosen one, else the first its demand names. */
export function shownField({ field, then }: RuleDraft, names: readonly string[]): string | null {
  if (field !== undefined) return field
  const [first] = then === null ? [] : comparisonsOf(then)
  const own = first?.field.split('.')[0]
  return own !== undefined && names.includes(own) ? own : null
}

/**
 * The fields that a rule compares and that may be empty where it applies: a comparison does not hold there, so such a
 * record breaks the rule.
 */
export function comparedWhileEmpty(
  { when, then }: Pick<RuleDraft, 'when' | 'then'>,
  { fields }: TypedCollection,
): readonly Field[] {
  const [given, demanded] = [heldComparisons(when), heldComparisons(then)]
  const filled = new Set([...given, ...demanded].filter(({ op }) => op === 'is not empty').map(({ field }) => field))
  const compared = new Set(demanded.filter(({ op, value }) => isFieldOperand(value) && op !== '!=').flatMap(pathsOf))
  return fields.filter(
    ({ name, required, kind }) => compared.has(name) && !required && kind !== 'checkbox' && !filled.has(name),
  )
}

/** The same rule for the records alone in which these fields are filled in. */
export function onlyWhereFilled({ when }: Pick<RuleDraft, 'when'>, fields: readonly Field[]): Filter {
  const before = when === null ? [] : 'all' in when ? when.all : [when]
  const filled = fields.map(({ name }): Filter => ({ field: name, op: 'is not empty' }))
  return { all: [...before, ...filled] }
}

/** The comparisons that all hold wherever a condition holds. */
function heldComparisons(condition: Filter | null): readonly Comparison[] {
  if (condition === null) return []
  if ('field' in condition) return [condition]
  return 'all' in condition ? condition.all.flatMap(heldComparisons) : []
}

/** What a rule says, in words. */
export function describeRule({ when, then }: Pick<RuleBody, 'when' | 'then'>, world: DescribeContext): string {
  const demand = describeCondition(then, world)
  return when === null
    ? demand
    : t('When {conditionWords}: {demand}', { conditionWords: describeCondition(when, world), demand })
}

/** What people read who break a rule, as long as its owner has no words of their own for it. */
export function ruleMessage({ when, then }: Pick<RuleBody, 'when' | 'then'>, world: DescribeContext): string {
  const isPresence = 'field' in then && then.op === 'is not empty'
  const demand = isPresence
    ? t('{field} must not be empty', { field: describeField(then.field, world) })
    : t('make sure that {said}', { said: describeCondition(then, world) })
  return when === null
    ? `${demand.slice(0, 1).toUpperCase()}${demand.slice(1)}.`
    : t('When {conditionWords}, {demand}.', { conditionWords: describeCondition(when, world), demand })
}

/** A stored rule to be changed: what it says by itself is said anew of what it becomes. */
export const withCustomMessage = (stored: RuleBody, world: DescribeContext): RuleDraft => ({
  ...stored,
  message: stored.message === ruleMessage(stored, world) ? '' : stored.message,
})

/** The filter of the records that break a rule, as an address has it; undefined where only the server can tell them. */
export function violatingFilter(
  { when, then }: Pick<RuleBody, 'when' | 'then'>,
  world: PathContext,
): string | undefined {
  const negated = negateFilter(then, world)
  if (negated === undefined) return undefined
  return printFilter(when === null ? negated : { all: [when, negated] })
}
