import { userIdOf } from '#domain/access/actor.ts'
import { KNOWN_OF_EVERYBODY, type ProfileField } from '#domain/access/profile.ts'
import { ownName } from '#domain/query/own-texts.ts'
import { comparisonsOf } from '#domain/query/saved-filter.ts'
import type { Policy } from '#domain/access/policy.ts'
import type { FilterLiteral } from '#domain/query/filter.ts'
import { type PartProblem, Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/audit/audit-log.ts'
import type { RolesNeeds } from './roles-needs.ts'
import { raiseAccessVersion, storeProfileFields } from './roles-store.ts'
import { type By, SAVING } from './save-role.ts'

/** Story: says what is noted about people. What a policy depends on stays. */
export function changeProfileFields(
  needs: RolesNeeds,
  { actor, address }: By,
  fields: readonly ProfileField[],
): Promise<readonly ProfileField[]> {
  return needs.database.write(async (transaction) => {
    const rules = await needs.rules.within(transaction)
    refuseNames(fields)
    const kept = new Set(fields.map(({ name }) => name))
    const gone = rules.profileFields.filter(({ name }) => !kept.has(name))
    for (const { name } of gone) refuseNeeded(name, [...rules.policies.values()])
    await storeProfileFields(transaction, fields)
    await raiseAccessVersion(transaction)
    const words = (all: readonly ProfileField[]) => all.map(({ name }) => name).join(', ')
    await writeAudit(transaction.db, needs, {
      kind: 'profile-fields-changed',
      userId: userIdOf(actor),
      address,
      details: { before: words(rules.profileFields), after: words(fields) },
    })
    return fields
  }, SAVING)
}

function refuseNames(fields: readonly ProfileField[]): void {
  const taken = new Set<string>(KNOWN_OF_EVERYBODY)
  const problems = fields.flatMap(({ name }, at): PartProblem[] => {
    const isTaken = taken.has(name)
    taken.add(name)
    if (!isTaken) return []
    return [
      { path: `items.${at}.name`, code: 'name-taken', message: `“${name}” is known of everybody or noted twice.` },
    ]
  })
  const [first] = problems
  if (first) throw new Problem('definition-invalid', `Nothing was saved. ${first.message}`, { errors: problems })
}

function refuseNeeded(name: string, policies: readonly Policy[]): void {
  const needing = policies.filter(({ grants }) =>
    grants.some(
      ({ where, presets }) =>
        (where !== undefined && comparisonsOf(where).some(({ value }) => literalsIn(value).some(isNamed))) ||
        Object.values(presets ?? {}).some((preset) => isMarker(preset) && ownName(preset) === name),
    ),
  )
  function isNamed(literal: FilterLiteral): boolean {
    return ownName(literal) === name
  }
  if (needing.length === 0) return
  const names = needing.map((policy) => policy.name).join(', ')
  throw new Problem('in-use', `${names} asks for @me.${name}. Take it out there first.`, {
    extra: { policies: needing.map((policy) => ({ id: policy.id, name: policy.name })) },
  })
}

const literalsIn = (value: FilterLiteral | readonly FilterLiteral[] | undefined): readonly FilterLiteral[] => {
  if (value === undefined) return []
  return isList(value) ? value : [value]
}

const isList = (value: FilterLiteral | readonly FilterLiteral[]): value is readonly FilterLiteral[] =>
  Array.isArray(value)

const isMarker = (value: unknown): value is { readonly marker: string } =>
  typeof value === 'object' && value !== null && 'marker' in value && typeof value.marker === 'string'
