import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { holds } from '#domain/access/decide.ts'
import { BUILT_IN_ATTRIBUTES, type UserAttribute } from '#domain/access/user-attributes.ts'
import { dependsOnAttribute } from '#domain/access/depends-on-attribute.ts'
import { transitionsUseAttribute } from '#domain/workflow/transitions-use-attribute.ts'
import { type PartProblem, Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import type { RolesDeps } from '#server/access/rights/roles-deps.ts'
import { incrementAccessVersion, storeUserAttributes } from '#server/access/rights/roles-store.ts'
import type { StoredAccessRules } from '#server/access/rights/access-rules-cache.ts'
import { type AuditActor, ACCESS_LOCK } from './save-role.ts'

/** Story: says what is noted about people. What a policy depends on stays. */
export function changeUserAttributes(
  needs: RolesDeps,
  { actor, address }: AuditActor,
  fields: readonly UserAttribute[],
): Promise<readonly UserAttribute[]> {
  return needs.database.write(async (transaction) => {
    const rules = await needs.rules.within(transaction)
    assertValidNames(fields)
    const kept = new Set(fields.map(({ name }) => name))
    const gone = rules.profileFields.filter(({ name }) => !kept.has(name))
    const definitions = await needs.definitions.within(transaction)
    for (const { name } of gone) assertUnused(name, actor, rules, definitions)
    await storeUserAttributes(transaction, fields)
    await incrementAccessVersion(transaction)
    const words = (all: readonly UserAttribute[]) => all.map(({ name }) => name).join(', ')
    await writeAudit(transaction.db, needs, {
      kind: 'profile-fields-changed',
      userId: userIdOf(actor),
      address,
      details: { before: words(rules.profileFields), after: words(fields) },
    })
    return fields
  }, ACCESS_LOCK)
}

function assertValidNames(fields: readonly UserAttribute[]): void {
  const taken = new Set<string>(BUILT_IN_ATTRIBUTES)
  const problems = fields.flatMap(({ name }, at): PartProblem[] => {
    const isTaken = taken.has(name)
    taken.add(name)
    if (!isTaken) return []
    return [{ path: `items.${at}.name`, code: 'name-taken', message: `“${name}” is reserved or listed twice.` }]
  })
  const [first] = problems
  if (first) throw new Problem('definition-invalid', `Nothing was saved. ${first.message}`, { errors: problems })
}

/** Refuses to forget what policies or workflows ask for. */
function assertUnused(name: string, actor: Actor, { saved }: StoredAccessRules, { list }: Definitions): void {
  const needing = [...saved.values()].filter(({ grants }) => grants.some((grant) => dependsOnAttribute(grant, name)))
  const moving = list.filter(({ workflow }) => transitionsUseAttribute(workflow, name))
  if (needing.length + moving.length === 0) return
  if (!holds(actor, 'roles:manage')) {
    throw new Problem('in-use', `Permissions depend on @me.${name}. Ask an owner to change them first.`)
  }
  const names = [...needing.map((policy) => policy.name), ...moving.map(({ label }) => label)].join(', ')
  throw new Problem('in-use', `Still used by ${names}: @me.${name}. Remove it there first.`, {
    extra: {
      policies: needing.map((policy) => ({ id: policy.id, name: policy.name })),
      collections: moving.map(({ id, name: called, label }) => ({ id, name: called, label })),
    },
  })
}
