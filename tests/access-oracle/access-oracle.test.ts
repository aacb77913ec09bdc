import { afterAll, beforeAll, expect, test } from 'vitest'
import { perTier } from '#tests/support/test-tier.ts'
import { type Oracle, openOracle } from './open-oracle.ts'
import { TESTED_ROUTES, isExcluded } from './requests/routes.ts'
import { describeDisagreement } from './run-oracle.ts'

/**
 * Number of worlds in this short version of `npm run conformance`. Unlike there, the worlds are always the same, so
 * that failures are caused by the change under test.
 */
const WORLDS = Number(process.env['DOSSIER_ORACLE_WORLDS'] ?? perTier(5))
const FIRST_SEED = Number(process.env['DOSSIER_SEED'] ?? 1)

let oracle: Oracle

beforeAll(async () => {
  oracle = await openOracle()
})
afterAll(() => oracle.close())

test('every server route is requested, or listed as tested elsewhere', () => {
  const isRequested = (door: string): boolean => TESTED_ROUTES.includes(door)
  expect(oracle.doors.filter((door) => !isRequested(door) && !isExcluded(door))).toEqual([])
  expect(TESTED_ROUTES.filter((door) => !oracle.doors.includes(door))).toEqual([])
})

test(
  'every response is the same as if only the visible data existed',
  async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + WORLDS; seed += 1) {
      const { disagreements } = await oracle.askWorld(seed)
      expect(
        disagreements.map(describeDisagreement).join('\n'),
        `npm run conformance -- --seed ${seed} --requests 1`,
      ).toBe('')
    }
  },
  60_000 + WORLDS * 60_000,
)
