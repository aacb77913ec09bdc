export type TimeLimits = {
  readonly readMs: number
  readonly writeMs: number
}

/**
 * A page takes milliseconds and the longest scan of a million rows about two seconds; after half a minute, users no
 * longer wait for the result. A write may build an index over millions of rows, so it gets twice that.
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
    // The error comes first, so that it is thrown before any consequence of the cleanup.
    timeIsUp.reject(overdue.error(overdue.limitMs))
    overdue.giveUp?.()
  }, overdue.limitMs)
  try {
    return await Promise.race([work, timeIsUp.promise])
  } finally {
    clearTimeout(timer)
  }
}
