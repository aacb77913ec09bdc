import { isPerCollection, TOKEN_PERMISSIONS } from '#domain/access/grant.ts'
import type { Permission } from '#domain/access/permission.ts'

/** What is being filled in while a token is made. */
export type TokenDraft = {
  readonly name: string
  readonly permissions: readonly Permission[]
  /** Ids of the collections it is for; empty: wherever its user may. */
  readonly collections: readonly string[]
  readonly days: TokenDays
}

/** How long a token works, in days; `never` ends only by hand. */
export const TOKEN_DAYS = ['30', '90', '365', 'never'] as const

/** One of them. */
export type TokenDays = (typeof TOKEN_DAYS)[number]

/** Most programs read, and should be looked at again after a season. */
export const START_DRAFT: TokenDraft = { name: '', permissions: ['records:read'], collections: [], days: '90' }

const DAY_MS = 24 * 60 * 60 * 1000

/** The permissions somebody can give a token: those they hold, but for what is only ever done by hand. */
export const availablePermissions = (scope: readonly string[]): readonly Permission[] =>
  TOKEN_PERMISSIONS.filter((permission) => scope.includes(permission))

/** The scopes of a draft; those that speak of the workspace as a whole stay without a collection. */
export function scopesOf({ permissions, collections }: TokenDraft): string[] {
  return permissions.flatMap((permission) =>
    collections.length === 0 || !isPerCollection(permission)
      ? [permission]
      : collections.map((collection) => `${permission}@${collection}`),
  )
}

/** When a token of a draft ends; null: never. */
export const expiryOf = ({ days }: TokenDraft, nowMs: number): string | null =>
  days === 'never' ? null : new Date(nowMs + Number(days) * DAY_MS).toISOString()
