import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FUNCTIONS } from '#domain/formulas/functions/functions.ts'
import { perTier } from '#tests/support/test-tier.ts'
import { ABSENT, DEVIATIONS, FUNCTION_CASES } from './function-cases.ts'
import { expressionOfText, type FormulaExecutor, formulasInDatabase, formulasInMemory } from './formula-executors.ts'
import { LINKED_FORMULAS, linkedFormulasInDatabase } from './linked-formulas.ts'
import { CALENDARS, OWN_FORMULAS, runFormulaSeed } from './random-formulas.ts'

const [UTC = { now: new Date(), timeZone: 'UTC' }] = CALENDARS

const executors: Record<'memory' | 'sqlite' | 'postgres', FormulaExecutor> = {
  memory: formulasInMemory,
  sqlite: formulasInMemory,
  postgres: formulasInMemory,
}

beforeAll(async () => {
  for (const dialect of ['sqlite', 'postgres'] as const) executors[dialect] = await formulasInDatabase(dialect)
})
afterAll(() => Promise.all(Object.values(executors).map(({ close }) => close())))

describe('the functions', () => {
  const cases = [...FUNCTION_CASES, ...DEVIATIONS.map(({ formula, ours }) => [formula, ours] as const)]

  test.each(['memory', 'sqlite', 'postgres'] as const)('give the documented values in %s', async (name) => {
    const found = await executors[name].values(
      cases.map(([formula]) => expressionOfText(formula)),
      UTC,
    )
    const given = cases.map(([formula], place) => [formula, found[place]?.[0]])
    expect(given).toEqual(cases.map(([formula, expected]) => [formula, expected]))
  })

  test('have at least 400 cases, and each function has one', () => {
    expect(cases.length).toBeGreaterThanOrEqual(400)
    const written = cases.map(([formula]) => formula).join('\n')
    const unproven = [...FUNCTIONS.keys()].filter((name) => !written.includes(`${name}(`))
    expect(unproven).toEqual(['now', 'today', 'created_time', 'last_modified_time', 'record_id'])
  })

  test('differ from a documented value only with a reason', () => {
    expect(DEVIATIONS.filter(({ ours, theirs, reason }) => ours === theirs || reason === '')).toEqual([])
    expect(Object.keys(ABSENT).filter((name) => FUNCTIONS.has(name))).toEqual([])
  })

  test('give the values of their examples', async () => {
    const examples = [...FUNCTIONS.values()].flatMap((known) => known.examples)
    const found = await executors.memory.values(
      examples.map(([formula]) => expressionOfText(formula)),
      UTC,
    )
    expect(examples.map(([formula], place) => [formula, String(found[place]?.[0] ?? '')])).toEqual(examples)
  })
})

/** Formulas per run; every run uses another seed. */
const GENERATED = perTier(400)

const SEED = Number(process.env['DOSSIER_SEED'] ?? Date.now() % 1_000_000_000)

test('generated formulas have the same values in every executor', async () => {
  expect(await runFormulaSeed(OWN_FORMULAS, [executors.sqlite, executors.postgres], SEED, GENERATED)).toEqual([])
}, 240_000)

test('generated formulas of linked records have the same values in every executor', async () => {
  const databases = [await linkedFormulasInDatabase('sqlite'), await linkedFormulasInDatabase('postgres')]
  const found = await runFormulaSeed(LINKED_FORMULAS, databases, SEED, GENERATED / 4)
  await Promise.all(databases.map(({ close }) => close()))
  expect(found).toEqual([])
}, 240_000)
