import { expect, test } from 'vitest'
import { ask, askGroups, askSums } from './agreement.ts'
import { CASES } from './cases.ts'
import type { Executor } from './executors.ts'
import { id } from './data/library-schema.ts'
import { bookId } from './data/small-dataset.ts'

/** Asserts that each example query returns the expected books. */
export function describeExpectations(executor: () => Executor): void {
  const named = CASES.map((one) => ({ ...one, name: JSON.stringify({ ...one.ask, ...one.sight }) }))
  test.each(named)('$name finds $finds', async ({ ask: requested, sight, finds }) => {
    const query = ask({ perPage: 500, ...requested }, { books: undefined, authors: undefined, ...sight })
    expect(await executor().ids(query)).toEqual(finds.map(bookId))
    expect(await executor().count(query)).toBe(finds.length)
  })

  test('groups are in option order, with the empty group last, and have offsets and summaries', async () => {
    const { groups, total } = await executor().groups(
      ask({ perPage: 500 }),
      askGroups('genre', 'count,sum(margin),max(price)'),
    )
    expect(total).toBe(5)
    expect(groups).toEqual([
      { key: [id('h', 1)], count: 1, aggregates: [1, 0.2, -1], offset: 0 },
      { key: [id('h', 2)], count: 1, aggregates: [1, null, 100], offset: 1 },
      { key: [id('h', 4)], count: 1, aggregates: [1, 0.1, 2.5], offset: 2 },
      { key: [id('h', 5)], count: 1, aggregates: [1, 0.3, 2.5], offset: 3 },
      { key: [null], count: 2, aggregates: [2, null, 0], offset: 4 },
    ])
  })

  test('dates are grouped by interval, in the workspace’s time zone', async () => {
    const groupsBy = async (by: string) =>
      (await executor().groups(ask({ perPage: 500 }), askGroups(by, 'count'))).groups.map(({ key, count }) => [
        ...key,
        count,
      ])
    expect(await groupsBy('dueOn:month')).toEqual([
      ['2025-03-01', 1],
      ['2026-02-01', 1],
      ['2026-03-01', 2],
      [null, 2],
    ])
    // The clocks go forward on March 29.
    expect(await groupsBy('readAt:day')).toEqual([
      ['2026-03-28', 1],
      ['2026-03-29', 2],
      ['2026-03-30', 1],
      [null, 2],
    ])
    expect(await groupsBy('-dueOn:year,dueOn:quarter')).toEqual([
      ['2026-01-01', '2026-01-01', 3],
      ['2025-01-01', '2025-01-01', 1],
      [null, null, 2],
    ])
  })

  test('paged groups with two levels have correct offsets', async () => {
    const grouping = askGroups('-sold,author', 'avg(margin)', 2, 2)
    const { groups, total } = await executor().groups(ask({ perPage: 500 }), grouping)
    expect(total).toBe(5)
    expect(groups).toEqual([
      { key: [false, id('m', 2)], count: 1, aggregates: [0.2], offset: 2 },
      { key: [false, id('m', 9)], count: 1, aggregates: [0.3], offset: 3 },
    ])
  })

  test('without group-by fields, the whole list is the only group, or none if it is empty', async () => {
    const sums = askSums('count,sum(margin),avg(margin),min(price),max(price)')
    const whole = await executor().groups(ask({ perPage: 1 }), sums)
    expect(whole.groups).toEqual([{ key: [], count: 6, aggregates: [6, 0.6, 0.2, -1, 100], offset: 0 }])
    expect(await executor().groups(ask({ filter: 'price > 1000', perPage: 1 }), sums)).toEqual({ groups: [], total: 0 })
  })

  test('sums are exact decimals', async () => {
    const { groups } = await executor().groups(
      ask({ filter: 'margin < 0.3', perPage: 500 }),
      askGroups('createdBy', 'sum(margin)'),
    )
    expect(groups).toEqual([{ key: [null], count: 2, aggregates: [0.3], offset: 0 }])
  })

  test('a sum without values is null', async () => {
    const { groups } = await executor().groups(
      ask({ filter: 'margin is empty', perPage: 500 }),
      askSums('count,sum(margin),avg(margin)'),
    )
    expect(groups.map(({ aggregates }) => aggregates.slice(1))).toEqual([[null, null]])
  })

  test('a page after the last group still returns the total', async () => {
    expect(await executor().groups(ask({ perPage: 500 }), askGroups('genre', '', 9, 10))).toEqual({
      groups: [],
      total: 5,
    })
  })
}
