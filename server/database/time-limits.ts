/** How long reads and writes may take before somebody is told instead of waiting for ever. */
export type TimeLimits = {
  /** One reading statement, in ms. */
  readonly readMs: number
  /** The whole work of one write, in ms. */
  readonly writeMs: number
}

/**
 * A page takes milliseconds and the longest scan of a million rows about two seconds; beyond half a minute nobody looks
 * at the answer any more. A write may build an index over millions of rows, so it gets twice that.
 */
export const TIME_LIMITS: TimeLimits = { readMs: 30_000, writeMs: 60_000 }

/** Waits for `work`, but no longer than `limitMs`; then calls `onLimit`, whose error is thrown. */
export async function withinLimit<Answer>(
  work: Promise<Answer>,
  limitMs: number,
  onLimit: () => Error,
): Promise<Answer> {
  const { promise: overdue, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(onLimit()), limitMs)
  try {
    return await Promise.race([work, overdue])
  } finally {
    clearTimeout(timer)
  }
}
