import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CheckedGroupQuery, checkGroupQuery, checkAggregatesQuery } from '#domain/query/list/group.ts'
import {
  type CheckedRecordsQuery,
  type RecordsQueryInput,
  checkRecordsQuery,
} from '#domain/query/list/records-query.ts'
import type { Result } from '#domain/shared/result.ts'
import { type Executor, inMemory } from './executors.ts'
import {
  type Sight,
  conditions,
  contextFor,
  filters,
  groupings,
  intervalGroupings,
  questions,
  searches,
  sights,
  sorts,
} from './data/generated-queries.ts'
import { ORDERED_VIEW, stock } from './data/generated-values.ts'

const memory = inMemory(stock)

const AGGREGATES = 'count,sum(margin),avg(margin),min(price),max(price)'

function proven<Value>(checked: Result<Value, unknown>): Value {
  expect(checked).toMatchObject({ ok: true })
  if (!checked.ok) throw new Error('refused')
  return checked.value
}

/** Validates a query that is expected to be valid. */
export const ask = (input: RecordsQueryInput, sight?: Sight): CheckedRecordsQuery =>
  proven(checkRecordsQuery({ manualOrder: { view: ORDERED_VIEW, isEmpty: false }, ...input }, contextFor(sight)))

/** Sort orders, some of which end with the manual order of a view. */
const orders = fc
  .tuple(sorts, fc.boolean(), fc.boolean())
  .map(([sort, isManual, isAlone]) =>
    isManual ? `${isAlone || sort === '' ? '' : `${sort},`}@manual:${ORDERED_VIEW}` : sort,
  )

/** Validates a group query that is expected to be valid. */
export const askGroups = (by: string, aggregates = AGGREGATES, page = 1, perPage = 500): CheckedGroupQuery =>
  proven(checkGroupQuery({ by, aggregates, page, perPage }, contextFor()))

export const askGroupsAs = (sight: Sight, by: string, aggregates = AGGREGATES): CheckedGroupQuery =>
  proven(checkGroupQuery({ by, aggregates, page: 1, perPage: 500 }, contextFor(sight)))

/** Validates whole-list aggregates that are expected to be valid. */
export const askSums = (aggregates = AGGREGATES, sight?: Sight): CheckedGroupQuery =>
  proven(checkAggregatesQuery(aggregates, contextFor(sight)))

async function expectSameIds(executor: Executor, query: CheckedRecordsQuery): Promise<void> {
  expect(await executor.ids(query)).toEqual(await memory.ids(query))
}

/** Timeout in ms: several hundred combinations of operator and field type are tested, possibly on a busy machine. */
const MANY_QUESTIONS_MS = 90_000

/**
 * Asserts that a database returns the same results as the in-memory executor. `times` is the number of runs per test.
 */
