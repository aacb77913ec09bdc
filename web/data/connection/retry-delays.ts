/** How long to wait before each next try while the server is away, in ms; the last one repeats. */
const RETRY_DELAYS_MS = [1000, 2000, 4000, 8000, 15_000] as const

/** The wait after this many tries in vain. */
export const delayAfterTries = (tries: number): number =>
  RETRY_DELAYS_MS[Math.min(tries, RETRY_DELAYS_MS.length - 1)] ?? 0
