import type { Clock } from '#domain/shared/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { retainBlobs } from './blob-store.ts'

/**
 * How long a hold lasts without renewal; longer than a process stalls on a busy machine. Holds expire by themselves,
 * also after a crash.
 */
const RETAIN_MS = 15 * 60 * 1000
const RENEW_INTERVAL_MS = 60 * 1000

/** Keeps all blobs, in every process, while `work` runs: what the database referred to at the start stays readable. */
export async function withBlobsRetained<Answer>(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  work: () => Promise<Answer>,
): Promise<Answer> {
  const hold = (): Promise<void> =>
    database.write((transaction) => retainBlobs(transaction, new Date(clock().getTime() + RETAIN_MS).toISOString()))
  await hold()
  // A failed renewal is repeated by the next one, well before the hold expires.
  const again = setInterval(() => void hold().then(undefined, () => undefined), RENEW_INTERVAL_MS)
  try {
    return await work()
  } finally {
    clearInterval(again)
  }
}
