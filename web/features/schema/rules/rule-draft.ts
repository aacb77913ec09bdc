import type { RuleBody } from '#api/rules.ts'
import type { Field } from '#domain/fields/field.ts'
import { type Comparison, type Filter, isFieldOperand, pathsOf } from '#domain/query/filter/filter.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import { comparisonsOf, negateFilter, type PathContext } from '#domain/query/filter/saved-filter.ts'
import { type CollectionChange, useChangeCollection } from '#web/features/schema/collection/collection-queries.ts'
import { plural, t } from '#web/i18n/t.ts'
import { describeCondition, type DescribeContext, describeField } from '#web/shared/conditions/describe-condition.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'

export type RuleDraft = {
  readonly when: Filter | null
  readonly then: Filter | null
  readonly message: string
  /** The field that shows the error; undefined means the first field in the condition. */
  readonly field: string | null | undefined
}

export const newRule = ({ fields: [first] }: TypedCollection): RuleDraft => ({
  when: null,
  then: first ? { field: first.name, op: 'is not empty' } : null,
  message: '',
  field: undefined,
})

export function shownField({ field, then }: RuleDraft, names: readonly string[]): string | null {
  if (field !== undefined) return field
  const [first] = then === null ? [] : comparisonsOf(then)
  const own = first?.field.split('.')[0]
  return own !== undefined && names.includes(own) ? own : null
}

/**
 * Fields that may be empty when the rule applies. A comparison with an empty field is false, so such records violate
 * the rule.
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

export function onlyWhereFilled({ when }: Pick<RuleDraft, 'when'>, fields: readonly Field[]): Filter {
  const before = when === null ? [] : 'all' in when ? when.all : [when]
  const filled = fields.map(({ name }): Filter => ({ field: name, op: 'is not empty' }))
  return { all: [...before, ...filled] }
}

/** Comparisons that must all hold. */
function heldComparisons(condition: Filter | null): readonly Comparison[] {
  if (condition === null) return []
  if ('field' in condition) return [condition]
  return 'all' in condition ? condition.all.flatMap(heldComparisons) : []
}

export function describeRule({ when, then }: Pick<RuleBody, 'when' | 'then'>, world: DescribeContext): string {
  const demand = describeCondition(then, world)
  return when === null
    ? demand
    : t('When {conditionWords}: {demand}', { conditionWords: describeCondition(when, world), demand })
}

export function ruleMessage({ when, then }: Pick<RuleBody, 'when' | 'then'>, world: DescribeContext): string {
  const isPresence = 'field' in then && then.op === 'is not empty'
  const demand = isPresence
    ? t('{field} must not be empty', { field: describeField(then.field, world) })
    : t('make sure that {said}', { said: describeCondition(then, world) })
  return when === null
    ? `${demand.slice(0, 1).toUpperCase()}${demand.slice(1)}.`
    : t('When {conditionWords}, {demand}.', { conditionWords: describeCondition(when, world), demand })
}

/** Clears a default message, so that changes regenerate it. */
export const withCustomMessage = (stored: RuleBody, world: DescribeContext): RuleDraft => ({
  ...stored,
  message: stored.message === ruleMessage(stored, world) ? '' : stored.message,
})

/** The filter for violating records as a URL parameter; undefined if only the server can find them. */
export function violatingFilter(
  { when, then }: Pick<RuleBody, 'when' | 'then'>,
  world: PathContext,
): string | undefined {
  const negated = negateFilter(then, world)
  if (negated === undefined) return undefined
  return printFilter(when === null ? negated : { all: [when, negated] })
}

type RuleInputs = NonNullable<CollectionChange['rules']>

/** A new rule has no id. */
type RuleInput = Omit<RuleBody, 'id'>

/** The server replaces all rules of a collection in one request. */
export function useSaveRules(collection: TypedCollection) {
  const { mutate, isPending, error, reset } = useChangeCollection(collection.name)
  const rules: RuleInputs = collection.rules ?? []

  const put = (rule: RuleInput, id: string | undefined, onDone: () => void) => {
    const next = id === undefined ? [...rules, rule] : rules.map((each) => (each.id === id ? { ...rule, id } : each))
    mutate(
      { rules: next },
      {
        onSuccess: ({ broken = [] }) => {
          notifyViolations(broken)
          onDone()
        },
      },
    )
  }
  const remove = (rule: RuleBody) => {
    const { id, ...said } = rule
    const onError = notifyFailure(t('Couldn’t save the rules'))
    const putBack = () => mutate({ rules: [...rules.filter((each) => each.id !== id), said] }, { onError })
    mutate(
      { rules: rules.filter((each) => each.id !== id) },
      { onSuccess: () => notify.success(t('Rule removed'), { action: { label: t('Undo'), run: putBack } }), onError },
    )
  }
  return { put, remove, isPending, error, reset }
}

type ViolationCount = { readonly count: number | null; readonly countIs: 'exact' | 'atLeast' | 'unknown' }

/** Reports that the rule was saved and how many records violate it. */
function notifyViolations([broken]: readonly ViolationCount[]): void {
  if (!broken?.count) return void notify.success(t('Rule saved'))
  const broke =
    broken.countIs === 'atLeast'
      ? plural(broken.count, 'More than {n} record breaks it.', 'More than {n} records break it.')
      : plural(broken.count, '{n} record breaks it.', '{n} records break it.')
  notify.info(t('Rule saved'), { detail: `${broke} ${t('They stay unchanged until someone edits them.')}` })
}
