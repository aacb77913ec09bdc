import { type PartProblem, Problem } from '#domain/shared/problem.ts'
import type { Result } from '#domain/shared/result.ts'

/** Throws when something is wrong with the values; says the first thing in words and lists them all. */
export function refuseInvalid(problems: readonly PartProblem[]): void {
  const [first] = problems
  if (!first) return
  const more = problems.length > 1 ? ` ${problems.length - 1} more below.` : ''
  const place = first.path === '' ? '' : `${first.path}: `
  throw new Problem('values-invalid', `Nothing was saved. ${place}${first.message}${more}`, { errors: problems })
}

/** The checked values, or the problem that lists everything wrong with them. */
export function acceptedValues<Values>(checked: Result<Values, readonly PartProblem[]>): Values {
  if (checked.ok) return checked.value
  refuseInvalid(checked.fault)
  throw new Problem('values-invalid', 'Nothing was saved.')
}
