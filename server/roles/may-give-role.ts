import { type Actor, isOwner } from '#domain/access/actor.ts'
import { type AccessRules, grantsOfRoles } from '#domain/access/policy.ts'
import { OWNER } from '#domain/access/role.ts'
import { isWithin } from '#domain/access/within.ts'
import type { RoleId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Definitions } from '#server/collections/definitions-cache.ts'
import type { Transaction } from '#server/database/database.ts'
import type { RolesNeeds } from './roles-needs.ts'
import type { StoredRules } from './rules-cache.ts'

/** All that roles and notes about people come to: grants, and moves that are kept for some. */
export type Standing<Rules extends AccessRules = AccessRules> = {
  readonly rules: Rules
  readonly definitions: Pick<Definitions, 'list'>
}

/** What it takes to know it. */
export type StandingNeeds = Pick<RolesNeeds, 'rules' | 'definitions'>

/** The same as a write finds it. */
export const standingIn = async (
  { rules, definitions }: StandingNeeds,
  transaction: Transaction,
): Promise<Standing<StoredRules>> => ({
  rules: await rules.within(transaction),
  definitions: await definitions.within(transaction),
})

/** The same as it is now. */
export const standingNow = async ({ rules, definitions }: StandingNeeds): Promise<Standing<StoredRules>> => ({
  rules: await rules.current(),
  definitions: await definitions.current(),
})

/** Whether everything a role gives is the actor's own as well. Only owners give, take or touch what is an owner's. */
export function mayGive(actor: Actor, { rules, definitions }: Standing, role: RoleId): boolean {
  if (actor.type === 'system') return true
  if (actor.type === 'guest') return false
  if (isOwner(actor)) return true
  const isOutOfReach = role === OWNER || (isForMoves(definitions, role) && actor.roles?.includes(role) !== true)
  return !isOutOfReach && grantsOfRoles(rules, [role]).every((grant) => isWithin(grant, actor.grants))
}

/** Whether moves are kept for a role: then it gives them, whatever its policies say. */
const isForMoves = ({ list }: Pick<Definitions, 'list'>, role: RoleId): boolean =>
  list.some(({ workflow }) => workflow?.transitions.some(({ roles }) => roles.includes(role)))

/** Nobody gives, takes or touches a role that may do more than they may: managing users must be no way to become an owner. */
export function refuseMoreThanOwn(actor: Actor, standing: Standing, roles: readonly RoleId[]): void {
  if (roles.every((role) => mayGive(actor, standing, role))) return
  throw new Problem('forbidden', 'This role may do more than you may. Ask an owner of this workspace to do this.')
}
