import type { UserBody } from '#api/users.ts'
import { type Actor, isOwner, type Profile, userIdOf } from '#domain/access/actor.ts'
import { hasPermission } from '#domain/access/decide.ts'
import { dependsOnAttribute } from '#domain/access/policy-references.ts'
import { type AccessRules, OWNER } from '#domain/access/policy.ts'
import type { UserAttribute } from '#domain/access/user.ts'
import type { AuditKind } from '#domain/audit/audit-kind.ts'
import type { RoleId, UserId } from '#domain/shared/ids.ts'
import { sameJson } from '#domain/shared/json.ts'
import { type PartProblem, Problem } from '#domain/shared/problem.ts'
import { transitionsUseAttribute } from '#domain/workflow/check-workflow.ts'
import { type AuditActor, writeAudit } from '#server/access/audit/audit-log.ts'
import { assertExamplesHold } from '#server/access/explain/check-examples.ts'
import type { StoredAccessRules, RolesDeps } from '#server/access/rights/access-rules-cache.ts'
import { type AccessState, accessStateIn, assertAssignable } from '#server/access/rights/grantable-roles.ts'
import { revokeAllTokens } from '#server/identity/api-tokens/write-token.ts'
import { endCodes } from '#server/identity/invitations/single-use-codes-store.ts'
import { endAllSessions, type SessionDeps } from '#server/identity/sessions/session-deps.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import { findUser, hasOtherOwner, replaceRoles, type StoredUser, updateUser, withFactorAmong } from './store.ts'

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
 * Policies and transitions can depend on user attributes, so changing an attribute can grant permissions. Only owners
 * can change all attributes; other role managers can change only attributes that no policy or transition uses.
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

const differingNames = (before: Profile, after: Profile): readonly string[] =>
  Object.keys({ ...before, ...after }).filter((name) => !sameJson(before[name] ?? null, after[name] ?? null))

export function changedAttributes(fields: readonly UserAttribute[], before: Profile, given: Profile): Profile {
  const problems = Object.entries(given).flatMap(([name, value]): PartProblem[] => {
    const path = `profile.${name}`
    const field = fields.find((each) => each.name === name)
    if (!field) return [{ path, code: 'unknown-name', message: `There is no user attribute “${name}”.` }]
    if (!field.many && Array.isArray(value) && value.length > 1)
      return [{ path, code: 'too-many', message: `${field.label} can have only one value.` }]
    return []
  })
  const [first] = problems
  if (first) throw new Problem('definition-invalid', `Nothing was saved. ${first.message}`, { errors: problems })

  const known = new Set(fields.map(({ name }) => name))
  return Object.fromEntries(
    Object.entries({ ...before, ...given })
      .filter(([name]) => known.has(name))
      .map(([name, value]) => [name, tidied(value)] as const)
      .filter(([, value]) => value.length > 0),
  )
}

const tidied = (value: string | readonly string[]): string | readonly string[] =>
  typeof value === 'string' ? value : [...new Set(value.filter((text) => text !== ''))]

export const showUser = (user: StoredUser, { roles }: AccessRules, hasSecondFactor: boolean): UserBody => ({
  id: user.id,
  email: user.email,
  name: user.name,
  roles: user.roles.map((id) => ({ id, name: roles.get(id)?.name ?? '' })),
  profile: Object.fromEntries(
    Object.entries(user.profile).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  ),
  createdAt: user.createdAt,
  isDisabled: user.isDisabled,
  hasSecondFactor,
  isInvited: user.isInvited,
  lastSeenAt: user.lastSeenAt,
})

export type PeopleDeps = SessionDeps &
  Pick<RolesDeps, 'rules' | 'definitions'> & { readonly mailer: Mailer; readonly publicUrl: URL }

export type UserChanges = {
  readonly roles?: readonly RoleId[] | undefined
  readonly profile?: Profile | undefined
  readonly isDisabled?: boolean | undefined
}

/**
 * Changes a user's roles or attributes, or deactivates or reactivates them. Changes to owners are serialized, so that
 * two owners who demote each other concurrently can't leave the workspace without an owner.
 */
