import { userIdOf } from '#domain/access/actor.ts'
import type { Grant } from '#domain/access/grant.ts'
import { KNOWN_OF_EVERYBODY, type ProfileField } from '#domain/access/profile.ts'
import { namesOwn } from '#domain/query/check-condition.ts'
import { ownName } from '#domain/query/own-texts.ts'
import { type PartProblem, Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/audit/audit-log.ts'
import type { Definitions } from '#server/collections/definitions-cache.ts'
import type { RolesNeeds } from './roles-needs.ts'
import { raiseAccessVersion, storeProfileFields } from './roles-store.ts'
import type { StoredRules } from './rules-cache.ts'
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
    const definitions = await needs.definitions.within(transaction)
    for (const { name } of gone) refuseNeeded(name, rules, definitions)
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

/** Refuses to forget what policies or workflows ask for. */
function refuseNeeded(name: string, { policies }: StoredRules, { list }: Definitions): void {
  const needing = [...policies.values()].filter(({ grants }) => grants.some((grant) => readsOwn(grant, name)))
  const moving = list.filter(({ workflow }) =>
    workflow?.transitions.some(({ when }) => when !== null && namesOwn(when, name)),
  )
  if (needing.length + moving.length === 0) return
  const names = [...needing.map((policy) => policy.name), ...moving.map(({ label }) => label)].join(', ')
  throw new Problem('in-use', `${names} asks for @me.${name}. Take it out there first.`, {
    extra: {
      policies: needing.map((policy) => ({ id: policy.id, name: policy.name })),
      collections: moving.map(({ id, name: called, label }) => ({ id, name: called, label })),
    },
  })
}

const readsOwn = ({ where, presets = {} }: Grant, name: string): boolean =>
  (where !== undefined && namesOwn(where, name)) ||
  Object.values(presets).some((preset) => isMarker(preset) && ownName(preset) === name)

const isMarker = (value: unknown): value is { readonly marker: string } =>
  typeof value === 'object' && value !== null && 'marker' in value && typeof value.marker === 'string'
