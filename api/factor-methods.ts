/** The ways to prove who one is besides the password. */
export const FACTOR_METHODS = ['totp', 'passkey', 'recovery-code'] as const

/** One of them. */
export type FactorMethod = (typeof FACTOR_METHODS)[number]
