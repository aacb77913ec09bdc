import { type Collection, findField } from '../collections/collection.ts'
import { REMOVED_OPTION_MESSAGE, namesRemovedOption } from '../query/check/check-condition.ts'
import { checkFilterIn, environmentOfRules } from '../query/check/check-filter.ts'
import { type Comparison, type Filter, literalsOf } from '../query/filter/filter.ts'
import { comparisonsOf, filterById, partsOfPath } from '../query/filter/saved-filter.ts'
import type { FieldId } from '../shared/ids.ts'
import { type PartProblem, partProblem } from '../shared/problem.ts'
import { type Result, fail, ok } from '../shared/result.ts'
import {
  conditionFault,
  type ReaderContext,
  type RuleContext,
  ruleQueryContext,
  sameCondition,
  treeOf,
} from './condition-errors.ts'
import { MAX_RULES, MAX_RULE_MESSAGE, MAX_RULE_VALUES, type Rule, type RuleId } from './rule.ts'

/** A rule without an ID is new. Conditions are text or trees, with names or IDs. */
export type RuleDraft = {
  readonly id?: RuleId | undefined
  readonly when?: string | Filter | null | undefined
  readonly then: string | Filter
  readonly message: string
  readonly field?: string | null | undefined
}

export type RulesCheckContext = ReaderContext & {
  /** Generates IDs for rules that don't have one. */
  readonly newId: () => string
  /** Existing rules, whose IDs drafts can refer to. */
  readonly known: readonly Rule[]
}

export function checkRules(
  drafts: readonly RuleDraft[],
  context: RulesCheckContext,
): Result<readonly Rule[], readonly PartProblem[]> {
  if (drafts.length > MAX_RULES)
    return fail([partProblem('rules', 'too-many', `A collection can have at most ${MAX_RULES} rules.`)])
  const taken = new Set<RuleId>()
  const checked = drafts.map((draft, at) => checkRuleDraft(draft, { ...context, taken, path: `rules.${at}` }))
  const faults = checked.flatMap((each) => (each.ok ? [] : each.fault))
  if (faults.length > 0) return fail(faults)
  const rules = checked.flatMap((each) => (each.ok ? [each.value] : []))
  if (valuesIn(rules) > MAX_RULE_VALUES) {
    return fail([
      partProblem('rules', 'too-many', `The rules of a collection can use at most ${MAX_RULE_VALUES} values in total.`),
    ])
  }
  return ok(rules)
}

type Place = RulesCheckContext & { readonly taken: Set<RuleId>; readonly path: string }

function checkRuleDraft(draft: RuleDraft, place: Place): Result<Rule, readonly PartProblem[]> {
  const { path, collection } = place
  const message = draft.message.trim()
  const problems: PartProblem[] = [...messageProblems(message, `${path}.message`)]
  const field = fieldNamed(collection, draft.field ?? null)
  if (field === undefined) {
    problems.push(partProblem(`${path}.field`, 'unknown-field', `There is no field “${draft.field}”.`))
  }
  const id = idOf(draft, place)
  if (id === undefined) problems.push(partProblem(`${path}.id`, 'unknown-rule', 'There is no rule with this ID.'))

  const conditions = checkConditions(draft, place)
  if (!conditions.ok) problems.push(...conditions.fault)
  const isValid = problems.length === 0 && conditions.ok
  return isValid && id !== undefined && field !== undefined
    ? ok({ id, ...conditions.value, message, field })
    : fail(problems)
}

function checkConditions(draft: RuleDraft, place: Place): Result<Pick<Rule, 'when' | 'then'>, readonly PartProblem[]> {
  const { path, known } = place
  const rule = known.find(({ id }) => id === draft.id)
  const check = (part: 'when' | 'then', condition: string | Filter): Result<Filter, PartProblem> => {
    const stored = rule?.[part]
    // An unchanged condition may use fields that the user can't read.
    return stored && sameCondition(condition, stored, place)
      ? ok(stored)
      : checkCondition(condition, place, `${path}.${part}`)
  }
  const when = isBlank(draft.when) ? ok(null) : check('when', draft.when)
  const then = isBlank(draft.then) ? fail(missingCondition(path)) : check('then', draft.then)
  if (when.ok && then.ok) return ok({ when: when.value, then: then.value })
  return fail([when, then].flatMap((part) => (part.ok ? [] : part.fault)))
}

