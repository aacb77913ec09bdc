import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { PASSWORD_COST } from '#server/platform/crypto/hash-cost.ts'

/** The hash of a random password nobody knows. Compared with when there is no such user, so that the time is the same. */
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$I3peeaN+TDQmm13wXp8nbg$yMapTX8OqWkE7b8P+7CX/W8ed0mcPV9JPw3cfpPH26o'

/** Node's pool has four threads, for files and compression as well: half of them stay free for everybody else. */
const MAX_CONCURRENT = Math.min(2, availableParallelism())

const waiting: (() => void)[] = []
let running = 0

/** Hashes one after the other where many sign in at once; the processors are as busy, and nobody else has to wait. */
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

/** The same password typed on another system may come with its accents apart. */
const normalise = (password: string): string => password.normalize('NFC')

/** What is stored of a password; made off the event loop. */
export const hashPassword = (password: string): Promise<string> =>
  withHashSlot(() => hash(normalise(password), PASSWORD_COST))

/**
 * Whether it is the password; without a stored hash the same work is done for nothing. Whoever was invited and has not
 * come yet has an empty one, and no password is right.
 */
export async function isPassword(stored: string | undefined, password: string): Promise<boolean> {
  const isRight = await withHashSlot(() => verify(stored || DUMMY_HASH, normalise(password)))
  return isRight && stored !== undefined && stored !== ''
}
