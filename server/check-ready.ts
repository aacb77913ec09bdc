import type { Database } from './database/database.ts'
import { databaseIsAway } from './database/database-problems.ts'
import { withinLimit } from './database/time-limits.ts'
import type { BlobStorage } from './storage/blob-storage.ts'

/** Longest wait for the database, in ms: whoever watches over the server waits no longer for its answer. */
const ANSWERS_WITHIN_MS = 5000

/** Throws when database or storage are away: then this server can do nothing for anybody. */
export async function checkReady({ read }: Pick<Database, 'read'>, blobs: Pick<BlobStorage, 'check'>): Promise<void> {
  const looking = read.selectFrom('workspace').select('name').limit(1).execute()
  await withinLimit(looking, { limitMs: ANSWERS_WITHIN_MS, error: databaseIsAway })
  await blobs.check()
}
