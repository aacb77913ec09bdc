import type { Actor } from '#domain/access/actor.ts'
import { holds } from '#domain/access/decide.ts'
import type { AccessRules } from '#domain/access/policy.ts'
import type { RoleId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'

/** Refuses roles that are not there. */
export function refuseUnknownRoles(rules: AccessRules, roles: readonly RoleId[]): void {
  const unknown = roles.find((role) => !rules.roles.has(role))
  if (unknown === undefined) return
  const message = `There is no role “${unknown.slice(0, 60)}”.`
  throw new Problem('definition-invalid', `Nothing was saved. ${message}`, {
    errors: [{ path: 'roles', code: 'unknown-role', message }],
  })
}

/** Roles as people call them, in one text. */
export const roleNames = ({ roles }: AccessRules, ids: readonly RoleId[]): string =>
  ids.map((id) => roles.get(id)?.name ?? id).join(', ')

/** Conditions of policies read what is noted about people, so to note something is to give rights. */
export function refuseProfileChange(actor: Actor): void {
  if (holds(actor, 'roles:manage')) return
  throw new Problem(
    'forbidden',
    'What is noted about people decides what they may see. This needs the permission “roles:manage”.',
  )
}
