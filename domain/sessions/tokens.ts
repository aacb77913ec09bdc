/** What every API token begins with, so that people and scanners of leaked secrets recognise one. */
export const API_TOKEN_PREFIX = 'dsr_'

/** Random bytes of a token: 256 bits, which nobody guesses, so that a plain hash of it is safe to store. */
export const API_TOKEN_BYTES = 32

/** Most tokens of one user that work at the same time. */
export const MAX_API_TOKENS = 100

/** How long a token works when its maker names no end, in ms: 90 days. */
export const API_TOKEN_LIFETIME_MS = 90 * 24 * 60 * 60 * 1000

/** Whether a bearer says it is an API token; whether it is one only its hash tells. */
export const looksLikeApiToken = (bearer: string): boolean => bearer.startsWith(API_TOKEN_PREFIX)

/** Whether a token may still be used. */
export function checkApiToken(
  token: { readonly expiresAt: Date | null; readonly isRevoked: boolean },
  now: Date,
): 'good' | 'revoked' | 'expired' {
  if (token.isRevoked) return 'revoked'
  return token.expiresAt !== null && now >= token.expiresAt ? 'expired' : 'good'
}

/** When something was last used is written down at most this often: the minute is enough for people. */
export const USE_RECORD_INTERVAL_MS = 60 * 1000

/** Whether a use now has to be written down. */
export const shouldRecordUse = (usedAt: Date | null, now: Date): boolean =>
  usedAt === null || now.getTime() - usedAt.getTime() >= USE_RECORD_INTERVAL_MS

/** What a code in a letter is for. */
export type CodePurpose = 'invitation' | 'reset'

/** Random bytes of a code: 256 bits. */
export const SINGLE_USE_CODE_BYTES = 32

const HOUR_MS = 60 * 60 * 1000

/** How long a code works: an invitation may lie over a weekend's day, a reset is asked for by somebody who waits for it. */
const CODE_LIFETIME_MS = { invitation: 48 * HOUR_MS, reset: HOUR_MS } as const satisfies {
  readonly [Purpose in CodePurpose]: number
}

/** Until when a code made now works. */
export const codeExpiry = (purpose: CodePurpose, now: Date): Date => new Date(now.getTime() + CODE_LIFETIME_MS[purpose])

const CODE_FORMAT = /^[\w-]{43}$/

/** Whether a text has the form of a code at all; nothing else is worth looking up. */
export const isCodeForm = (text: string): boolean => CODE_FORMAT.test(text)
