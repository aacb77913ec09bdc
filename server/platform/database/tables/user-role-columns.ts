import { sql } from 'kysely'
import { z } from 'zod'
import type { Profile } from '#domain/access/actor.ts'
import type { RoleId, UserId } from '#domain/shared/ids.ts'
import type { JsonText } from './account-tables.ts'

export const ACCESS_VERSION = 'access-version'

export const DEFINITIONS_VERSION = 'definitions-version'

/**
 * Extra columns for queries on `users`: roles, and the versions of access rules and definitions. With these versions,
 * every user lookup detects stale caches, whichever process made the change.
 */
export const userRoleColumns = () =>
  [
    sql<
      string | null
    >`(select string_agg(role_id, ',' order by role_id) from user_roles where user_roles.user_id = users.id)`.as(
      'role_ids',
    ),
    versionOf(ACCESS_VERSION).as('access_version'),
    versionOf(DEFINITIONS_VERSION).as('definitions_version'),
  ] as const

const versionOf = (name: string) => sql<string | null>`(select value from workspace where workspace.name = ${name})`

export type UserRoles = {
  readonly roles: readonly RoleId[]
  readonly accessVersion: number
  readonly definitionsVersion: number
}

export type RightsAccount = UserRoles & {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly profile: JsonText
}

export const readUserRoles = (row: {
  readonly role_ids: string | null
  readonly access_version: string | null
  readonly definitions_version: string | null
}): UserRoles => ({
  roles: row.role_ids === null || row.role_ids === '' ? [] : row.role_ids.split(','),
  accessVersion: Number(row.access_version ?? 0),
  definitionsVersion: Number(row.definitions_version ?? 0),
})

const profileSchema = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

export const profileIn = (text: JsonText): Profile => (text === '{}' ? {} : profileSchema.parse(JSON.parse(text)))
