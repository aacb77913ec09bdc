import { attributeNames } from '#domain/access/user.ts'
import type { RoleId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { loadUserAttributes, loadRoles } from './roles-store.ts'

/** What of roles and people may be named elsewhere: in workflows and in conditions of every kind. */
export type KnownNames = { readonly roles: ReadonlySet<RoleId>; readonly ownNames: readonly string[] }

/** What there is to be named, as a write or a read sees it. */
export async function knownNames(db: Reader): Promise<KnownNames> {
  const roles = await loadRoles(db)
  return { roles: new Set(roles.map(({ id }) => id)), ownNames: attributeNames(await loadUserAttributes(db)) }
}
