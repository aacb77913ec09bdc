/** How many records the next batch of a job may have, and how often the job has waited for the database in a row. */
export type BatchSize = { readonly records: number; readonly waits: number }

/**
 * How long a batch may take from its turn in the line until it is stored, in ms: others wait for all of it, and most of
 * it is the commit where texts are taken into the search index.
 */
const TARGET_MS = 40
/** Most records of a batch. A thousand are allowed; with fewer each commit stays short. */
const MAX_RECORDS = 500
/** What a batch costs besides its records is as much as this many of them. */
const MIN_RECORDS = 25

/** A careful beginning. */
export const INITIAL_BATCH_SIZE: BatchSize = { records: 50, waits: 0 }

/** The pace behind a batch of so many records that took so long: at most twice as many, at once as few as needed. */
export function nextBatchSize({ records }: BatchSize, changed: number, tookMs: number): BatchSize {
  const aimed = Math.floor((Math.max(changed, 1) * TARGET_MS) / Math.max(tookMs, 1))
  return { records: Math.max(MIN_RECORDS, Math.min(MAX_RECORDS, records * 2, aimed)), waits: 0 }
}
