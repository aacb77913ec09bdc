import { createHash, type ScryptOptions, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { UserId } from '#domain/shared/ids.ts'
import { RECOVERY_CODE_COST } from '#server/platform/crypto/hash-cost.ts'

const scryptKey = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

const HASH_BYTES = 32

/**
 * What is stored of a recovery code. Its 60 bits are fewer than a plain hash protects for ever, so it is made slowly and
 * with a salt (NIST SP 800-63B-4, 3.1.2.2); the salt is the user's, so that one computation finds the code among ten.
 */
export async function hashRecoveryCode(userId: UserId, code: string): Promise<string> {
  const salt = createHash('sha256').update(`recovery-code ${userId}`).digest()
  return (await scryptKey(code, salt, HASH_BYTES, RECOVERY_CODE_COST)).toString('base64url')
}
