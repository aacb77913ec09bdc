import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkFilterIn, environmentOfRules, negate } from '#domain/query/check/check-filter.ts'
import type { CheckedFilter } from '#domain/query/check/checked-filter.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { matches } from '#domain/query/run/matches.ts'
import { negateFilter } from '#domain/query/filter/saved-filter.ts'
import { violates, violatedLocally, compileRule } from '#domain/rules/rule-violations.ts'
import { ask } from './agreement.ts'
import { perTier } from '#tests/support/test-tier.ts'
import { type Executor, inDatabase, inMemory } from './executors.ts'
import { books } from './data/library-schema.ts'
import { contextFor, filters } from './data/generated-queries.ts'
import { lookupIn, BOOK_IDS, stock } from './data/generated-values.ts'

const memory = inMemory(stock)
const all = stock.get(books.id) ?? []
const world = contextFor()

function checked(filter: Filter): CheckedFilter {
  const proven = checkFilterIn(environmentOfRules(world), filter)
  if (!proven.ok) throw new Error(proven.fault.message)
  return proven.value
}

const idsOf = (executor: Executor, also: CheckedFilter) => executor.ids(ask({ extraFilter: also, perPage: 500 }))

/** Random validation rules like those written by owners. */
const rules = fc.record({
  id: fc.constant('r'),
  when: fc.option(filters),
  then: filters,
  message: fc.constant('m'),
  field: fc.constant(null),
})

let executors: readonly Executor[] = []

beforeAll(async () => {
  executors = [memory, await inDatabase('sqlite', stock), await inDatabase('postgres', stock)]
})
afterAll(() => Promise.all(executors.map((executor) => executor.close())))

describe('a negated filter', () => {
  test('finds exactly the records that the original filter excludes', async () => {
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const proven = checked(filter)
        for (const executor of executors) {
          const [found, others] = [await idsOf(executor, proven), await idsOf(executor, negate(proven))]
          expect([...found, ...others].sort()).toEqual([...BOOK_IDS].sort())
        }
      }),
      { numRuns: perTier(300) },
    )
  })

  test('is equivalent when written in the query language, if that can express it', () => {
    let said = 0
    fc.assert(
      fc.property(filters, (filter) => {
        const written = negateFilter(filter, world)
        if (written === undefined) return
        said += 1
        const [turned, proven] = [checked(written), negate(checked(filter))]
        for (const book of all) {
          expect(matches(turned, book, lookupIn(stock)), book.id).toBe(matches(proven, book, lookupIn(stock)))
        }
      }),
      { numRuns: perTier(600) },
    )
    expect(said).toBeGreaterThan(perTier(200))
  })
})

describe('a rule', () => {
  test('finds the same violating records in a form, in memory and in both databases', async () => {
    await fc.assert(
      fc.asyncProperty(rules, async (rule) => {
        const ready = compileRule(rule, world)
        if (!ready) throw new Error('it fits')
        const wanting = all.filter((book) => violates(ready, book, lookupIn(stock))).map(({ id }) => id)
        for (const executor of executors) expect(await idsOf(executor, ready.violatingFilter)).toEqual(wanting)
        const reported = all.filter((book) => violatedLocally([ready], book).length > 0).map(({ id }) => id)
        expect(reported).toEqual(ready.isLocal ? wanting : [])
      }),
      { numRuns: perTier(300) },
    )
  })
})
