import type { ScryptOptions } from 'node:crypto'

/** argon2id with OWASP's minimum cost for servers: 19 MiB, two passes, one lane. */
export const PASSWORD_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** scrypt with Node's default memory cost of 16 MiB. */
export const RECOVERY_CODE_COST: ScryptOptions = { N: 16_384, r: 8, p: 1 }
