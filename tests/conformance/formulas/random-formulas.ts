import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { FormulaCalendar } from '#domain/formulas/expression.ts'
import { expressionOfText, type FormulaExecutor, formulasInMemory } from './formula-executors.ts'
import { formulas } from './generated-formulas.ts'

export const FORMULAS_PER_SEED = 200

const NOW = new Date('2026-03-29T12:00:00.000Z')

/** The second one has daylight saving time, which starts on this day. */
export const CALENDARS: readonly FormulaCalendar[] = ['UTC', 'Europe/Vienna'].map((timeZone) => ({
  now: NOW,
  timeZone,
}))

/** Longer formulas are valid, but repeat the same operations. */
const MAX_LENGTH = 2_000

/** Formulas whose values differ from those in memory, each with the values of all records. */
export async function runFormulaSeed(
  executors: readonly FormulaExecutor[],
  seed: number,
  count = FORMULAS_PER_SEED,
): Promise<readonly string[]> {
  const drawn = fc.sample(formulas, { seed, numRuns: count }).filter(({ length }) => length < MAX_LENGTH)
  const expressions = drawn.map(expressionOfText)
  const found: string[] = []
  for (const calendar of CALENDARS) {
    const wanted = await formulasInMemory.values(expressions, calendar)
    for (const { values } of executors) {
      const given = await values(expressions, calendar)
      const different = drawn.flatMap((formula, place) =>
        isDeepStrictEqual(given[place], wanted[place])
          ? []
          : `seed ${seed}, ${calendar.timeZone}: ${formula}\n  ${JSON.stringify([wanted[place], given[place]])}`,
      )
      found.push(...different)
    }
  }
  return found
}