export async function changeUser(
  deps: PeopleDeps,
  by: AuditActor,
  id: UserId,
  changes: UserChanges,
): Promise<UserBody> {
  return deps.database.write(
    async (transaction) => {
      const user = await findUser(transaction.db, id)
      if (user === undefined) throw new Problem('not-found', 'User not found.')
      const standing = await accessStateIn(deps, transaction)
      const { rules } = standing
      const roles = changes.roles && [...new Set(changes.roles)].toSorted()
      assertKnownRoles(rules, roles ?? [])
      assertAssignable(by.actor, standing, [...user.roles, ...(roles ?? [])])
      await assertOwnerRemains(transaction, user, changes)

      const { isDisabled } = changes
      await changeRights(deps, by, transaction, { user, standing, roles, profile: changes.profile })
      if (isDisabled === true && !user.isDisabled) await disable(deps, by, transaction, user)
      if (isDisabled === false && user.isDisabled) await enable(deps, by, transaction, user)

      const changed = (await findUser(transaction.db, id)) ?? user
      return showUser(changed, rules, (await withFactorAmong(transaction.db, [id])).has(id))
    },
    { alone: 'owners' },
  )
}

async function assertOwnerRemains({ db }: Transaction, user: StoredUser, changes: UserChanges): Promise<void> {
  const isOwner = user.roles.includes(OWNER) && !user.isDisabled && !user.isInvited
  const staysOwner = (changes.roles ?? [OWNER]).includes(OWNER) && changes.isDisabled !== true
  if (!isOwner || staysOwner || (await hasOtherOwner(db, user.id))) return
  throw new Problem('definition-invalid', 'This is the last owner. Make another user an owner first.')
}

type RightsChange = {
  readonly user: StoredUser
  readonly standing: AccessState<StoredAccessRules>
  readonly roles: readonly RoleId[] | undefined
  readonly profile: Profile | undefined
}

/** Changes roles and attributes together, because both affect grants. */
async function changeRights(
  deps: PeopleDeps,
  by: AuditActor,
  transaction: Transaction,
  giving: RightsChange,
): Promise<void> {
  const { user, standing } = giving
  const { rules } = standing
  const roles = giving.roles ?? user.roles
  const profile =
    giving.profile === undefined ? user.profile : changedAttributes(rules.profileFields, user.profile, giving.profile)
  const isOtherRole = !sameJson([...roles], [...user.roles].toSorted())
  const names = differingNames(user.profile, profile)
  const isOtherProfile = names.length > 0
  if (!isOtherRole && !isOtherProfile) return
  assertAttributesEditable(by.actor, standing, names)
  await assertExamplesHold(deps, by.actor, transaction, { rules, held: new Map([[user.id, { roles, profile }]]) })
  if (isOtherRole) await assignRoles(deps, by, transaction, { ...giving, roles })
  if (isOtherProfile) await saveAttributes(deps, by, transaction, { user, profile })
}

async function assignRoles(
  deps: PeopleDeps,
  by: AuditActor,
  { db }: Transaction,
  { user, standing: { rules }, roles }: RightsChange & { readonly roles: readonly RoleId[] },
): Promise<void> {
  await replaceRoles(db, user.id, roles)
  const [from, to] = [roleNames(rules, user.roles), roleNames(rules, roles)]
  const details = { from, to, was: user.roles.join(' '), is: roles.join(' ') }
  await audit(deps, by, db, { kind: 'role-changed', aboutId: user.id, details })
}

async function saveAttributes(
  deps: PeopleDeps,
  by: AuditActor,
  { db }: Transaction,
  { user, profile }: { readonly user: StoredUser; readonly profile: Profile },
): Promise<void> {
  await updateUser(db, user.id, { profile })
  const details = { was: JSON.stringify(user.profile), is: JSON.stringify(profile) }
  await audit(deps, by, db, { kind: 'profile-changed', aboutId: user.id, details })
}

/** Invalidates all of the user's passwords, sessions, tokens and links. */
async function disable(deps: PeopleDeps, by: AuditActor, transaction: Transaction, { id }: StoredUser): Promise<void> {
  const now = deps.clock()
  await updateUser(transaction.db, id, { disabledAt: now.toISOString() })
  await endAllSessions(transaction, id, 'user-disabled', now)
  await revokeAllTokens(transaction, id, now)
  await endCodes(transaction.db, id, now)
  await audit(deps, by, transaction.db, { kind: 'user-disabled', aboutId: id })
}

async function enable(deps: PeopleDeps, by: AuditActor, { db }: Transaction, { id }: StoredUser): Promise<void> {
  await updateUser(db, id, { disabledAt: null })
  await audit(deps, by, db, { kind: 'user-enabled', aboutId: id })
}

type AuditNote = {
  readonly kind: AuditKind
  readonly aboutId: UserId
  readonly details?: { readonly [name: string]: string }
}

const audit = (
  deps: PeopleDeps,
  { actor, address }: AuditActor,
  db: Transaction['db'],
  what: AuditNote,
): Promise<void> => writeAudit(db, deps, { ...what, userId: userIdOf(actor), address })
