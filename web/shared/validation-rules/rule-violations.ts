import type { RuleBody } from '#api/rules.ts'
import { type Filter, pathsOf } from '#domain/query/filter/filter.ts'
import { comparisonsOf } from '#domain/query/filter/saved-filter.ts'
import type { PartProblem } from '#domain/shared/problem.ts'

export type RuleViolation = {
  readonly path: string
  readonly message: string
  readonly fields: readonly string[]
  /** Other fields used in the comparison, which also show the message. */
  readonly comparedWith?: readonly string[]
}

export type RuleCheck = { readonly breaches: readonly RuleViolation[]; readonly withheld: readonly string[] }

export type RuleChecker = (base: Values, edits: Values) => RuleCheck

type Values = { readonly [field: string]: unknown }

export const NO_VIOLATIONS: RuleCheck = { breaches: [], withheld: [] }

function fieldsNamed(filter: Filter | null): readonly string[] {
  if (filter === null) return []
  return comparisonsOf(filter).flatMap((comparison) => pathsOf(comparison).map((path) => path.split('.')[0] ?? path))
}

export const fieldsNamedBy = ({ when, then }: Pick<RuleBody, 'when' | 'then'>): readonly string[] => [
  ...new Set([...fieldsNamed(when), ...fieldsNamed(then)]),
]

export function comparedWith({ field, then }: Pick<RuleBody, 'field' | 'then'>): Pick<RuleViolation, 'comparedWith'> {
  const others = comparisonsOf(then)
    .map(pathsOf)
    .filter((paths) => paths.some((path) => path === field))
    .flatMap((paths) => paths.filter((path) => path !== field))
  return others.length === 0 ? {} : { comparedWith: others }
}

/**
 * If the rule is hidden or none of its fields was sent, no edits are sent, because the same values would fail again.
 */
export function violationsIn(
  problems: readonly PartProblem[],
  rules: readonly RuleBody[],
  sent: readonly string[],
): readonly RuleViolation[] {
  return problems.map(({ path, message }) => {
    const rule = rules.find((each) => each.message === message && (each.field ?? '') === path)
    const named = rule ? fieldsNamedBy(rule) : []
    return {
      path,
      message,
      fields: named.some((name) => sent.includes(name)) ? named : sent,
      ...(rule && comparedWith(rule)),
    }
  })
}

export const violationAt = (breaches: readonly RuleViolation[], field: string): string | undefined =>
  breaches.find((breach) => breach.path === field || breach.comparedWith?.includes(field) === true)?.message

/** Messages that don't belong to a visible field in the form. */
export const violationsOutsideForm = (
  breaches: readonly RuleViolation[],
  shown: readonly string[],
): readonly string[] => [...new Set(breaches.filter(({ path }) => !shown.includes(path)).map(({ message }) => message))]
