import { describe, expect, test } from 'vitest'
import { type ChartInput, type ChartKey, intervalsBetween, MAX_DATES, shapeChart, shares } from './chart-data.ts'

const group = (key: string, value: number | null, kind: ChartKey['kind'] = 'group'): ChartKey => ({
  key,
  label: key,
  value,
  color: null,
  kind,
})

const shaped = (input: Partial<ChartInput>) =>
  shapeChart({
    categories: [],
    split: undefined,
    total: null,
    isAdditive: true,
    interval: null,
    isByValue: false,
    maxCategories: 24,
    unread: { categories: 0, series: 0 },
    otherLabel: 'Other',
    labelOfDate: (day) => `(${day})`,
    ...input,
  })

const WHOLE = group('', 0)

const labels = (keys: readonly ChartKey[]) => keys.map(({ label }) => label)

describe('groups of a chart', () => {
  test('keep the order of the list, or come largest first', () => {
    const categories = [group('a', 1), group('b', 3), group('c', 2)]
    expect(labels(shaped({ categories }).categories)).toEqual(['a', 'b', 'c'])
    const sorted = shaped({ categories, isByValue: true })
    expect(labels(sorted.categories)).toEqual(['b', 'c', 'a'])
    expect(sorted.values).toEqual([[3, 2, 1]])
  })

  test('that don’t fit become “Other”, which is what the total has in addition', () => {
    const categories = [group('a', 1), group('b', 0.2), group('c', 5), group('d', 0.1)]
    const data = shaped({ categories, total: 7, maxCategories: 3 })
    expect(labels(data.categories)).toEqual(['a', 'c', 'Other'])
    expect(data.values).toEqual([[1, 5, 1]])
    expect(data.left).toBe(0)
  })

  test('that weren’t read are part of “Other”, or left out if their values can’t be added', () => {
    const categories = [group('a', 1), group('b', 2)]
    const unread = { categories: 700, series: 0 }
    const data = shaped({ categories, total: 10, unread })
    expect(labels(data.categories)).toEqual(['a', 'b', 'Other'])
    expect(data.values).toEqual([[1, 2, 7]])
    expect(data.left).toBe(0)
    expect(shaped({ categories, total: 10, unread, isAdditive: false })).toMatchObject({ values: [[1, 2]], left: 700 })
    // “Other” has a place of its own.
    expect(labels(shaped({ categories, total: 10, unread, maxCategories: 2 }).categories)).toEqual(['b', 'Other'])
  })

  test('that don’t fit are left out if their values can’t be added', () => {
    const categories = [group('a', 1), group('b', 2), group('c', 3)]
    const data = shaped({ categories, total: 2, maxCategories: 2, isAdditive: false })
    expect(labels(data.categories)).toEqual(['c'])
    expect(data.left).toBe(2)
  })

  test('without values are zero if values can be added, and empty otherwise', () => {
    const categories = [group('a', null), group('', 2, 'empty')]
    expect(shaped({ categories }).values).toEqual([[0, 2]])
    expect(shaped({ categories, isAdditive: false }).values).toEqual([[null, 2]])
  })
})

