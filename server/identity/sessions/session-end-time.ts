import type { SessionId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { findSession } from './store.ts'

/** The latest end of a session, used or not; later policies do not extend it. */
export const sessionEndTime = async (db: Reader, id: SessionId): Promise<Date | undefined> =>
  (await findSession(db, id))?.endsAt
