/** What is counted, and how fast the wait grows. */
export type ThrottleRule = {
  /** This many failures cost nothing: people mistype. */
  readonly freeFailures: number
  readonly longestWaitSeconds: number
}

/**
 * The three counters of a sign-in. The pair of account and address is the strict one. One address trying many accounts
 * is slowed later. An account is slowed only a little, whoever tries: a stranger must not be able to lock its owner out.
 */
export const LOGIN_RULES = {
  pair: { freeFailures: 4, longestWaitSeconds: 900 },
  address: { freeFailures: 20, longestWaitSeconds: 900 },
  account: { freeFailures: 10, longestWaitSeconds: 30 },
} as const satisfies { readonly [counter: string]: ThrottleRule }

/** Failures so far of one counter; `lastAtMs` in ms since 1970. */
export type Failures = { readonly count: number; readonly lastAtMs: number }

/** Failures older than this are forgotten. */
export const FAILURES_KEPT_MS = 24 * 60 * 60 * 1000

/** The wait after so many failures: none while they are free, then 1, 2, 4, … seconds up to the longest. */
export function waitSeconds(rule: ThrottleRule, failureCount: number): number {
  const counted = failureCount - rule.freeFailures
  if (counted <= 0) return 0
  return Math.min(rule.longestWaitSeconds, 2 ** (counted - 1))
}

/** How many whole seconds to wait before the next try is looked at; 0: now. */
export function judgeTry(rule: ThrottleRule, failures: Failures | undefined, nowMs: number): number {
  if (failures === undefined || nowMs - failures.lastAtMs > FAILURES_KEPT_MS) return 0
  const waitsUntilMs = failures.lastAtMs + waitSeconds(rule, failures.count) * 1000
  return Math.max(0, Math.ceil((waitsUntilMs - nowMs) / 1000))
}
