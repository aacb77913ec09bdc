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

/** What happens when the time is up: the error that is thrown, and then whatever must be given up. */
export type Overdue = {
  readonly limitMs: number
  readonly error: (limitMs: number) => Error
  readonly giveUp?: () => void
}

/** Waits for `work`, but no longer than the limit. */
export async function withTimeLimit<Answer>(work: Promise<Answer>, overdue: Overdue): Promise<Answer> {
  const timeIsUp = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    // First the error, so that it is this one that is thrown and not what giving up leads to.
    timeIsUp.reject(overdue.error(overdue.limitMs))
    overdue.giveUp?.()
  }, overdue.limitMs)
  try {
    return await Promise.race([work, timeIsUp.promise])
  } finally {
    clearTimeout(timer)
  }
}
