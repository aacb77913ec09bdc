import { afterAll, beforeAll, expect, test } from 'vitest'
import { perTier } from '#tests/support/test-tier.ts'
import { type Pair, runSeed } from './random-queries.ts'
import { inDatabase, inMemory } from './executors.ts'
import { stock } from './data/generated-values.ts'

/** Number of seeds in this short version of `npm run conformance`; every run uses different seeds. */
const SEEDS = perTier(10)
const FIRST_SEED = Number(process.env['DOSSIER_SEED'] ?? Date.now() % 1_000_000_000)

const pairs: Pair[] = []

beforeAll(async () => {
  const memory = inMemory(stock)
  for (const dialect of ['sqlite', 'postgres'] as const) pairs.push({ memory, other: await inDatabase(dialect, stock) })
})
afterAll(() => Promise.all(pairs.map(({ other }) => other.close())))

test('generated queries return the same result in memory, SQLite and PostgreSQL', async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
    const [first] = await runSeed(pairs, seed)
    expect(first, `npm run conformance -- --seed ${seed} --filters 1`).toBeUndefined()
  }
}, 180_000)
