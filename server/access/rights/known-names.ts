import { attributeNames } from '#domain/access/user.ts'
import type { RoleId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { loadUserAttributes, loadRoles } from './roles-store.ts'

export type KnownNames = { readonly roles: ReadonlySet<RoleId>; readonly ownNames: readonly string[] }

export async function knownNames(db: Reader): Promise<KnownNames> {
  const roles = await loadRoles(db)
  return { roles: new Set(roles.map(({ id }) => id)), ownNames: attributeNames(await loadUserAttributes(db)) }
}
