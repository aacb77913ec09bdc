import type { Profile } from '#domain/access/actor.ts'
import type { UserAttribute } from '#domain/access/user-attributes.ts'
import { type PartProblem, Problem } from '#domain/shared/problem.ts'

/** What is to be noted about somebody, added to what is; an empty text or list takes a note away. */
export function changedAttributes(fields: readonly UserAttribute[], before: Profile, given: Profile): Profile {
  const problems = Object.entries(given).flatMap(([name, value]): PartProblem[] => {
    const path = `profile.${name}`
    const field = fields.find((each) => each.name === name)
    if (!field) return [{ path, code: 'unknown-name', message: `There is no user attribute “${name}”.` }]
    if (!field.many && Array.isArray(value) && value.length > 1)
      return [{ path, code: 'too-many', message: `${field.label} can have only one value.` }]
    return []
  })
  const [first] = problems
  if (first) throw new Problem('definition-invalid', `Nothing was saved. ${first.message}`, { errors: problems })

  const known = new Set(fields.map(({ name }) => name))
  return Object.fromEntries(
    Object.entries({ ...before, ...given })
      .filter(([name]) => known.has(name))
      .map(([name, value]) => [name, tidied(value)] as const)
      .filter(([, value]) => value.length > 0),
  )
}

const tidied = (value: string | readonly string[]): string | readonly string[] =>
  typeof value === 'string' ? value : [...new Set(value.filter((text) => text !== ''))]
