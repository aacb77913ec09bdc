import type { ThrottleRule } from './login-throttle.ts'
import type { RoleId } from '../shared/ids.ts'
import type { SignInMethod } from './session.ts'

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

/** How authenticator apps count when nothing else is said (RFC 6238): six digits, a new code every 30 seconds. */
export const TOTP = { digits: 6, periodSeconds: 30 } as const

/** The number of the time step an instant lies in. */
export const totpStepAt = (now: Date): number => Math.floor(now.getTime() / 1000 / TOTP.periodSeconds)

/** The steps whose codes are taken now: this one, and the one before for whoever types slowly. */
export function totpStepsAt(now: Date): readonly number[] {
  const current = totpStepAt(now)
  return [current, current - 1]
}

/** The six digits somebody typed, with whatever spaces their app shows; undefined when it is no code. */
export function readTotpCode(typed: string): string | undefined {
  const digits = typed.replace(/[\s-]+/g, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}

/** So many recovery codes are made at a time. */
export const RECOVERY_CODE_COUNT = 10

/** Twelve characters of five bits each: 60 bits, and still quick to type from paper. */
const CODE_LENGTH = 12
const GROUP_LENGTH = 4

/** Crockford's base 32 in lower case: none of its characters is mistaken for another. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** So many random bytes go into one code. */
export const RECOVERY_CODE_BYTES = CODE_LENGTH

/** A recovery code as it is shown: `7kq2-m0xd-r9ae`. */
export function recoveryCodeFrom(randomBytes: Uint8Array): string {
  const characters = Array.from(randomBytes.slice(0, CODE_LENGTH), (byte) => ALPHABET.charAt(byte & 31)).join('')
  return characters.replace(new RegExp(`.{${GROUP_LENGTH}}(?=.)`, 'g'), '$&-')
}

/** A typed code in the one form that is compared: capitals, spaces and look-alikes do not matter; undefined: no code. */
export function readRecoveryCode(typed: string): string | undefined {
  const text = typed
    .toLowerCase()
    .replace(/[\s-]+/g, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')
  return text.length === CODE_LENGTH && [...text].every((one) => ALPHABET.includes(one)) ? text : undefined
}

/** Who must sign in with a second factor: everyone, or the members of some roles. */
export type SecondFactorPolicy = { readonly everyone: boolean; readonly roles: readonly RoleId[] }

/** What holds until an owner says otherwise. */
export const NO_SECOND_FACTOR_POLICY: SecondFactorPolicy = { everyone: false, roles: [] }

/** Whether somebody with these roles must have a second factor. */
export const requiresSecondFactor = ({ everyone, roles }: SecondFactorPolicy, held: readonly RoleId[]): boolean =>
  everyone || held.some((role) => roles.includes(role))

/** Ways of signing in that prove a second factor. An identity provider asks for one itself, by rules of its own. */
const SECOND_FACTORS: ReadonlySet<string> = new Set<SignInMethod>(['totp', 'passkey', 'recovery-code', 'provider'])

/** Whether a sign-in by these methods included a second factor. */
export const includesSecondFactor = (methods: readonly string[]): boolean =>
  methods.some((method) => SECOND_FACTORS.has(method))

/** A policy as the audit log keeps it, by the names its roles have then. */
export const printSecondFactorPolicy = (
  { everyone, roles }: SecondFactorPolicy,
  nameOf: (role: RoleId) => string | undefined,
): string => (everyone ? 'everyone' : roles.flatMap((role) => nameOf(role) ?? []).join(', ') || 'nobody')
