/** Replaces `server/platform/crypto/hash-cost.ts` (see vitest.config.ts). */
export const PASSWORD_COST = { memoryCost: 8, timeCost: 1, parallelism: 1 } as const

export const RECOVERY_CODE_COST = { N: 2, r: 8, p: 1 } as const
