import { type Actor, isOwner, type Profile } from '#domain/access/actor.ts'
import { hasPermission } from '#domain/access/decide.ts'
import type { AccessRules } from '#domain/access/policy.ts'
import { dependsOnAttribute } from '#domain/access/policy-references.ts'
import type { RoleId } from '#domain/shared/ids.ts'
import { sameJson } from '#domain/shared/json.ts'
import { Problem } from '#domain/shared/problem.ts'
import { transitionsUseAttribute } from '#domain/workflow/check-workflow.ts'
import type { AccessState } from '#server/access/rights/grantable-roles.ts'

export function assertKnownRoles(rules: AccessRules, roles: readonly RoleId[]): void {
  const unknown = roles.find((role) => !rules.roles.has(role))
  if (unknown === undefined) return
  const message = `There is no role “${unknown.slice(0, 60)}”.`
  throw new Problem('definition-invalid', `Nothing was saved. ${message}`, {
    errors: [{ path: 'roles', code: 'unknown-role', message }],
  })
}

export const roleNames = ({ roles }: AccessRules, ids: readonly RoleId[]): string =>
  ids.map((id) => roles.get(id)?.name ?? id).join(', ')

/**
 * Policies and transitions read user attributes, so changing those grants permissions. Only owners can change any;
 * other role managers only those that nothing reads.
 */
export function assertAttributesEditable(
  actor: Actor,
  { rules, definitions }: AccessState,
  names: readonly string[],
): void {
  if (actor.type === 'system' || names.length === 0) return
  if (isOwner(actor)) return
  const isRead = (name: string): boolean =>
    [...rules.policies.values()].some(({ grants }) => grants.some((grant) => dependsOnAttribute(grant, name))) ||
    definitions.list.some(({ workflow }) => transitionsUseAttribute(workflow, name))
  if (hasPermission(actor, 'roles:manage') && !names.some(isRead)) return
  throw new Problem('forbidden', 'User attributes control access. Ask an owner to change this.')
}

export const differingNames = (before: Profile, after: Profile): readonly string[] =>
  Object.keys({ ...before, ...after }).filter((name) => !sameJson(before[name] ?? null, after[name] ?? null))
