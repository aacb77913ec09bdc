import { hashPassword, isPassword } from '#server/identity/passwords/password-hash.ts'
import { noPromise, signIn } from '../report/budgets.ts'
import { metricsOf, runLoad } from '../client/load.ts'
import { type Bench, restrictedViewer, loadOf, type Part, singleReads } from '../measure.ts'
import type { RawRequest } from '../client/raw-client.ts'
import { type Column, type Metrics, rowOf } from '../report/result.ts'
import { USERS } from '../setup/create-users.ts'
import type { Environment } from '../setup/environment.ts'

const HASHES_AT_ONCE = 16
const HASHING_MS = 1500

/** Password hashes per second on an idle machine. */
async function hashesPerSecond(): Promise<number> {
  const stored = await hashPassword(USERS.password)
  const startedAt = performance.now()
  const lane = async () => {
    let count = 0
    for (; performance.now() - startedAt < HASHING_MS; count += 1) await isPassword(stored, USERS.password)
    return count
  }
  const counts = await Promise.all(Array.from({ length: HASHES_AT_ONCE }, lane))
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - startedAt) / 1000)
}

const SIGN_INS: readonly RawRequest[] = USERS.many.map((email) => ({
  method: 'POST',
  path: '/api/auth/login',
  body: { email, password: USERS.password, client: 'api' },
}))

/** Measures sign-ins without other load, then with a concurrent reader. */
async function measureOn(
  bench: Bench,
  stage: Environment,
): Promise<{ readonly alone: Metrics; readonly reads: Metrics }> {
  const viewer = restrictedViewer(bench, stage)
  const signIns = loadOf(bench, { viewer, requests: SIGN_INS, status: 200 }, SIGN_INS.length)
  const alone = metricsOf(await runLoad(signIns))
  const reads = loadOf(bench, { viewer, requests: singleReads(viewer), status: 200 }, 1)
  const [, seen] = await Promise.all([runLoad({ ...signIns, countedMs: 2 * signIns.countedMs }), runLoad(reads)])
  return { alone, reads: metricsOf(seen) }
}

/** Measures many concurrent sign-ins, and reads during them. */
export const signInPart: Part = {
  name: 'sign-in',
  run: async (bench) => {
    const before = await hashesPerSecond()
    const [alone, reads] = [new Map<Column, Metrics>(), new Map<Column, Metrics>()]
    for (const stage of bench.stages) {
      const measured = await measureOn(bench, stage)
      alone.set(stage.dialect, measured.alone)
      reads.set(stage.dialect, measured.reads)
    }
    // Uses the faster of two measurements, so that a temporary slowdown doesn't relax the budget.
    const budget = signIn(Math.max(before, await hashesPerSecond()))
    return [rowOf(budget, alone), rowOf(noPromise('Read one record during 16 sign-ins', 1), reads)]
  },
}
