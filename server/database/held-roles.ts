import { sql } from 'kysely'
import { z } from 'zod'
import type { Profile } from '#domain/access/actor.ts'
import type { RoleId, UserId } from '#domain/shared/ids.ts'
import type { JsonText } from './stored-text.ts'

/** Under which name the version of roles, policies and what is noted about people stands among the facts of the workspace. */
export const ACCESS_VERSION = 'access-version'

/**
 * Columns of a statement that reads `users`: their roles, and the version of everything that says what roles mean. So
 * whoever looks a user up knows without another statement whether what is remembered of roles is still so.
 */
export const heldRoles = () =>
  [
    sql<
      string | null
    >`(select string_agg(role_id, ',' order by role_id) from user_roles where user_roles.user_id = users.id)`.as(
      'role_ids',
    ),
    sql<string | null>`(select value from workspace where workspace.name = ${ACCESS_VERSION})`.as('access_version'),
  ] as const

/** What such columns say. */
export type HeldRoles = { readonly roles: readonly RoleId[]; readonly accessVersion: number }

/** A user as whoever looked them up knows them: what their rights follow from. */
export type RightsAccount = HeldRoles & {
  readonly id: UserId
  readonly email: string
  readonly name: string
  /** As it is stored. */
  readonly profile: JsonText
}

/** Reads the columns. */
export const heldRolesIn = (row: {
  readonly role_ids: string | null
  readonly access_version: string | null
}): HeldRoles => ({
  roles: row.role_ids === null || row.role_ids === '' ? [] : row.role_ids.split(','),
  accessVersion: Number(row.access_version ?? 0),
})

const profileSchema = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

/** What is noted about a user. */
export const profileIn = (text: JsonText): Profile => (text === '{}' ? {} : profileSchema.parse(JSON.parse(text)))
