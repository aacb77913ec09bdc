/** How many records the next batch of a job may have, and how often the job has waited for the database in a row. */
export type BatchPace = { readonly records: number; readonly waits: number }

/** How long a batch should hold other writers up, in ms; the worst case stays far below the 100 ms nobody waits for. */
const AIM_MS = 30
/** Most records of a batch (contract). */
const MOST = 1000
const LEAST = 5

/** A careful beginning. */
export const FIRST_PACE: BatchPace = { records: 50, waits: 0 }

/** The pace behind a batch of so many records that took so long: at most twice as many, at once as few as needed. */
export function nextPace({ records }: BatchPace, changed: number, tookMs: number): BatchPace {
  const aimed = Math.floor((Math.max(changed, 1) * AIM_MS) / Math.max(tookMs, 1))
  return { records: Math.max(LEAST, Math.min(MOST, records * 2, aimed)), waits: 0 }
}
