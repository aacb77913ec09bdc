import type { Filter } from '../query/filter.ts'
import type { FieldId, GrantId, PolicyId, RoleId } from '../shared/ids.ts'
import { type Decided, speaksOf } from './decide.ts'
import { type Grant, opensField } from './grant.ts'
import { anyOf, distinct } from './join-conditions.ts'
import type { Permission } from './permission.ts'
import { type AccessRules, OWNER_GRANTS } from './policy.ts'
import { OWNER } from './role.ts'
import { narrowGrants, type Scope } from './scope.ts'

/** The holder whose permissions are explained: their roles, narrowed to a token's scopes. */
export type Holder = { readonly roles: readonly RoleId[]; readonly scopes?: readonly Scope[] | undefined }

/**
 * What is asked: a permission, in a collection or (null) in the workspace as a whole, on one field of it, on one
 * record. `covers` says whether a condition describes that record; without it all records are meant.
 */
export type PermissionQuery = {
  readonly permission: Permission
  readonly collection: Decided | null
  readonly field?: FieldId | undefined
  readonly covers?: ((where: Filter) => boolean) | undefined
}

/** A grant and the role and policy it comes from; an owner's grants come from no policy. */
export type GrantPath = {
  readonly role: RoleId
  readonly policy: PolicyId | null
  readonly grant: GrantId | null
  /** The records it speaks of; absent means all. */
  readonly where?: Filter
}

/**
 * The answer and what decides it. `some`: for records that match `where`. A no names the closest reason: `no-grant`:
 * not granted at all; `condition`: granted for other records; `field`: granted without this field; `token`: outside the
 * token's scopes.
 */
export type Explanation =
  | { readonly may: 'yes'; readonly by: readonly GrantPath[] }
  | { readonly may: 'some'; readonly by: readonly GrantPath[]; readonly where: Filter }
  | {
      readonly may: 'no'
      readonly because: 'no-grant' | 'condition' | 'field' | 'token'
      readonly nearest: readonly GrantPath[]
    }

type Source = { readonly given: GrantPath; readonly grant: Grant }

/** Explains whether an action is allowed. Always agrees with `decide`. */
export function explain(rules: AccessRules, holder: Holder, wish: PermissionQuery): Explanation {
  const { field, covers } = wish
  const sources = sourcesOf(rules, holder.roles).filter(({ grant }) => fits(grant, wish))
  if (sources.length === 0) return denied('no-grant', [])
  const { scopes } = holder
  const held = scopes === undefined ? sources : sources.filter(({ grant }) => isInScope(grant, scopes, wish))
  if (held.length === 0) return denied('token', sources)
  const opening = field === undefined ? held : held.filter(({ grant }) => opensField(grant, field))
  if (opening.length === 0) return denied('field', held)

  const whole = opening.filter(({ grant: { where } }) => where === undefined || covers?.(where) === true)
  if (whole.length > 0) return { may: 'yes', by: whole.map(({ given }) => given) }
  if (covers) return denied('condition', opening)
  return { may: 'some', by: opening.map(({ given }) => given), where: anyOf(conditionsOf(opening)) }
}

/** The conditions that have to be tried on a record before its rights can be explained. */
export function conditionsToCheck(rules: AccessRules, holder: Holder, wish: PermissionQuery): readonly Filter[] {
  return distinct(conditionsOf(sourcesOf(rules, holder.roles).filter(({ grant }) => fits(grant, wish))))
}

function sourcesOf(rules: AccessRules, roles: readonly RoleId[]): Source[] {
  return roles.flatMap((role): Source[] => {
    if (role === OWNER) return OWNER_GRANTS.map((grant) => ({ grant, given: { role, policy: null, grant: null } }))
    return (rules.roles.get(role)?.policies ?? []).flatMap((policy) =>
      (rules.policies.get(policy)?.grants ?? []).map((grant) => ({
        grant,
        given: { role, policy, grant: grant.id, ...(grant.where && { where: grant.where }) },
      })),
    )
  })
}

const fits = (grant: Grant, { permission, collection }: PermissionQuery): boolean =>
  collection === null
    ? grant.permission === permission && grant.collection === null
    : speaksOf(grant, permission, collection.id)

const isInScope = (grant: Grant, scopes: readonly Scope[], wish: PermissionQuery): boolean =>
  narrowGrants([grant], scopes).some((left) => fits(left, wish))

const denied = (because: 'no-grant' | 'condition' | 'field' | 'token', nearest: readonly Source[]): Explanation => ({
  may: 'no',
  because,
  nearest: nearest.map(({ given }) => given),
})

const conditionsOf = (sources: readonly Source[]): readonly Filter[] =>
  sources.flatMap(({ grant }) => grant.where ?? [])
