import { MAX_REPORTED, type PartProblem, Problem, type ProblemCode } from '#domain/shared/problem.ts'
import type { Result } from '#domain/shared/result.ts'

/** Throws when something is wrong with the values; says the first thing in words and lists as many as are told. */
export function assertValid(problems: readonly PartProblem[]): void {
  const [first] = problems
  if (!first) return
  const others = Math.min(problems.length, MAX_REPORTED) - 1
  const more = others > 0 ? ` ${others} more below.` : ''
  const place = first.path === '' ? '' : `${first.path}: `
  throw new Problem(codeOf(problems), `Nothing was saved. ${place}${first.message}${more}`, { errors: problems })
}

/** What alone stands in the way of a write has a code of its own. */
const DISTINCT_CODES = ['use-transition', 'field-frozen'] as const

const codeOf = (problems: readonly PartProblem[]): ProblemCode =>
  DISTINCT_CODES.find((code) => problems.some((problem) => problem.code === code)) ?? 'values-invalid'

/** The checked values, or the problem that lists everything wrong with them. */
export function validValues<Values>(checked: Result<Values, readonly PartProblem[]>): Values {
  if (checked.ok) return checked.value
  assertValid(checked.fault)
  throw new Problem('values-invalid', 'Nothing was saved.')
}
