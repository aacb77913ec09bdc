import type { Permission } from '#domain/access/permission.ts'
import { sessionConfig } from '#web/data/session/session-state.ts'
import { useUser } from '#web/data/session/use-session.ts'

type Members = { readonly [name: string]: unknown }

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null

/** Checks only own properties, so that inherited names don't grant permissions. */
const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** Returns the value at a dotted path; a property whose name is the entire path takes precedence. */
const valueAt = (value: unknown, path: string): unknown =>
  memberOf(value, path) ?? path.split('.').reduce(memberOf, value)

/**
 * Whether a user's scopes include this one. The claim can be a list, an object with values set to true (also by dotted
 * path), or a space-separated string with an exact match. Anything else grants nothing. For display only; the server
 * checks again.
 */
export function hasScope(user: unknown, field: string, scope: string): boolean {
  const held = valueAt(user, field)
  if (scope === '') return false
  if (typeof held === 'string') return held.split(/\s+/).includes(scope)
  return Array.isArray(held) ? held.includes(scope) : Boolean(valueAt(held, scope))
}

/**
 * Whether the user has a permission in the given collection, or in any if none is given. For display only; the server
 * enforces permissions.
 */
export function useCan(permission: Permission, collection?: { readonly can: readonly Permission[] }): boolean {
  const user = useUser()
  return collection ? collection.can.includes(permission) : hasScope(user, sessionConfig.scopeField, permission)
}
