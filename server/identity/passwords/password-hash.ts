import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { PASSWORD_COST } from '#server/platform/crypto/hash-cost.ts'

/** The hash of a random password, compared with for unknown users, so that the response time is the same. */
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$I3peeaN+TDQmm13wXp8nbg$yMapTX8OqWkE7b8P+7CX/W8ed0mcPV9JPw3cfpPH26o'

/** Node's thread pool has four threads, shared with files and compression: half of them stay free. */
const MAX_CONCURRENT = Math.min(2, availableParallelism())

const waiting: (() => void)[] = []
let running = 0

/** Hashes one after the other when many sign in at once; the CPU use is the same and other work continues. */
async function withHashSlot<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  if (running >= MAX_CONCURRENT) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/** The same password typed on another system can have decomposed accents. */
const normalise = (password: string): string => password.normalize('NFC')

export const hashPassword = (password: string): Promise<string> =>
  withHashSlot(() => hash(normalise(password), PASSWORD_COST))

/**
 * Verifies a password; without a stored hash the same work is done. Invited users have an empty hash, which matches
 * nothing.
 */
export async function isPassword(stored: string | undefined, password: string): Promise<boolean> {
  const isRight = await withHashSlot(() => verify(stored || DUMMY_HASH, normalise(password)))
  return isRight && stored !== undefined && stored !== ''
}
