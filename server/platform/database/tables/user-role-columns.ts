import { sql } from 'kysely'
import { z } from 'zod'
import type { Profile } from '#domain/access/actor.ts'
import type { RoleId, UserId } from '#domain/shared/ids.ts'
import type { JsonText } from './column-types.ts'

/** Under which name the version of roles, policies and what is noted about people stands among the facts of the workspace. */
export const ACCESS_VERSION = 'access-version'

/** The same for all definitions together; it goes up with every change of any of them. */
export const DEFINITIONS_VERSION = 'definitions-version'

/**
 * Columns of a statement that reads `users`: their roles, and the versions of everything that says what roles mean and of
 * all definitions. So whoever looks a user up knows without another statement whether what is remembered is still so,
 * whichever process changed it.
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

/** What such columns say. */
export type UserRoles = {
  readonly roles: readonly RoleId[]
  readonly accessVersion: number
  readonly definitionsVersion: number
}

/** A user as whoever looked them up knows them: what their rights follow from. */
export type RightsAccount = UserRoles & {
  readonly id: UserId
  readonly email: string
  readonly name: string
  /** As it is stored. */
  readonly profile: JsonText
}

/** Reads the columns. */
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

/** What is noted about a user. */
export const profileIn = (text: JsonText): Profile => (text === '{}' ? {} : profileSchema.parse(JSON.parse(text)))