function messageProblems(message: string, path: string): readonly PartProblem[] {
  if (message === '') return [partProblem(path, 'required', 'Enter an error message.')]
  const isLong = [...message].length > MAX_RULE_MESSAGE
  return isLong ? [partProblem(path, 'too-long', `Must be at most ${MAX_RULE_MESSAGE} characters long.`)] : []
}

/** Returns an existing ID that no other draft uses, or a new ID. */
function idOf({ id }: RuleDraft, { known, taken, newId }: Place): RuleId | undefined {
  const stored = id === undefined ? newId() : known.some((rule) => rule.id === id) && !taken.has(id) ? id : undefined
  if (stored !== undefined) taken.add(stored)
  return stored
}

function fieldNamed(collection: Collection, nameOrId: string | null): FieldId | null | undefined {
  return nameOrId === null ? null : findField(collection, nameOrId)?.id
}

const isBlank = (condition: RuleDraft['when']): condition is null | undefined =>
  condition === null ||
  condition === undefined ||
  (typeof condition === 'string' ? condition.trim() === '' : comparisonsOf(condition).length === 0)

const missingCondition = (path: string): PartProblem =>
  partProblem(`${path}.then`, 'required', 'Enter a condition, such as “tracking is not empty”.')

/** Validates a condition and converts its names to IDs, or returns the first problem. */
function checkCondition(condition: string | Filter, context: Place, path: string): Result<Filter, PartProblem> {
  const fault = conditionFault(condition, context)
  if (fault) {
    const { message, position } = fault
    return fail({ path, code: 'invalid-filter', message, ...(position !== undefined && { position }) })
  }
  const filter = treeOf(condition)
  if (comparisonsOf(filter).some((comparison) => namesRemovedOption(comparison, context)))
    return fail(partProblem(path, 'invalid-filter', REMOVED_OPTION_MESSAGE))
  const personal = comparisonsOf(filter).find((comparison) => dependsOnReader(comparison, context))
  if (!personal) return ok(filterById(filter, context))
  return fail(
    partProblem(
      path,
      'invalid-filter',
      'Rules can’t use @me, because they apply to every user. Use roles to control who can edit.',
    ),
  )
}

function dependsOnReader(comparison: Comparison, context: RuleContext): boolean {
  const leaf = partsOfPath(comparison.field, context)?.at(-1)?.leaf
  const isPerson =
    leaf?.type === 'field' ? leaf.field.kind === 'user' : leaf?.field === 'createdBy' || leaf?.field === 'updatedBy'
  return literalsOf(comparison).some((literal) => {
    const marker = typeof literal === 'object' ? literal.marker : isPerson ? literal : undefined
    return typeof marker === 'string' && /^@me\b/i.test(marker)
  })
}

/** Reason that a rule is no longer valid for the current fields. */
export function faultInRule({ when, then }: Rule, context: RuleContext): string | undefined {
  const environment = environmentOfRules(ruleQueryContext(context))
  for (const condition of when === null ? [then] : [when, then]) {
    const checked = checkFilterIn(environment, condition)
    if (!checked.ok) return checked.fault.message
    if (comparisonsOf(condition).some((comparison) => namesRemovedOption(comparison, context)))
      return REMOVED_OPTION_MESSAGE
  }
  return undefined
}

const valuesIn = (rules: readonly Rule[]): number =>
  rules
    .flatMap(({ when, then }) => [...(when === null ? [] : comparisonsOf(when)), ...comparisonsOf(then)])
    .reduce((sum, comparison) => sum + Math.max(1, literalsOf(comparison).length), 0)
