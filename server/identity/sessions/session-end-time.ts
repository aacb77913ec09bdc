import type { SessionId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { findSession } from './store.ts'

/** When a session that nobody ends is over, used or not; no later policy moves that on. */
export const sessionEndTime = async (db: Reader, id: SessionId): Promise<Date | undefined> =>
  (await findSession(db, id))?.endsAt
