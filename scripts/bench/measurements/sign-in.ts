import { hashPassword, isPassword } from '#server/users/password-hash.ts'
import { READ_BESIDE_SIGN_IN, signIn } from '../budgets.ts'
import { lineOfRequests } from '../line.ts'
import { figuresOf, runLoad } from '../load.ts'
import { loadOf, type Measurement, singleReads } from '../measure.ts'
import type { RawRequest } from '../raw-client.ts'
import { PASSWORD, type Stage } from '../stage.ts'

const HASHES_AT_ONCE = 16
const HASHING_MS = 2000

/** How many passwords this machine compares in a second when it does nothing else. */
async function hashesPerSecond(): Promise<number> {
  const stored = await hashPassword(PASSWORD)
  const startedAt = performance.now()
  const lane = async () => {
    let count = 0
    for (; performance.now() - startedAt < HASHING_MS; count += 1) await isPassword(stored, PASSWORD)
    return count
  }
  const counts = await Promise.all(Array.from({ length: HASHES_AT_ONCE }, lane))
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - startedAt) / 1000)
}

const signIns = ({ emails }: Stage): RawRequest[] =>
  emails.map((email) => ({
    method: 'POST',
    path: '/api/auth/login',
    body: { email, password: PASSWORD, client: 'api' },
  }))

/** Many people sign in at once, and others go on reading. */
export const signInMeasurement: Measurement = {
  name: 'sign-in',
  run: async (stage) => {
    const before = await hashesPerSecond()
    const asking = { requests: signIns(stage), connections: stage.emails.length }
    const alone = figuresOf(await runLoad(loadOf(stage, asking)))
    // The better of two, so that a slow moment of the machine does not make the promise easy to keep.
    const budget = signIn(Math.max(before, await hashesPerSecond()))
    const [, reads] = await Promise.all([
      runLoad(loadOf(stage, { ...asking, window: { countedMs: 3500 } })),
      runLoad(loadOf(stage, { requests: singleReads(stage) })),
    ])
    return [lineOfRequests(budget, alone, undefined), lineOfRequests(READ_BESIDE_SIGN_IN, figuresOf(reads), undefined)]
  },
}
