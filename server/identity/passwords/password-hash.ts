import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createSemaphore } from '#server/platform/concurrency/locks.ts'
import { PASSWORD_COST } from '#server/platform/crypto/hash-cost.ts'

/**
 * Hash of a random password, verified for unknown users so that response times don't reveal whether an account exists.
 */
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$I3peeaN+TDQmm13wXp8nbg$yMapTX8OqWkE7b8P+7CX/W8ed0mcPV9JPw3cfpPH26o'

/** Leaves two of the four threads in Node's pool free for file I/O and compression. */
const MAX_CONCURRENT = Math.min(2, availableParallelism())

/** Limits concurrent hashing so that other work isn't blocked; the total CPU time is the same. */
const hashing = createSemaphore(MAX_CONCURRENT)

/** Some operating systems produce decomposed accents, so passwords are normalized before hashing. */
const normalise = (password: string): string => password.normalize('NFC')

export const hashPassword = (password: string): Promise<string> =>
  hashing.run(() => hash(normalise(password), PASSWORD_COST))

/** Verifies a password; takes the same time if no hash is stored. Invited users have an empty hash. */
export async function isPassword(stored: string | undefined, password: string): Promise<boolean> {
  const isRight = await hashing.run(() => verify(stored || DUMMY_HASH, normalise(password)))
  return isRight && stored !== undefined && stored !== ''
}
