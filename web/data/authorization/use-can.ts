import type { Permission } from '#domain/access/permission.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { useUser } from '#web/data/session/use-session.ts'

type Members = { readonly [name: string]: unknown }

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null

/** What an object has itself, so that no name of the language is ever a right. */
const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** The value at a dotted path; a property whose name contains dots takes precedence. */
const valueAt = (value: unknown, path: string): unknown =>
  memberOf(value, path) ?? path.split('.').reduce(memberOf, value)

/**
 * Whether a user's scopes name this one. The field may hold a list, an object whose members are true or not (also by
 * dotted path), or words with spaces between, of which one must be exactly this. Anything else grants nothing. For what
 * is shown only: the server asks again.
 */
export function hasScope(user: unknown, field: string, scope: string): boolean {
  const held = valueAt(user, field)
  if (scope === '') return false
  if (typeof held === 'string') return held.split(/\s+/).includes(scope)
  return Array.isArray(held) ? held.includes(scope) : Boolean(valueAt(held, scope))
}

/**
 * Whether the user has a permission, in a collection or in any. Unavailable actions are hidden; the server rejects them
 * in any case.
 */
export function useCan(permission: Permission, collection?: { readonly can: readonly Permission[] }): boolean {
  const user = useUser()
  return collection ? collection.can.includes(permission) : hasScope(user, sessionConfig.scopeField, permission)
}
