import type { UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import type { Rights, RightsOf } from './rights.ts'
import { findRightsAccount } from './roles-store.ts'

/** A user with what they hold at this moment. */
export type UserWithRights = { readonly id: UserId; readonly name: string; readonly rights: Rights }

/** Looks a user up with what they hold at this moment; undefined when they may not come in any more. */
export async function findUserWithRights(
  db: Reader,
  rightsOf: RightsOf,
  id: UserId,
): Promise<UserWithRights | undefined> {
  const account = await findRightsAccount(db, id)
  return account && { id: account.id, name: account.name, rights: await rightsOf(account) }
}
