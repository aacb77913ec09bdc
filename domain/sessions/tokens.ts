/** Prefix that lets people and secret scanners recognize a token. */
export const API_TOKEN_PREFIX = 'dsr_'

/** 256 random bits can't be guessed, so a fast hash is safe to store. */
export const API_TOKEN_BYTES = 32

/** Maximum number of active tokens per user. */
export const MAX_API_TOKENS = 100

/** Default lifetime in ms. */
export const API_TOKEN_LIFETIME_MS = 90 * 24 * 60 * 60 * 1000

/** Checks only the prefix; the hash determines whether the token is valid. */
export const looksLikeApiToken = (bearer: string): boolean => bearer.startsWith(API_TOKEN_PREFIX)

export function checkApiToken(
  token: { readonly expiresAt: Date | null; readonly isRevoked: boolean },
  now: Date,
): 'good' | 'revoked' | 'expired' {
  if (token.isRevoked) return 'revoked'
  return token.expiresAt !== null && now >= token.expiresAt ? 'expired' : 'good'
}

/** In ms; limits writes, because the last-used time doesn't need more precision. */
export const USE_RECORD_INTERVAL_MS = 60 * 1000

export const shouldRecordUse = (usedAt: Date | null, now: Date): boolean =>
  usedAt === null || now.getTime() - usedAt.getTime() >= USE_RECORD_INTERVAL_MS

export type CodePurpose = 'invitation' | 'reset'

/** Token length: 256 bits. */
export const SINGLE_USE_CODE_BYTES = 32

const HOUR_MS = 60 * 60 * 1000

/** Invitations must outlast a weekend; password resets are used immediately. */
const CODE_LIFETIME_MS = { invitation: 48 * HOUR_MS, reset: HOUR_MS } as const satisfies {
  readonly [Purpose in CodePurpose]: number
}

export const codeExpiry = (purpose: CodePurpose, now: Date): Date => new Date(now.getTime() + CODE_LIFETIME_MS[purpose])

const CODE_FORMAT = /^[\w-]{43}$/

/** Cheap check before the database lookup. */
export const isCodeForm = (text: string): boolean => CODE_FORMAT.test(text)
