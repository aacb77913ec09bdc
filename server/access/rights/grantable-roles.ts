import { type Actor, isOwner } from '#domain/access/actor.ts'
import { type AccessRules, OWNER, grantsOfRoles } from '#domain/access/policy.ts'
import { isGrantCovered } from '#domain/access/grant-coverage.ts'
import type { RoleId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import type { RolesDeps, StoredAccessRules } from './access-rules-cache.ts'

/** Everything that roles and user attributes affect: grants, and role-restricted transitions. */
export type AccessState<Rules extends AccessRules = AccessRules> = {
  readonly rules: Rules
  readonly definitions: Pick<Definitions, 'list'>
}

export type AccessStateDeps = Pick<RolesDeps, 'rules' | 'definitions'>

export const accessStateIn = async (
  { rules, definitions }: AccessStateDeps,
  transaction: Transaction,
): Promise<AccessState<StoredAccessRules>> => ({
  rules: await rules.within(transaction),
  definitions: await definitions.within(transaction),
})

export const currentAccessState = async ({
  rules,
  definitions,
}: AccessStateDeps): Promise<AccessState<StoredAccessRules>> => ({
  rules: await rules.current(),
  definitions: await definitions.current(),
})

/** Whether a role's permissions are a subset of the actor's own. Only owners assign or remove the owner role. */
export function canAssignRole(actor: Actor, { rules, definitions }: AccessState, role: RoleId): boolean {
  if (actor.type === 'system') return true
  if (actor.type === 'guest') return false
  if (isOwner(actor)) return true
  const isOutOfReach =
    role === OWNER || (isRequiredByTransitions(definitions, role) && actor.roles?.includes(role) !== true)
  return !isOutOfReach && grantsOfRoles(rules, [role]).every((grant) => isGrantCovered(grant, actor.grants))
}

/**
 * Whether any transition is restricted to this role; the role then grants the transition regardless of its policies.
 */
const isRequiredByTransitions = ({ list }: Pick<Definitions, 'list'>, role: RoleId): boolean =>
  list.some(({ workflow }) => workflow?.transitions.some(({ roles }) => roles.includes(role)))

/**
 * Users can only assign and remove roles within their own permissions; otherwise a user manager could become an owner.
 */
export function assertAssignable(actor: Actor, standing: AccessState, roles: readonly RoleId[]): void {
  if (roles.every((role) => canAssignRole(actor, standing, role))) return
  throw new Problem('forbidden', 'This role has permissions you don’t have. Ask an owner.')
}
