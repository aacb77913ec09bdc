import { isProviderEnough } from '#domain/sessions/challenge.ts'
import type { UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { findEnrolledFactors } from '#server/identity/factors/store.ts'

/** Whether this user may prove anew who they are by an identity provider: only while they have no second factor. */
export const canReauthenticateWithProvider = async (db: Reader, userId: UserId): Promise<boolean> =>
  isProviderEnough(await findEnrolledFactors(db, userId))
