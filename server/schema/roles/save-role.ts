import type { RoleBody } from '#api/roles.ts'
import { userIdOf } from '#domain/access/actor.ts'
import { MAX_ROLES, OWNER, type Role } from '#domain/access/policy.ts'
import type { PolicyId, RoleId } from '#domain/shared/ids.ts'
import type { Json } from '#domain/shared/json.ts'
import { foldText } from '#domain/shared/text.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type AuditActor, writeAudit } from '#server/access/audit/audit-log.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { assertExamplesHold } from '#server/access/explain/check-examples.ts'
import { assertAssignable } from '#server/access/rights/grantable-roles.ts'
import type { RolesDeps, StoredAccessRules } from '#server/access/rights/access-rules-cache.ts'
import {
  countHolders,
  deleteRole,
  holdersOf,
  insertRole,
  incrementAccessVersion,
  replaceRole,
} from '#server/access/rights/roles-store.ts'
import { showRole } from './show-roles.ts'

export type RoleChange = {
  readonly name?: string | undefined
  readonly about?: string | undefined
  readonly policies?: readonly PolicyId[] | undefined
  readonly version?: number | undefined
}

/** Access changes are serialized, so that examples are checked against the final state. */
export const ACCESS_LOCK = { alone: 'access' }

export function createRole(
  deps: RolesDeps,
  by: AuditActor,
  draft: RoleChange & { readonly name: string },
): Promise<RoleBody> {
  return deps.database.write(async (transaction) => {
    const rules = await deps.rules.within(transaction)
    if (rules.roles.size >= MAX_ROLES) throw tooMany('roles')
    const { name, about = '', policies = [] } = draft
    const role: Role = { id: deps.newId(), name, about, policies: [...new Set(policies)], version: 1 }
    await saveRole(deps, by, transaction, { rules, before: null, after: role })
    return showRole(role, new Map())
  }, ACCESS_LOCK)
}

export function changeRole(deps: RolesDeps, by: AuditActor, id: RoleId, change: RoleChange): Promise<RoleBody> {
  return deps.database.write(async (transaction) => {
    const rules = await deps.rules.within(transaction)
    const before = getRole(rules, id)
    assertEditable(before)
    const holders = await countHolders(transaction.db)
    if (change.version !== undefined && change.version !== before.version)
      throw versionConflict(showRole(before, holders))
    const after: Role = {
      ...before,
      name: change.name ?? before.name,
      about: change.about ?? before.about,
      policies: change.policies === undefined ? before.policies : [...new Set(change.policies)],
      version: before.version + 1,
    }
    await saveRole(deps, by, transaction, { rules, before, after })
    return showRole(after, holders)
  }, ACCESS_LOCK)
}

/** Deletes a role. If users still have the role, the error names them. */
export function removeRole(deps: RolesDeps, by: AuditActor, id: RoleId): Promise<void> {
  return deps.database.write(async (transaction) => {
    const rules = await deps.rules.within(transaction)
    const before = getRole(rules, id)
    assertEditable(before)
    const definitions = await deps.definitions.within(transaction)
    assertAssignable(by.actor, { rules, definitions }, [id])
    const holders = await holdersOf(transaction.db, id)
    if (holders.length > 0) throw roleInUse(before, holders)
    assertRoleUnreferenced(rules, before)
    assertNoTransitions(definitions, before)
    await deleteRole(transaction, id)
    await incrementAccessVersion(transaction)
    await auditRole(deps, by, transaction, { before, after: null })
  }, ACCESS_LOCK)
}

type Saving = { readonly rules: StoredAccessRules; readonly before: Role | null; readonly after: Role }

