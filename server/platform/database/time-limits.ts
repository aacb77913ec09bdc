export type TimeLimits = {
  readonly readMs: number
  readonly writeMs: number
}

/**
 * A page takes milliseconds, and the longest scan of a million rows about two seconds; after half a minute, users have
 * usually given up. A write may change the table of millions of rows, so its limit is twice as long.
 */
export const TIME_LIMITS: TimeLimits = { readMs: 30_000, writeMs: 60_000 }

export type Overdue = {
  readonly limitMs: number
  readonly error: (limitMs: number) => Error
  readonly giveUp?: () => void
}

export async function withTimeLimit<Answer>(work: Promise<Answer>, overdue: Overdue): Promise<Answer> {
  const timeIsUp = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    // Rejects first, so that the timeout error takes precedence over errors caused by the cancellation.
    timeIsUp.reject(overdue.error(overdue.limitMs))
    overdue.giveUp?.()
  }, overdue.limitMs)
  try {
    return await Promise.race([work, timeIsUp.promise])
  } finally {
    clearTimeout(timer)
  }
}
