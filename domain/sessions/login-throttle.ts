export type ThrottleRule = {
  /** Number of failures allowed before delays start, to tolerate typos. */
  readonly freeFailures: number
  readonly maxWaitSeconds: number
  /** Applies the maximum delay as soon as the free failures are used up. */
  readonly isConstantWait?: boolean
  /** Success clears the failures. Never set for address counters. */
  readonly resetsOnSuccess?: boolean
  /** After this many failures, attempts are rejected until the failures are cleared or expire. */
  readonly stopsAt?: number
  /**
   * Counts at most `max` failures per key of the counter `of` while this counter has free failures left, because
   * mistyping one password isn't guessing many accounts. When the key succeeds, its failures are subtracted.
   */
  readonly perKey?: { readonly of: string; readonly max: number }
  /** Seconds until one failure expires. */
  readonly decaySeconds?: number
}

/** Detects password guessing across many accounts from one address; requires a `pair` counter. */
export const ADDRESS_RULE = {
  freeFailures: 30,
  maxWaitSeconds: 900,
  perKey: { of: 'pair', max: 3 },
  decaySeconds: 900,
} as const satisfies ThrottleRule

/** Source: NIST SP 800-63B-4, 3.2.2. */
const MAX_FAILURES = 100

/**
 * Counters checked at sign-in. `pair` (account and address) is the strictest and applies to unknown devices. `address`
 * counts at most three failures per account, so an office behind one address shares 30 failures and regains one every
 * 15 minutes; trying one password on 1,000 accounts takes ten days. `account` requires a 15-minute wait after ten
 * failures. None of these lets attackers lock out the owner: known browsers have their own counter (`device`), and a
 * password reset clears everything.
 */
export const LOGIN_RULES = {
  pair: { freeFailures: 4, maxWaitSeconds: 900, resetsOnSuccess: true },
  address: ADDRESS_RULE,
  account: { freeFailures: 9, maxWaitSeconds: 900, isConstantWait: true, resetsOnSuccess: true, stopsAt: MAX_FAILURES },
  device: { freeFailures: 4, maxWaitSeconds: 900, resetsOnSuccess: true, stopsAt: MAX_FAILURES },
} as const satisfies { readonly [counter: string]: ThrottleRule }

export type LoginCounter = keyof typeof LOGIN_RULES

/** `lastAtMs` is a Unix timestamp in ms. */
export type Failures = { readonly count: number; readonly lastAtMs: number }

export const FAILURE_LIFETIME_MS = 24 * 60 * 60 * 1000

/**
 * Delay in seconds: 0 for free failures, then 1, 2, 4, … up to the maximum; with `isConstantWait`, the maximum right
 * away.
 */
export function waitSeconds(rule: ThrottleRule, failureCount: number): number {
  const counted = failureCount - rule.freeFailures
  if (counted <= 0) return 0
  if (rule.stopsAt !== undefined && failureCount >= rule.stopsAt) return FAILURE_LIFETIME_MS / 1000
  if (rule.isConstantWait === true) return rule.maxWaitSeconds
  return Math.min(rule.maxWaitSeconds, 2 ** (counted - 1))
}

/** Also true for failures more than a day in the future, which occur if the clock was set back. */
export const areExpired = ({ lastAtMs }: Failures, nowMs: number): boolean =>
  Math.abs(nowMs - lastAtMs) > FAILURE_LIFETIME_MS

/** Whole seconds until the next attempt is allowed; 0 if allowed now. */
export function attemptWaitSeconds(rule: ThrottleRule, failures: Failures | undefined, nowMs: number): number {
  if (failures === undefined || areExpired(failures, nowMs)) return 0
  const waitMs = waitSeconds(rule, failures.count) * 1000
  // Ignores failures in the future, which occur if the clock was set back.
  if (failures.lastAtMs - nowMs > waitMs) return 0
  return Math.max(0, Math.ceil((failures.lastAtMs + waitMs - nowMs) / 1000))
}

export function countNow(rule: ThrottleRule, failures: Failures | undefined, nowMs: number): number {
  if (failures === undefined || areExpired(failures, nowMs)) return 0
  if (rule.decaySeconds === undefined) return failures.count
  const passedMs = Math.max(0, nowMs - failures.lastAtMs)
  return Math.max(0, failures.count - Math.floor(passedMs / (rule.decaySeconds * 1000)))
}

/** `keyFailures`: earlier failures of the `perKey` key. Returns undefined if this failure doesn't count. */
export function afterFailure(
  rule: ThrottleRule,
  failures: Failures | undefined,
  { nowMs, keyFailures }: { readonly nowMs: number; readonly keyFailures: number },
): Failures | undefined {
  const count = countNow(rule, failures, nowMs)
  const isCapped = rule.perKey !== undefined && keyFailures >= rule.perKey.max && count < rule.freeFailures
  return isCapped ? undefined : { count: count + 1, lastAtMs: nowMs }
}

/** Subtracts a key's failures after the key succeeds. */
export function withoutKey(rule: ThrottleRule, failures: Failures, keyFailures: number): Failures {
  return { ...failures, count: Math.max(0, failures.count - Math.min(keyFailures, rule.perKey?.max ?? 0)) }
}
