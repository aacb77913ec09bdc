import { afterAll, beforeAll, expect, test } from 'vitest'
import { askTwins } from './run-twins.ts'
import { openTwins, type Twins } from './twins.ts'

/** Worlds of a short run; the same each time, so that what they find is of the change at hand. */
const WORLDS = Number(process.env['DOSSIER_ORACLE_WORLDS'] ?? 6)
const FIRST_SEED = Number(process.env['DOSSIER_SEED'] ?? 1)
const REQUESTS = 60

let twins: Twins

beforeAll(async () => {
  twins = await openTwins()
})
afterAll(() => twins.close())

test(
  'answers alike in two worlds that differ in one hidden value, unless a known disclosure tells it',
  async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + WORLDS; seed += 1) {
      const leaks = (await askTwins(twins, seed, REQUESTS)).filter(({ by }) => by.length === 0)
      const told = leaks.map(({ secret, exchange: { method, path, sent, answers } }) => ({
        secret,
        asked: `${method} ${path} ${JSON.stringify(sent)}`,
        answers: answers.map(({ status, text }) => `${status} ${text}`),
      }))
      expect(told, `DOSSIER_SEED=${seed} DOSSIER_ORACLE_WORLDS=1`).toEqual([])
    }
  },
  60_000 + WORLDS * 60_000,
)
