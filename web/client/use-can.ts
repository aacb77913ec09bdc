import type { SessionUser } from '#api/sessions.ts'
import type { Permission } from '#domain/access/permission.ts'
import { useUser } from './use-session.ts'

/** Whether a user holds a permission in at least one collection. For what is shown only: the server asks again. */
const holdsPermission = (user: SessionUser | null, permission: Permission): boolean =>
  user?.scope.includes(permission) === true

/**
 * Whether whoever is signed in may: in the given collection, or anywhere at all when none is given. What they may not
 * is not offered; the server refuses it in any case.
 */
export function useCan(permission: Permission, collection?: { readonly can: readonly Permission[] }): boolean {
  const user = useUser()
  return collection ? collection.can.includes(permission) : holdsPermission(user, permission)
}
