/** What is counted, and how fast the wait grows. */
export type ThrottleRule = {
  /** This many failures cost nothing: people mistype. */
  readonly freeFailures: number
  readonly maxWaitSeconds: number
  /** The wait does not grow: it is the longest from the first failure that costs something. */
  readonly isConstantWait?: boolean
  /** Failures in a row are meant: whoever is right at last is forgiven those before. An address is never forgiven so. */
  readonly resetsOnSuccess?: boolean
  /** From this many failures on nothing is looked at until they are forgiven or forgotten. */
  readonly stopsAt?: number
  /**
   * Of the failures of each key of another counter only so many count here, until this counter makes wait: the typing
   * errors of one account are not the guesses at many. What an account counted is taken back when it succeeds.
   */
  readonly perKey?: { readonly of: string; readonly max: number }
  /** One failure is forgotten each time so many seconds pass. */
  readonly decaySeconds?: number
}

/** For what is guessed at accounts from one address; asks for a counter `pair` beside it. */
export const ADDRESS_RULE = {
  freeFailures: 30,
  maxWaitSeconds: 900,
  perKey: { of: 'pair', max: 3 },
  decaySeconds: 900,
} as const satisfies ThrottleRule

/** Most failures of one account in a row. Source: NIST SP 800-63B-4, 3.2.2. */
const MAX_FAILURES = 100

/**
 * The counters of a sign-in. From an unknown device, the pair of account and address is the strict one. The address counts
 * at most three failures of one account, so that an office behind one address shares 30 and gets one back every 15 minutes;
 * then one password tried on 1,000 accounts takes ten days. An account that failed ten times, wherever from, rests for 15
 * minutes. Strangers cannot lock its owner out with any of it: a browser they signed in with before counts for itself alone
 * (`device`), and a new password by email forgives everything.
 */
export const LOGIN_RULES = {
  pair: { freeFailures: 4, maxWaitSeconds: 900, resetsOnSuccess: true },
  address: ADDRESS_RULE,
  account: { freeFailures: 9, maxWaitSeconds: 900, isConstantWait: true, resetsOnSuccess: true, stopsAt: MAX_FAILURES },
  device: { freeFailures: 4, maxWaitSeconds: 900, resetsOnSuccess: true, stopsAt: MAX_FAILURES },
} as const satisfies { readonly [counter: string]: ThrottleRule }

/** The names of the counters of a sign-in. */
export type LoginCounter = keyof typeof LOGIN_RULES

/** Failures so far of one counter; `lastAtMs` in ms since 1970. */
export type Failures = { readonly count: number; readonly lastAtMs: number }

/** Failures older than this are forgotten. */
export const FAILURE_LIFETIME_MS = 24 * 60 * 60 * 1000

/** The wait after so many failures: none while they are free, then 1, 2, 4, … seconds up to the longest, or a pause. */
export function waitSeconds(rule: ThrottleRule, failureCount: number): number {
  const counted = failureCount - rule.freeFailures
  if (counted <= 0) return 0
  if (rule.stopsAt !== undefined && failureCount >= rule.stopsAt) return FAILURE_LIFETIME_MS / 1000
  if (rule.isConstantWait === true) return rule.maxWaitSeconds
  return Math.min(rule.maxWaitSeconds, 2 ** (counted - 1))
}

/** Whether failures are too old to count; so are those of a future that ended when the clock was set back. */
export const areExpired = ({ lastAtMs }: Failures, nowMs: number): boolean =>
  Math.abs(nowMs - lastAtMs) > FAILURE_LIFETIME_MS

/** How many whole seconds to wait before the next try is looked at; 0: now. */
export function attemptWaitSeconds(rule: ThrottleRule, failures: Failures | undefined, nowMs: number): number {
  if (failures === undefined || areExpired(failures, nowMs)) return 0
  const waitMs = waitSeconds(rule, failures.count) * 1000
  // A clock that was set back must keep nobody out for as long as it was wrong.
  if (failures.lastAtMs - nowMs > waitMs) return 0
  return Math.max(0, Math.ceil((failures.lastAtMs + waitMs - nowMs) / 1000))
}

/** How many failures still count now. */
export function countNow(rule: ThrottleRule, failures: Failures | undefined, nowMs: number): number {
  if (failures === undefined || areExpired(failures, nowMs)) return 0
  if (rule.decaySeconds === undefined) return failures.count
  const passedMs = Math.max(0, nowMs - failures.lastAtMs)
  return Math.max(0, failures.count - Math.floor(passedMs / (rule.decaySeconds * 1000)))
}

/** The failures after one more; `keyFailures`: those of the key of `perKey` before it. Undefined: it does not count here. */
export function afterFailure(
  rule: ThrottleRule,
  failures: Failures | undefined,
  { nowMs, keyFailures }: { readonly nowMs: number; readonly keyFailures: number },
): Failures | undefined {
  const count = countNow(rule, failures, nowMs)
  const isCapped = rule.perKey !== undefined && keyFailures >= rule.perKey.max && count < rule.freeFailures
  return isCapped ? undefined : { count: count + 1, lastAtMs: nowMs }
}

/** The failures without what a key of `perKey` counted that has now succeeded. */
export function withoutKey(rule: ThrottleRule, failures: Failures, keyFailures: number): Failures {
  return { ...failures, count: Math.max(0, failures.count - Math.min(keyFailures, rule.perKey?.max ?? 0)) }
}
