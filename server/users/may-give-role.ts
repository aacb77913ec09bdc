import type { Actor } from '#domain/access/actor.ts'
import { holdsEverywhere } from '#domain/access/decide.ts'
import { grantsOfRole, type RoleName } from '#domain/access/roles.ts'
import { Problem } from '#domain/shared/problem.ts'

/** Nobody gives, takes or touches a role that may do more than they may: managing users must be no way to become an owner. */
export function refuseMoreThanOwn(actor: Actor, role: RoleName | undefined): void {
  if (role === undefined) return
  const isWithinOwn = grantsOfRole(role).every(({ permission }) => holdsEverywhere(actor, permission))
  if (!isWithinOwn) {
    throw new Problem('forbidden', 'This role may do more than you may. Ask an owner of this workspace to do this.')
  }
}
