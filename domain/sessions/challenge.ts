import type { ThrottleRule } from './login-throttle.ts'

/** A question the server asked waits this long for its answer. */
export const CHALLENGE_LIFETIME_MS = 10 * 60 * 1000

/** So many wrong answers, by whatever factor, end a sign-in's second step. */
export const MAX_CHALLENGE_ATTEMPTS = 5

/** Most failures of one account in a day. Source: NIST SP 800-63B-4, 3.2.2. */
const MAX_FAILURES = 100

/**
 * What else slows guessing of second factors, counted over all of them together and over all challenges. Whoever gets
 * this far knows the password. A browser the user has signed in with before counts for itself alone (`device`), so that
 * somebody who stole the password cannot keep its owner out.
 */
export const FACTOR_RULES = {
  pair: { freeFailures: 5, maxWaitSeconds: 900, resetsOnSuccess: true, stopsAt: MAX_FAILURES },
  account: { freeFailures: 15, maxWaitSeconds: 900, resetsOnSuccess: true, stopsAt: MAX_FAILURES },
  device: { freeFailures: 5, maxWaitSeconds: 900, resetsOnSuccess: true, stopsAt: MAX_FAILURES },
} as const satisfies { readonly [counter: string]: ThrottleRule }

/** How many tries from one address to sign in by passkey may fail: nobody guesses one, so this only spares the server. */
export const PASSKEY_RULES = {
  address: { freeFailures: 20, maxWaitSeconds: 60 },
} as const satisfies { readonly [counter: string]: ThrottleRule }

/** What a user has set up, as far as a sign-in needs to know. */
export type EnrolledFactors = {
  readonly hasTotp: boolean
  readonly passkeyCount: number
  readonly recoveryCodesLeft: number
}

/** Whether a password alone is not enough for this user. */
export const hasSecondFactor = ({ hasTotp, passkeyCount }: EnrolledFactors): boolean => hasTotp || passkeyCount > 0

/** The ways the second step can be taken; none when there is none. Recovery codes stand in for a factor, they are none. */
export function secondStepMethods(enrolled: EnrolledFactors): ('totp' | 'passkey' | 'recovery-code')[] {
  if (!hasSecondFactor(enrolled)) return []
  return [
    ...(enrolled.passkeyCount > 0 ? (['passkey'] as const) : []),
    ...(enrolled.hasTotp ? (['totp'] as const) : []),
    ...(enrolled.recoveryCodesLeft > 0 ? (['recovery-code'] as const) : []),
  ]
}

/** Whether signing in once more with an identity provider proves who one is: like a password, only as the sole factor. */
export const isProviderEnough = (enrolled: EnrolledFactors): boolean => !hasSecondFactor(enrolled)

/**
 * The ways to prove once more who one is. With a second factor the password no longer counts: whoever took a session and
 * a password must not be able to take the second factor away.
 */
export function stepUpMethods(
  enrolled: EnrolledFactors,
  hasPassword: boolean,
): ('password' | 'totp' | 'passkey' | 'recovery-code')[] {
  const second = secondStepMethods(enrolled)
  if (second.length > 0) return second
  return hasPassword ? ['password'] : []
}
