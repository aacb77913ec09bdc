import type { Actor } from '#domain/access/actor.ts'
import { type AccessRules, grantsOfRoles } from '#domain/access/policy.ts'
import { OWNER } from '#domain/access/role.ts'
import { isWithin } from '#domain/access/within.ts'
import type { RoleId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'

/** Whether everything a role gives is the actor's own as well. Only owners give, take or touch what is an owner's. */
export function mayGive(actor: Actor, rules: AccessRules, role: RoleId): boolean {
  if (actor.type === 'system') return true
  if (actor.type === 'guest') return false
  if (actor.roles?.includes(OWNER) === true) return true
  return role !== OWNER && grantsOfRoles(rules, [role]).every((grant) => isWithin(grant, actor.grants))
}

/** Nobody gives, takes or touches a role that may do more than they may: managing users must be no way to become an owner. */
export function refuseMoreThanOwn(actor: Actor, rules: AccessRules, roles: readonly RoleId[]): void {
  if (roles.every((role) => mayGive(actor, rules, role))) return
  throw new Problem('forbidden', 'This role may do more than you may. Ask an owner of this workspace to do this.')
}
