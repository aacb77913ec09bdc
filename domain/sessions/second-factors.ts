import type { ThrottleRule } from './login-throttle.ts'
import type { RoleId } from '../shared/ids.ts'
import type { SignInMethod } from './session.ts'

/** In ms. */
export const CHALLENGE_LIFETIME_MS = 10 * 60 * 1000

/** Number of failed attempts, with any factor, after which the sign-in is aborted. */
export const MAX_CHALLENGE_ATTEMPTS = 5

/** Source: NIST SP 800-63B-4, 3.2.2. */
const MAX_FAILURES = 100

/**
 * Limits second-factor guesses across all factors and challenges, because the attacker already knows the password.
 * Known browsers have their own counter (`device`), so a stolen password can't lock out the owner.
 */
export const FACTOR_RULES = {
  pair: { freeFailures: 5, maxWaitSeconds: 900, resetsOnSuccess: true, stopsAt: MAX_FAILURES },
  account: { freeFailures: 15, maxWaitSeconds: 900, resetsOnSuccess: true, stopsAt: MAX_FAILURES },
  device: { freeFailures: 5, maxWaitSeconds: 900, resetsOnSuccess: true, stopsAt: MAX_FAILURES },
} as const satisfies { readonly [counter: string]: ThrottleRule }

/** Passkeys can't be guessed, so this only limits load. */
export const PASSKEY_RULES = {
  address: { freeFailures: 20, maxWaitSeconds: 60 },
} as const satisfies { readonly [counter: string]: ThrottleRule }

export type EnrolledFactors = {
  readonly hasTotp: boolean
  readonly passkeyCount: number
  readonly recoveryCodesLeft: number
}

/** Whether a password alone isn't enough to sign in. */
export const hasSecondFactor = ({ hasTotp, passkeyCount }: EnrolledFactors): boolean => hasTotp || passkeyCount > 0

/** Recovery codes can replace a factor but don't count as one. */
export function secondStepMethods(enrolled: EnrolledFactors): ('totp' | 'passkey' | 'recovery-code')[] {
  if (!hasSecondFactor(enrolled)) return []
  return [
    ...(enrolled.passkeyCount > 0 ? (['passkey'] as const) : []),
    ...(enrolled.hasTotp ? (['totp'] as const) : []),
    ...(enrolled.recoveryCodesLeft > 0 ? (['recovery-code'] as const) : []),
  ]
}

/**
 * Whether signing in with an identity provider is enough to re-authenticate; like a password, only without a second
 * factor.
 */
export const isProviderEnough = (enrolled: EnrolledFactors): boolean => !hasSecondFactor(enrolled)

/** If a second factor exists, the password isn't enough, so a stolen session and password can't remove the factor. */
export function stepUpMethods(
  enrolled: EnrolledFactors,
  hasPassword: boolean,
): ('password' | 'totp' | 'passkey' | 'recovery-code')[] {
  const second = secondStepMethods(enrolled)
  if (second.length > 0) return second
  return hasPassword ? ['password'] : []
}

/** Default settings of authenticator apps (RFC 6238). */
export const TOTP = { digits: 6, periodSeconds: 30 } as const

export const totpStepAt = (now: Date): number => Math.floor(now.getTime() / 1000 / TOTP.periodSeconds)

/** Accepted time steps: the current one, and the previous one for users who type slowly. */
export function totpStepsAt(now: Date): readonly number[] {
  const current = totpStepAt(now)
  return [current, current - 1]
}

/** Accepts the spaces that authenticator apps display. */
export function readTotpCode(typed: string): string | undefined {
  const digits = typed.replace(/[\s-]+/g, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}

export const RECOVERY_CODE_COUNT = 10

/** Twelve 5-bit characters: 60 bits, but quick to type. */
const CODE_LENGTH = 12
const GROUP_LENGTH = 4

/** Lowercase Crockford base 32, which omits ambiguous characters. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

export const RECOVERY_CODE_BYTES = CODE_LENGTH

/** For example `7kq2-m0xd-r9ae`. */
export function recoveryCodeFrom(randomBytes: Uint8Array): string {
  const characters = Array.from(randomBytes.slice(0, CODE_LENGTH), (byte) => ALPHABET.charAt(byte & 31)).join('')
  return characters.replace(new RegExp(`.{${GROUP_LENGTH}}(?=.)`, 'g'), '$&-')
}

/** Normalizes case, spaces and look-alike characters. */
export function readRecoveryCode(typed: string): string | undefined {
  const text = typed
    .toLowerCase()
    .replace(/[\s-]+/g, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')
  return text.length === CODE_LENGTH && [...text].every((one) => ALPHABET.includes(one)) ? text : undefined
}

/** Whether a second factor is required for everyone or for members of some roles. */
export type SecondFactorPolicy = { readonly everyone: boolean; readonly roles: readonly RoleId[] }

export const NO_SECOND_FACTOR_POLICY: SecondFactorPolicy = { everyone: false, roles: [] }

export const requiresSecondFactor = ({ everyone, roles }: SecondFactorPolicy, held: readonly RoleId[]): boolean =>
  everyone || held.some((role) => roles.includes(role))

/** Identity providers count as a second factor, because they enforce their own. */
const SECOND_FACTORS: ReadonlySet<string> = new Set<SignInMethod>(['totp', 'passkey', 'recovery-code', 'provider'])

export const includesSecondFactor = (methods: readonly string[]): boolean =>
  methods.some((method) => SECOND_FACTORS.has(method))

/** Text for the audit log, with the current role names. */
export const printSecondFactorPolicy = (
  { everyone, roles }: SecondFactorPolicy,
  nameOf: (role: RoleId) => string | undefined,
): string => (everyone ? 'everyone' : roles.flatMap((role) => nameOf(role) ?? []).join(', ') || 'nobody')
