import type { Database } from './database/database.ts'
import { requireWhole } from './database/damage.ts'
import { databaseUnavailable } from './database/database-problems.ts'
import { withTimeLimit } from './database/time-limits.ts'
import type { BlobStorage } from './storage/blob-storage.ts'

/** Longest wait for the database, in ms: whoever watches over the server waits no longer for its answer. */
const DATABASE_TIMEOUT_MS = 5000

/** Throws when the server cannot work: the database or the storage is away, or the database file is damaged. */
export async function assertReady(
  { read, damage }: Pick<Database, 'damage' | 'read'>,
  blobs: Pick<BlobStorage, 'check'>,
): Promise<void> {
  requireWhole(damage.state())
  const looking = read.selectFrom('workspace').select('name').limit(1).execute()
  await withTimeLimit(looking, { limitMs: DATABASE_TIMEOUT_MS, error: databaseUnavailable })
  await blobs.check()
}
