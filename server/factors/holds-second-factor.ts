import { hasSecondFactor } from '#domain/sessions/challenge.ts'
import type { UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/database/database.ts'
import { findFactorsHeld } from './store.ts'

/** Whether a user has set up a second factor. */
export const holdsSecondFactor = async (db: Reader, userId: UserId): Promise<boolean> =>
  hasSecondFactor(await findFactorsHeld(db, userId))
