import type { Permission } from '#domain/access/permission.ts'
import { hasScope } from './has-scope.ts'
import { sessionConfig } from '#web/data/session/session-config.ts'
import { useUser } from '#web/data/session/use-session.ts'

/**
 * Whether whoever is signed in may: in the given collection, or anywhere at all when none is given. What they may not
 * is not offered; the server refuses it in any case.
 */
export function useCan(permission: Permission, collection?: { readonly can: readonly Permission[] }): boolean {
  const user = useUser()
  return collection ? collection.can.includes(permission) : hasScope(user, sessionConfig.scopeField, permission)
}