export function describeAgreement(executor: () => Executor, times: number): void {
  test(
    'every operator finds the same records in the same order for every field type',
    async () => {
      const each = conditions.map((condition, at) => fc.sample(condition, { seed: at, numRuns: times }))
      for (const some of each) {
        await Promise.all(some.map((filter) => expectSameIds(executor(), ask({ filter, perPage: 500 }))))
      }
    },
    MANY_QUESTIONS_MS,
  )

  test('generated filters, sort orders and searches find the same records under generated grants', async () => {
    const property = fc.asyncProperty(questions, sights, async (question, sight) => {
      const query = ask(question, sight)
      await expectSameIds(executor(), query)
      expect(await executor().count(query)).toBe(await memory.count(query))
    })
    await fc.assert(property, { numRuns: times * 100 })
  })

  test('every sort order returns the same order in both directions', async () => {
    const property = fc.asyncProperty(orders, sights, (sort, sight) =>
      expectSameIds(executor(), ask({ sort, perPage: 500 }, sight)),
    )
    await fc.assert(property, { numRuns: times * 40 })
  })

  test('lists sorted by names are in order, also if their filter has many values', async () => {
    const many = Array.from({ length: 60 }, (_, at) => at).join(', ')
    for (const sort of ['keeper,number', '-keeper,number', 'author,number'])
      await expectSameIds(executor(), ask({ filter: `margin in (${many}) || price > 0`, sort, perPage: 500 }))
  })

  test('every search finds the same records in every executor', async () => {
    const property = fc.asyncProperty(searches, sights, (search, sight) =>
      expectSameIds(executor(), ask({ search, perPage: 500 }, sight)),
    )
    await fc.assert(property, { numRuns: times * 40 })
  })

  test('cursors and page numbers return the same records', async () => {
    const property = fc.asyncProperty(
      orders,
      filters,
      sights,
      fc.integer({ min: 3, max: 40 }),
      async (sort, filter, sight, perPage) => {
        const whole = await memory.ids(ask({ sort, filter, perPage: 500 }, sight))
        const walked: string[] = []
        let cursor: string | null | undefined
        for (let page = 1; cursor !== null; page += 1) {
          const numbered = await executor().page(ask({ sort, filter, perPage, page }, sight))
          const following = await executor().page(ask({ sort, filter, perPage, cursor }, sight))
          expect(following.ids).toEqual(numbered.ids)
          walked.push(...following.ids)
          cursor = following.nextCursor
        }
        expect(walked).toEqual(whole)
      },
    )
    await fc.assert(property, { numRuns: times * 8 })
  })

  test('groups have the same keys, sizes, summaries and offsets', async () => {
    const property = fc.asyncProperty(
      fc.oneof(groupings, intervalGroupings),
      filters,
      sights,
      async (by, filter, sight) => {
        const query = ask({ filter, perPage: 500 }, sight)
        const [found, wanted] = await Promise.all([
          executor().groups(query, askGroupsAs(sight, by)),
          memory.groups(query, askGroupsAs(sight, by)),
        ])
        expect(found.total).toBe(wanted.total)
        expect(found.groups.map(({ key, count, offset }) => ({ key, count, offset }))).toEqual(
          wanted.groups.map(({ key, count, offset }) => ({ key, count, offset })),
        )
        for (const [at, group] of wanted.groups.entries())
          expectSameFigures(found.groups[at]?.aggregates, group.aggregates)
      },
    )
    await fc.assert(property, { numRuns: times * 20 })
  })

  test('groups are ordered by an aggregate, with those without a value last', async () => {
    const property = fc.asyncProperty(
      groupings,
      sights,
      fc.constantFrom(...AGGREGATES.split(',').keys()),
      fc.boolean(),
      async (by, sight, at, isDescending) => {
        const query = ask({ perPage: 500 }, sight)
        const order = { at, isDescending }
        const { groups } = await executor().groups(query, { ...askGroupsAs(sight, by), order })
        const values = groups.map(({ aggregates }) => aggregates[at] ?? null)
        const known = values.filter((value) => value !== null)
        expect(values).toEqual([...known, ...values.slice(known.length).map(() => null)])
        expect(known).toEqual(known.toSorted((one, other) => (isDescending ? other - one : one - other)))
        const { groups: listed } = await executor().groups(query, askGroupsAs(sight, by))
        expect(groups.toSorted((one, other) => one.offset - other.offset)).toEqual(listed)
      },
    )
    await fc.assert(property, { numRuns: times * 2 })
  })

  test('a list without groups has the same summaries', async () => {
    const property = fc.asyncProperty(filters, sights, async (filter, sight) => {
      const query = ask({ filter, perPage: 1 }, sight)
      const sums = askSums(AGGREGATES, sight)
      const [found, wanted] = await Promise.all([executor().groups(query, sums), memory.groups(query, sums)])
      expect(found.groups.map(({ count }) => count)).toEqual(wanted.groups.map(({ count }) => count))
      const [group] = wanted.groups
      if (group) expectSameFigures(found.groups[0]?.aggregates, group.aggregates)
    })
    await fc.assert(property, { numRuns: times * 20 })
  })

  test('each group starts at its position in the sorted list', async () => {
    const property = fc.asyncProperty(groupings, sights, async (by, sight) => {
      const list = await memory.ids(ask({ sort: by, perPage: 500 }, sight))
      const query = ask({ perPage: 500 }, sight)
      const grouping = proven(checkGroupQuery({ by, page: 2, perPage: 7 }, contextFor(sight)))
      const { groups } = await executor().groups(query, grouping)
      const first = groups[0]
      // In groups of fields with several values, a record occurs more than once.
      const isOnce = grouping.by.every(({ entries }) => entries === undefined)
      if (first && isOnce) expect(first.offset).toBeLessThan(list.length)
      for (const [at, group] of groups.slice(1).entries()) {
        const before = groups[at]
        expect(group.offset).toBe((before?.offset ?? 0) + (before?.count ?? 0))
      }
    })
    await fc.assert(property, { numRuns: times * 5 })
  })
}

/** Sums may differ in the last digit, because each executor adds the values in a different order. */
function expectSameFigures(found: readonly (number | null)[] | undefined, wanted: readonly (number | null)[]): void {
  expect(found?.length).toBe(wanted.length)
  for (const [at, figure] of wanted.entries()) {
    const own = found?.[at] ?? null
    if (figure === null || own === null) expect(own).toBe(figure)
    else expect(Math.abs(own - figure)).toBeLessThanOrEqual(Math.max(1, Math.abs(figure)) * 1e-12)
  }
}
