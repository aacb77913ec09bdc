import { afterAll, beforeAll, expect, test } from 'vitest'
import { IS_DAILY, perTier } from '#tests/support/test-tier.ts'
import { DISCLOSURE_KINDS } from '#domain/access/disclosures.ts'
import { askStagedWorld, compareTwins, bringExceptionsAbout, type Difference, inWords } from './compare-twins.ts'
import { openTwins, type Twins } from './twins.ts'

/**
 * Number of generated worlds in a short run; always the same worlds, so that failures are caused by the change under
 * test.
 */
const WORLDS = Number(process.env['DOSSIER_ORACLE_WORLDS'] ?? perTier(5))
const FIRST_SEED = Number(process.env['DOSSIER_SEED'] ?? 1)

let twins: Twins

beforeAll(async () => {
  twins = await openTwins()
})
afterAll(() => twins.close())

const leaksIn = (differences: readonly Difference[]) => differences.filter(({ by }) => by.length === 0).map(inWords)

test('every listed exception occurs, and only for its own request and reason', async () => {
  const occurred = await bringExceptionsAbout(twins)
  expect(occurred).toEqual(DISCLOSURE_KINDS.map((kind) => ({ kind, by: [kind] })))
})

test('no request reveals a secret in the test data, except for listed exceptions', async () => {
  // The daily run tries every third secret.
  expect(leaksIn(await askStagedWorld(twins, IS_DAILY ? 3 : 1))).toEqual([])
}, 400_000)

test(
  'two data sets that differ in one hidden value give equal responses, except for listed exceptions',
  async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + WORLDS; seed += 1) {
      expect(leaksIn(await compareTwins(twins, seed)), `DOSSIER_SEED=${seed} DOSSIER_ORACLE_WORLDS=1`).toEqual([])
    }
  },
  60_000 + WORLDS * 60_000,
)
