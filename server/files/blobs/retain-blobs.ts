import type { Clock } from '#domain/shared/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { retainBlobs } from './blob-store.ts'

/**
 * How long blobs stay without another word, in ms: longer than a program stands still on a busy machine. Nobody takes a hold
 * back: one that is not needed any more ends by itself, also where its program was killed.
 */
const RETAIN_MS = 15 * 60 * 1000
const RENEW_INTERVAL_MS = 60 * 1000

/**
 * Lets no blob go, in any process, while the work lasts: so what the database spoke of when it began can be read until it is
 * over, even if nobody needs it any more.
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
