import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { Expression, FormulaCalendar } from '#domain/formulas/expression.ts'
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

/** Generated formulas, and how they are checked and evaluated in memory. */
export type FormulaSource<Formula> = {
  readonly drawn: fc.Arbitrary<string>
  readonly check: (text: string) => Formula
  readonly memory: FormulaExecutor<Formula>
}

/** Formulas of one record. */
export const OWN_FORMULAS: FormulaSource<Expression> = {
  drawn: formulas,
  check: expressionOfText,
  memory: formulasInMemory,
}

/** Formulas whose values differ from those in memory, each with the values of all records. */
export async function runFormulaSeed<Formula>(
  { drawn: generated, check, memory }: FormulaSource<Formula>,
  executors: readonly FormulaExecutor<Formula>[],
  seed: number,
  count = FORMULAS_PER_SEED,
): Promise<readonly string[]> {
  const drawn = fc.sample(generated, { seed, numRuns: count }).filter(({ length }) => length < MAX_LENGTH)
  const expressions = drawn.map(check)
  const found: string[] = []
  for (const calendar of CALENDARS) {
    const wanted = await memory.values(expressions, calendar)
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
