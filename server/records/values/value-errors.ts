import { MAX_REPORTED, type PartProblem, Problem, type ProblemCode } from '#domain/shared/problem.ts'
import type { Result } from '#domain/shared/result.ts'

/** Throws a problem that lists all invalid values and uses the first error as its message. */
export function assertValid(problems: readonly PartProblem[]): void {
  const [first] = problems
  if (!first) return
  const others = Math.min(problems.length, MAX_REPORTED) - 1
  const more = others > 0 ? ` ${others} more below.` : ''
  const place = first.path === '' ? '' : `${first.path}: `
  throw new Problem(codeOf(problems), `Nothing was saved. ${place}${first.message}${more}`, { errors: problems })
}

/** Error codes that also become the code of the whole problem. */
const DISTINCT_CODES = ['use-transition', 'field-frozen'] as const

const codeOf = (problems: readonly PartProblem[]): ProblemCode =>
  DISTINCT_CODES.find((code) => problems.some((problem) => problem.code === code)) ?? 'values-invalid'

export function validValues<Values>(checked: Result<Values, readonly PartProblem[]>): Values {
  if (checked.ok) return checked.value
  assertValid(checked.fault)
  throw new Problem('values-invalid', 'Nothing was saved.')
}
