import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createSemaphore } from '#server/platform/concurrency/locks.ts'
import { PASSWORD_COST } from '#server/platform/crypto/hash-cost.ts'

/** The hash of a random password, verified for unknown users so that response times don't differ. */
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$I3peeaN+TDQmm13wXp8nbg$yMapTX8OqWkE7b8P+7CX/W8ed0mcPV9JPw3cfpPH26o'

/** Node's thread pool has four threads, shared with files and compression; this leaves half of them free. */
const MAX_CONCURRENT = Math.min(2, availableParallelism())

/** Limits concurrent hashing: total CPU time is the same, and other work continues. */
const hashing = createSemaphore(MAX_CONCURRENT)

/** Passwords typed on another operating system can contain decomposed accents. */
const normalise = (password: string): string => password.normalize('NFC')

export const hashPassword = (password: string): Promise<string> =>
  hashing.run(() => hash(normalise(password), PASSWORD_COST))

/** Verifies a password; takes the same time if no hash is stored. Invited users have an empty hash. */
export async function isPassword(stored: string | undefined, password: string): Promise<boolean> {
  const isRight = await hashing.run(() => verify(stored || DUMMY_HASH, normalise(password)))
  return isRight && stored !== undefined && stored !== ''
}
