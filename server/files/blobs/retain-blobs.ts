import type { Clock } from '#domain/shared/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { retainBlobs } from './blob-store.ts'

/**
 * How long a hold lasts without renewal, in ms: longer than a process stalls on a busy machine. Holds are not released:
 * they expire, also after a kill.
 */
const RETAIN_MS = 15 * 60 * 1000
const RENEW_INTERVAL_MS = 60 * 1000

/**
 * Keeps all blobs, in every process, while the work runs: what the database referred to at the start stays readable.
 */
export async function withBlobsRetained<Answer>(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  work: () => Promise<Answer>,
): Promise<Answer> {
  const hold = (): Promise<void> =>
    database.write((transaction) => retainBlobs(transaction, new Date(clock().getTime() + RETAIN_MS).toISOString()))
  await hold()
  // A word that is not heard is said again; the last one holds much longer than that.
  const again = setInterval(() => void hold().then(undefined, () => undefined), RENEW_INTERVAL_MS)
  try {
    return await work()
  } finally {
    clearInterval(again)
  }
}
