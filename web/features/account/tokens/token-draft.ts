import { isPerCollection, TOKEN_PERMISSIONS } from '#domain/access/grant.ts'
import type { Permission } from '#domain/access/permission.ts'

export type TokenDraft = {
  readonly name: string
  readonly permissions: readonly Permission[]
  /** Collection ids; empty for all collections of the user. */
  readonly collections: readonly string[]
  readonly days: TokenDays
}

/** Lifetime in days; `never` expires only when revoked. */
export const TOKEN_DAYS = ['30', '90', '365', 'never'] as const

export type TokenDays = (typeof TOKEN_DAYS)[number]

/** Most programs only read, and should be reviewed after a season. */
export const START_DRAFT: TokenDraft = { name: '', permissions: ['records:read'], collections: [], days: '90' }

const DAY_MS = 24 * 60 * 60 * 1000

/** Permissions the user has, except those that need a session. */
export const availablePermissions = (scope: readonly string[]): readonly Permission[] =>
  TOKEN_PERMISSIONS.filter((permission) => scope.includes(permission))

/** Workspace permissions get no collection. */
export function scopesOf({ permissions, collections }: TokenDraft): string[] {
  return permissions.flatMap((permission) =>
    collections.length === 0 || !isPerCollection(permission)
      ? [permission]
      : collections.map((collection) => `${permission}@${collection}`),
  )
}

/** Null: never. */
export const expiryOf = ({ days }: TokenDraft, nowMs: number): string | null =>
  days === 'never' ? null : new Date(nowMs + Number(days) * DAY_MS).toISOString()
