import { NO_SECOND_FACTOR_POLICY, type SecondFactorPolicy } from '#domain/sessions/second-factors.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Example, Policy, PolicyGrant, Role } from '#domain/access/policy.ts'
import type { UserAttribute } from '#domain/access/user.ts'
import { foldText } from '#domain/shared/text.ts'
import type { PolicyId, RoleId, UserId } from '#domain/shared/ids.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'
import { readWorkspaceValue, storeWorkspaceValue } from '#server/platform/database/workspace-values.ts'
import {
  ACCESS_VERSION,
  userRoleColumns,
  readUserRoles,
  type RightsAccount,
} from '#server/platform/database/tables/user-role-columns.ts'

const PROFILE_FIELDS = 'profile-fields'

export async function readAccessVersion(db: Reader): Promise<number> {
  return Number((await readWorkspaceValue(db, ACCESS_VERSION)) ?? 0)
}

export async function incrementAccessVersion({ db }: Transaction): Promise<void> {
  await db
    .updateTable('workspace')
    .set({ value: sql<string>`cast(cast(workspace.value as integer) + 1 as text)` })
    .where('name', '=', ACCESS_VERSION)
    .execute()
}

export async function loadRoles(db: Reader): Promise<Role[]> {
  // Sequential, because a transaction uses a single connection.
  const rows = await db.selectFrom('roles').selectAll().orderBy('position').orderBy('id').execute()
  const links = await db.selectFrom('role_policies').selectAll().orderBy('position').orderBy('policy_id').execute()
  const policiesOf = Map.groupBy(links, (link) => link.role_id)
  return rows.map(({ id, name, about, version }) => ({
    id,
    name,
    about,
    version: Number(version),
    policies: (policiesOf.get(id) ?? []).map((link) => link.policy_id),
  }))
}

export async function loadPolicies(db: Reader): Promise<Policy[]> {
  const rows = await db.selectFrom('policies').selectAll().orderBy('name_fold').execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    about: row.about,
    grants: JSON.parse(row.grants) as readonly PolicyGrant[],
    examples: JSON.parse(row.examples) as readonly Example[],
    version: Number(row.version),
  }))
}

const profileFieldsSchema = z.array(z.object({ name: z.string(), label: z.string(), many: z.boolean() }))

export async function loadUserAttributes(db: Reader): Promise<readonly UserAttribute[]> {
  const value = await readWorkspaceValue(db, PROFILE_FIELDS)
  return value === undefined ? [] : profileFieldsSchema.parse(JSON.parse(value))
}

export const storeUserAttributes = ({ db }: Transaction, fields: readonly UserAttribute[]): Promise<void> =>
  storeWorkspaceValue(db, PROFILE_FIELDS, JSON.stringify(fields))

const SECOND_FACTOR_POLICY = 'second-factor-policy'

const secondFactorPolicySchema = z.object({ everyone: z.boolean(), roles: z.array(z.string()) })

export async function loadSecondFactorPolicy(db: Reader): Promise<SecondFactorPolicy> {
  const value = await readWorkspaceValue(db, SECOND_FACTOR_POLICY)
  return value === undefined ? NO_SECOND_FACTOR_POLICY : secondFactorPolicySchema.parse(JSON.parse(value))
}

export const storeSecondFactorPolicy = ({ db }: Transaction, policy: SecondFactorPolicy): Promise<void> =>
  storeWorkspaceValue(db, SECOND_FACTOR_POLICY, JSON.stringify(policy))

export async function insertRole({ db }: Transaction, role: Role): Promise<void> {
  const last = await db
    .selectFrom('roles')
    .select((each) => each.fn.max('position').as('position'))
    .executeTakeFirst()
  const { id, name, about, version } = role
  const position = Number(last?.position ?? -1) + 1
  await db
    .insertInto('roles')
    .values({ id, name, name_fold: foldText(name), about, position, version })
    .execute()
  await linkPolicies(db, role)
}

export async function replaceRole({ db }: Transaction, role: Role): Promise<void> {
  const { id, name, about, version } = role
  await db
    .updateTable('roles')
    .set({ name, name_fold: foldText(name), about, version })
    .where('id', '=', id)
    .execute()
  await db.deleteFrom('role_policies').where('role_id', '=', id).execute()
  await linkPolicies(db, role)
}

async function linkPolicies(db: Reader, { id, policies }: Role): Promise<void> {
  if (policies.length === 0) return
  const rows = policies.map((policy, position) => ({ role_id: id, policy_id: policy, position }))
  await db.insertInto('role_policies').values(rows).execute()
}

export async function deleteRole({ db }: Transaction, id: RoleId): Promise<void> {
  await db.deleteFrom('role_policies').where('role_id', '=', id).execute()
  await db.deleteFrom('roles').where('id', '=', id).execute()
}

const policyCells = ({ name, about, grants, examples, version }: Policy) => ({
  name,
  name_fold: foldText(name),
  about,
  grants: JSON.stringify(grants),
  examples: JSON.stringify(examples),
  version,
})

export async function insertPolicy({ db }: Transaction, policy: Policy): Promise<void> {
  await db
    .insertInto('policies')
    .values({ id: policy.id, ...policyCells(policy) })
    .execute()
}

export async function replacePolicy({ db }: Transaction, policy: Policy): Promise<void> {
  await db.updateTable('policies').set(policyCells(policy)).where('id', '=', policy.id).execute()
}

export async function deletePolicy({ db }: Transaction, id: PolicyId): Promise<void> {
  await db.deleteFrom('policies').where('id', '=', id).execute()
}

/** The users with a role, ordered by name, including deactivated ones. */
export async function holdersOf(db: Reader, role: RoleId): Promise<{ readonly id: UserId; readonly name: string }[]> {
  return db
    .selectFrom('user_roles')
    .innerJoin('users', 'users.id', 'user_roles.user_id')
    .select(['users.id', 'users.name'])
    .where('role_id', '=', role)
    .orderBy('name_fold')
    .orderBy('users.id')
    .execute()
}

export async function countHolders(db: Reader): Promise<ReadonlyMap<RoleId, number>> {
  const rows = await db
    .selectFrom('user_roles')
    .select((each) => ['role_id', each.fn.countAll().as('users')] as const)
    .groupBy('role_id')
    .execute()
  return new Map(rows.map((row) => [row.role_id, Number(row.users)]))
}

export async function findRightsAccount(db: Reader, id: UserId): Promise<RightsAccount | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'profile'])
    .select(userRoleColumns())
    .where('id', '=', id)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return row && { id: row.id, email: row.email, name: row.name, profile: row.profile, ...readUserRoles(row) }
}

export type RightsHolder = {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly profile: string
  readonly roles: readonly RoleId[]
}

export async function findHolders(db: Reader, ids: readonly UserId[]): Promise<RightsHolder[]> {
  if (ids.length === 0) return []
  const users = await db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'profile'])
    .where('id', 'in', [...ids])
    .execute()
  const links = await db
    .selectFrom('user_roles')
    .selectAll()
    .where('user_id', 'in', [...ids])
    .orderBy('role_id')
    .execute()
  const rolesOf = Map.groupBy(links, (link) => link.user_id)
  return users.map((user) => ({ ...user, roles: (rolesOf.get(user.id) ?? []).map((link) => link.role_id) }))
}
