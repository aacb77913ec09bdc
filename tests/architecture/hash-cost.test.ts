import { expect, test } from 'vitest'
import { PASSWORD_COST, RECOVERY_CODE_COST } from '#server/platform/crypto/hash-cost.ts'
import { hashPassword } from '#server/identity/passwords/password-hash.ts'

// Not in `server/`, because tests there use a low hash cost.
test('passwords and recovery codes are hashed at the cost recommended by OWASP', async () => {
  expect(await hashPassword('seven otters play the violin')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(PASSWORD_COST).toEqual({ memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  expect(RECOVERY_CODE_COST).toEqual({ N: 16_384, r: 8, p: 1 })
})
