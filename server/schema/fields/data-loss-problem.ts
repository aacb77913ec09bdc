import { Problem } from '#domain/shared/problem.ts'
import type { DataLoss } from './convert-values.ts'

/** Tells what a change would lose; saying `acceptLoss` goes ahead. */
export function dataLossProblem(label: string, { count, examples }: DataLoss): Problem {
  const some = examples.slice(0, 5).map((example) => `“${example}”`)
  return new Problem(
    'definition-invalid',
    `${count === 1 ? 'One value' : `${count} values`} of ${label} would be lost (${some.join(', ')}). Nothing was changed.`,
    {
      errors: [{ path: 'acceptLoss', code: 'values-lost', message: 'Set acceptLoss to continue.' }],
      extra: { lost: { count, examples } },
    },
  )
}