describe('a second group', () => {
  const categories = [group('x', 6), group('y', 4)]
  const cells = [
    { category: 'x', series: 'a', value: 5 },
    { category: 'x', series: 'b', value: 1 },
    { category: 'y', series: 'b', value: 4 },
  ]

  test('becomes series, and missing pairs are zero', () => {
    const data = shaped({
      categories,
      split: { series: [group('a', 5), group('b', 5)], cells, isPartial: false },
      total: 10,
    })
    expect(labels(data.series)).toEqual(['a', 'b'])
    expect(data.values).toEqual([
      [5, 0],
      [1, 4],
    ])
  })

  test('with too many values has an “Other” in both directions, so that all sums stay right', () => {
    const many = Array.from({ length: 12 }, (_, at) => group(`s${at}`, at === 0 ? 20 : 1))
    const pairs = [
      { category: 'x', series: 's0', value: 12 },
      { category: 'y', series: 's0', value: 6 },
    ]
    const three = [group('x', 15), group('y', 8), group('z', 8)]
    const data = shaped({
      categories: three,
      split: { series: many, cells: pairs, isPartial: false },
      total: 31,
      maxCategories: 3,
    })
    expect(data.series).toHaveLength(8)
    expect(labels(data.series).at(-1)).toBe('Other')
    const sums = data.categories.map((_, at) => data.values.reduce((all, own) => all + (own[at] ?? 0), 0))
    expect(sums).toEqual([15, 8, 8])
    const cut = shaped({
      categories: three,
      split: { series: many, cells: pairs, isPartial: false },
      total: 31,
      maxCategories: 2,
    })
    expect(cut.values.flat().reduce<number>((all, value) => all + (value ?? 0), 0)).toBe(31)
    const unread = { categories: 600, series: 900 }
    const [one] = many
    const part = shaped({
      categories: [three[0] ?? WHOLE],
      split: { series: [one ?? WHOLE], cells: pairs, isPartial: false },
      total: 31,
      unread,
    })
    expect([labels(part.categories), labels(part.series)]).toEqual([
      ['x', 'Other'],
      ['s0', 'Other'],
    ])
    expect(part.values).toEqual([
      [12, 8],
      [3, 8],
    ])
  })

  test('with more pairs than are read shows only groups of which all are known', () => {
    const three = [group('x', 6), group('y', 4), group('z', 3)]
    const split = { series: [group('a', 7), group('b', 6)], cells, isPartial: true }
    const data = shaped({ categories: three, split, total: 13 })
    expect(labels(data.categories)).toEqual(['x', 'Other'])
    expect(data.values).toEqual([
      [5, 2],
      [1, 5],
    ])
    const averages = shaped({ categories: three, split, isAdditive: false })
    expect([labels(averages.categories), averages.left]).toEqual([['x'], 2])
  })
})

describe('dates', () => {
  test('have no gaps, and records without a date come last', () => {
    const categories = [group('2026-11-01', 2), group('2027-02-01', 1), group('', 9, 'empty')]
    const data = shaped({ categories, interval: 'month' })
    expect(labels(data.categories)).toEqual(['2026-11-01', '(2026-12-01)', '(2027-01-01)', '2027-02-01', ''])
    expect(data.values).toEqual([[2, 0, 0, 1, 9]])
    expect(shaped({ categories, interval: 'month', isAdditive: false }).values).toEqual([[2, null, null, 1, 9]])
  })

  test('step by every interval, across a leap day and a change to daylight saving time', () => {
    expect(intervalsBetween('2028-02-28', '2028-03-01', 'day')).toEqual(['2028-02-28', '2028-02-29', '2028-03-01'])
    expect(intervalsBetween('2026-03-23', '2026-04-06', 'week')).toEqual(['2026-03-23', '2026-03-30', '2026-04-06'])
    expect(intervalsBetween('2026-10-01', '2027-04-01', 'quarter')).toEqual(['2026-10-01', '2027-01-01', '2027-04-01'])
    expect(intervalsBetween('2026-01-01', '2027-01-01', 'year')).toEqual(['2026-01-01', '2027-01-01'])
  })

  test('aren’t filled up to a far date', () => {
    const categories = [group('2026-01-01', 1), group('9999-12-31', 1)]
    expect(labels(shaped({ categories, interval: 'day' }).categories)).toEqual(['2026-01-01', '9999-12-31'])
  })

  test('that are too many start with the latest ones', () => {
    const days = intervalsBetween('2026-01-01', '2026-12-31', 'day') ?? []
    const more = intervalsBetween('2027-01-01', '2027-12-31', 'day') ?? []
    const data = shaped({ categories: [...days, ...more].map((day) => group(day, 1)), interval: 'day' })
    expect(data.categories).toHaveLength(MAX_DATES)
    expect(data.categories.at(-1)?.key).toBe('2027-12-31')
    expect(data.left).toBe(730 - MAX_DATES)
  })
})

test('shares of a group add up to one, without negative values', () => {
  const categories = [group('x', 4), group('y', 0)]
  expect(
    shares({
      categories,
      values: [
        [3, 0],
        [1, null],
        [-4, 0],
      ],
    }),
  ).toEqual([
    [0.75, 0],
    [0.25, 0],
    [0, 0],
  ])
})
