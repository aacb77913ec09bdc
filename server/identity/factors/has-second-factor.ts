import { hasSecondFactor } from '#domain/sessions/challenge.ts'
import type { UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { findEnrolledFactors } from './store.ts'

/** Whether a user has set up a second factor. */
export const userHasSecondFactor = async (db: Reader, userId: UserId): Promise<boolean> =>
  hasSecondFactor(await findEnrolledFactors(db, userId))