async function saveRole(deps: RolesDeps, by: AuditActor, transaction: Transaction, saving: Saving): Promise<void> {
  const { rules, before, after } = saving
  assertNameFree(rules.roles, after)
  const unknown = after.policies.find((policy) => !rules.policies.has(policy))
  if (unknown !== undefined) {
    const message = 'One of these policies no longer exists.'
    throw new Problem('definition-invalid', `Nothing was saved. ${message}`, {
      errors: [{ path: 'policies', code: 'unknown-policy', message }],
    })
  }
  const proposed = { ...rules, roles: new Map([...rules.roles, [after.id, after]]) }
  const definitions = await deps.definitions.within(transaction)
  if (before) assertAssignable(by.actor, { rules, definitions }, [before.id])
  assertAssignable(by.actor, { rules: proposed, definitions }, [after.id])
  await assertExamplesHold(deps, by.actor, transaction, { rules: proposed })
  await (before ? replaceRole(transaction, after) : insertRole(transaction, after))
  await incrementAccessVersion(transaction)
  await auditRole(deps, by, transaction, { before, after })
}

export function getRole(rules: StoredAccessRules, id: RoleId): Role {
  const role = rules.roles.get(id)
  if (role) return role
  throw new Problem('not-found', 'Role not found.')
}

function assertEditable({ id }: Role): void {
  if (id !== OWNER) return
  throw new Problem('definition-invalid', 'The owner role always has every permission. It can’t be edited or deleted.')
}

function assertRoleUnreferenced(rules: StoredAccessRules, role: Role): void {
  const naming = [...rules.policies.values()].filter(({ examples }) =>
    examples.some(({ who }) => 'role' in who && who.role === role.id),
  )
  if (naming.length === 0) return
  const names = naming.map(({ name }) => name).join(', ')
  throw new Problem('in-use', `Examples of ${names} use the role ${role.name}. Remove those examples first.`, {
    extra: { policies: naming.map(({ id, name }) => ({ id, name })) },
  })
}

/** A transition without roles is open to everyone, so deleting its only role would open it to everyone. */
function assertNoTransitions({ list }: Definitions, role: Role): void {
  const naming = list.filter(({ workflow }) => workflow?.transitions.some(({ roles }) => roles.includes(role.id)))
  if (naming.length === 0) return
  const labels = naming.map(({ label }) => label).join(', ')
  throw new Problem('in-use', `The workflow of ${labels} uses the role ${role.name}. Change it there first.`, {
    extra: { collections: naming.map(({ id, name, label }) => ({ id, name, label })) },
  })
}

function roleInUse(role: Role, holders: readonly { readonly id: string; readonly name: string }[]): Problem {
  const some = holders.slice(0, 5).map(({ name }) => name)
  const more = holders.length > some.length ? ` and ${holders.length - some.length} more` : ''
  return new Problem(
    'in-use',
    `The role ${role.name} is still assigned to ${some.join(', ')}${more}. Assign them another role first.`,
    {
      extra: { users: holders.slice(0, 100), count: holders.length },
    },
  )
}

export function assertNameFree(
  siblings: ReadonlyMap<string, { readonly id: string; readonly name: string }>,
  { id, name }: { readonly id: string; readonly name: string },
): void {
  const isTaken = [...siblings.values()].some((other) => other.id !== id && foldText(other.name) === foldText(name))
  if (!isTaken) return
  throw new Problem('name-taken', `“${name}” already exists. Choose another name.`, {
    errors: [{ path: 'name', code: 'name-taken', message: 'This name is taken.' }],
  })
}

export const versionConflict = (current: unknown): Problem =>
  new Problem('version-conflict', 'Someone else edited this. Your changes aren’t saved yet.', {
    extra: { current },
  })

export const tooMany = (what: 'roles' | 'policies'): Problem =>
  new Problem('definition-invalid', `A workspace can have at most ${MAX_ROLES} ${what}. Delete one first.`)

async function auditRole(
  deps: RolesDeps,
  { actor, address }: AuditActor,
  { db }: Transaction,
  { before, after }: { readonly before: Role | null; readonly after: Role | null },
): Promise<void> {
  const kind = after === null ? 'role-removed' : before === null ? 'role-created' : 'role-edited'
  const { id = '', name = '' } = after ?? before ?? {}
  await writeAudit(db, deps, {
    kind,
    userId: userIdOf(actor),
    address,
    details: { name, role: id, was: auditJson(before), is: auditJson(after) },
  })
}

/** The audit log contains the complete state before and after. */
export const auditJson = (thing: Role | Json | object | null): string => (thing === null ? '' : JSON.stringify(thing))
