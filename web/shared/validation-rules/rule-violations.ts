import type { RuleBody } from '#api/rules.ts'
import { type Filter, pathsOf } from '#domain/query/filter/filter.ts'
import { comparisonsOf } from '#domain/query/filter/saved-filter.ts'
import type { PartProblem } from '#domain/shared/problem.ts'

/** A rule that values would break: what it says, beside which field, and which fields of the record it names. */
export type RuleViolation = {
  readonly path: string
  readonly message: string
  readonly fields: readonly string[]
  /** The fields that the rule compares with that one: it is said beside them as well. */
  readonly comparedWith?: readonly string[]
}

/** Which rules a record would break with its edits, and which edits must wait for that reason. */
export type RuleCheck = { readonly breaches: readonly RuleViolation[]; readonly withheld: readonly string[] }

/** Judges a record as it is stored together with what was changed in it since. */
export type RuleChecker = (base: Values, edits: Values) => RuleCheck

type Values = { readonly [field: string]: unknown }

/** Nothing stands in the way. */
export const NO_VIOLATIONS: RuleCheck = { breaches: [], withheld: [] }

/** The record's own fields that a condition names. */
function fieldsNamed(filter: Filter | null): readonly string[] {
  if (filter === null) return []
  if ('field' in filter) return pathsOf(filter).map((path) => path.split('.')[0] ?? path)
  return ('all' in filter ? filter.all : filter.any).flatMap(fieldsNamed)
}

/** The fields a rule names. */
export const fieldsNamedBy = ({ when, then }: Pick<RuleBody, 'when' | 'then'>): readonly string[] => [
  ...new Set([...fieldsNamed(when), ...fieldsNamed(then)]),
]

/** The fields that a rule compares with the one it is shown beside. */
export function comparedWith({ field, then }: Pick<RuleBody, 'field' | 'then'>): Pick<RuleViolation, 'comparedWith'> {
  const others = comparisonsOf(then)
    .map(pathsOf)
    .filter((paths) => paths.some((path) => path === field))
    .flatMap((paths) => paths.filter((path) => path !== field))
  return others.length === 0 ? {} : { comparedWith: others }
}

/**
 * What the server refused for the sake of a rule. One whose words are not known here, or that names nothing of what was
 * sent, concerns all of it: something must wait, else the same would be sent again at once.
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

/** What is said beside a field. */
export const violationAt = (breaches: readonly RuleViolation[], field: string): string | undefined =>
  breaches.find((breach) => breach.path === field || breach.comparedWith?.includes(field) === true)?.message

/** What is said above the form, since no field that is shown stands for it. */
export const violationsOutsideForm = (
  breaches: readonly RuleViolation[],
  shown: readonly string[],
): readonly string[] => [...new Set(breaches.filter(({ path }) => !shown.includes(path)).map(({ message }) => message))]
