/** In the place of `server/platform/crypto/hash-cost.ts` (vitest.config.ts): who comes in does not depend on how long a guess takes. */
export const PASSWORD_COST = { memoryCost: 8, timeCost: 1, parallelism: 1 } as const

export const RECOVERY_CODE_COST = { N: 2, r: 8, p: 1 } as const
