import { describe, expect, test } from 'vitest'
import { books } from '#tests/conformance/query/data/library-schema.ts'
import { ask, askGroups } from '#tests/conformance/query/agreement.ts'
import {
  type IndexSpec,
  type KnownIndex,
  MAX_INDEXES,
  decideIndex,
  fieldsOfIndex,
  indexContains,
  indexCovers,
  indexForGroups,
  indexForQuery,
  isUnused,
  splitByIndex,
} from './index-selection.ts'

const nameOf = (field: string): string => books.fields.find(({ id }) => id === field)?.name ?? field

/** Prints an index in short form, such as `genre = | price.. | -dueOn`. */
function written(spec: IndexSpec | null): string {
  if (spec === null) return 'none'
  const { equal, grouped, range, order, covered } = spec
  const parts = [
    ...equal.map((field) => `${nameOf(field)} =`),
    ...grouped.map((field) => `by ${nameOf(field)}`),
    ...(range === null ? [] : [`${nameOf(range)}..`]),
    ...order.map(({ field, isDescending }) => (isDescending ? '-' : '') + nameOf(field)),
    ...covered.map((field) => `(${nameOf(field)})`),
  ]
  return parts.join(' | ')
}

const forList = (filter: string, sort = ''): string => written(indexForQuery(ask({ filter, sort, perPage: 50 })))

const forGroups = (by: string, aggregates: string, filter = ''): string =>
  written(indexForGroups(ask({ filter, perPage: 50 }), askGroups(by, aggregates)))

describe('the index for a list', () => {
  test.each([
    ['', '', 'none'],
    ['', 'id', 'none'],
    ['', '-price', '-price'],
    ['', 'title,-dueOn', 'title | -dueOn'],
    ['', 'createdAt', 'createdAt'],
    ['', 'price,id,title', 'price'],
    ['genre = "crime"', '', 'genre ='],
    ['genre = "crime"', 'price', 'genre = | price'],
    ['genre = "crime"', 'genre,price', 'genre = | price'],
    ['genre = "crime" && price between 1 and 2', 'dueOn', 'genre = | price.. | dueOn'],
    ['genre = "crime" && price between 1 and 2', 'title', 'genre = | price..'],
    ['price > 1', '-price', '-price'],
    ['price > 1', 'dueOn,price', 'price.. | dueOn | price'],
    ['genre in ("crime", "essay")', 'price', 'genre.. | price'],
    ['title ^= "ap"', 'price', 'title.. | price'],
    ['dueOn is empty && sold = true', '', 'sold = | dueOn ='],
    ['dueOn is not empty', '', 'none'],
    ['title ~ "ap"', 'price', 'price'],
    ['price != 1', '', 'none'],
    ['price = 1 || genre = "crime"', '-dueOn', '-dueOn'],
    ['createdBy = @me', '', 'createdBy ='],
    ['readAt = @today', '', 'readAt..'],
    ['', 'author', 'author ='],
    ['', '-author,price', 'author = | price'],
    ['', 'createdBy', 'createdBy ='],
    ['sold = true', 'author', 'sold ='],
  ])('filtered by %j and sorted by %j is %j', (filter, sort, wanted) => {
    expect(forList(filter, sort)).toBe(wanted)
  })

  test('is not used for IDs, searches or relations', () => {
    expect(forList(`id = "${'0'.repeat(26)}"`, 'price')).toBe('none')
    expect(written(indexForQuery(ask({ search: 'crime', sort: 'price', perPage: 50 })))).toBe('none')
    expect(forList('author.active = true', '')).toBe('none')
    expect(forList('', 'author.country.name')).toBe('none')
    expect(forList('writers is empty', 'scans')).toBe('none')
  })

  test('starts with at most three equality fields, the most selective first', () => {
    const filter = 'sold = true && genre = "crime" && price = 1 && dueOn = "2026-01-01" && margin = 1'
    expect(forList(filter)).toBe('price = | dueOn = | margin =')
  })

  test('depends on the configured order of a field’s options', () => {
    const query = ask({ sort: 'genre', perPage: 50 })
    const spec = indexForQuery(query)
    expect(spec?.order[0]?.places).toHaveLength(5)
    const places = spec?.order[0]?.places?.toReversed() ?? []
    const turned = spec?.order.map((ordered) => ({ ...ordered, places })) ?? []
    expect(spec && indexCovers({ ...spec, order: turned }, spec)).toBe(false)
  })
})

describe('the index for groups', () => {
  test.each([
    ['genre', 'count', '', 'by genre'],
    ['genre', 'count,sum(price)', '', 'by genre | (price)'],
    ['genre,-sold', 'sum(price),avg(price)', '', 'by sold | by genre | (price)'],
    ['genre', 'sum(price)', 'sold = true', 'sold = | by genre | (price)'],
    ['genre', 'sum(price)', 'genre = "crime" && margin > 1', 'genre = | (price) | (margin)'],
  ])('by %j with %j where %j is %j', (by, aggregates, filter, wanted) => {
    expect(forGroups(by, aggregates, filter)).toBe(wanted)
  })
})

test('aggregates over a whole list use the narrowest index that contains their fields', () => {
  const whole = { ...askGroups('genre', 'count,sum(price)'), by: [], parts: [] }
  expect(written(indexForGroups(ask({ perPage: 50 }), whole))).toBe('(price)')
  const filtered = indexForGroups(ask({ filter: 'sold = true', perPage: 50 }), whole)
  expect(written(filtered)).toBe('sold = | (price)')
  const bare = indexForQuery(ask({ filter: 'sold = true', perPage: 50 }))
  expect(bare && filtered && indexCovers(bare, filtered)).toBe(false)
})

describe('an index', () => {
  const list = (filter: string, sort = '') => indexForQuery(ask({ filter, sort, perPage: 50 }))
  const groups = (by: string, aggregates: string) => indexForGroups(ask({ perPage: 50 }), askGroups(by, aggregates))
  const does = (have: IndexSpec | null, want: IndexSpec | null) =>
    have !== null && want !== null && indexCovers(have, want)

  test('supports only its own sort order', () => {
    expect(does(list('', 'price'), list('', 'price'))).toBe(true)
    expect(does(list('', 'price'), list('', '-price'))).toBe(false)
    expect(does(list('', 'price,dueOn'), list('', 'price'))).toBe(false)
    expect(does(list('genre = "crime"', 'price'), list('genre = "crime"'))).toBe(false)
  })

  test('for a list also supports grouping by its fields', () => {
    const filtered = list('genre = "crime" && price > 1', 'dueOn')
    expect(does(filtered, groups('genre', 'sum(price)'))).toBe(true)
    expect(does(filtered, groups('dueOn', 'sum(price)'))).toBe(false)
    expect(does(list('genre in ("crime", "essay")', 'price'), groups('genre', 'sum(price)'))).toBe(true)
    expect(does(list('', 'genre'), groups('genre', 'count'))).toBe(false)
    expect(does(groups('genre', 'sum(price)'), groups('genre', 'count'))).toBe(true)
    expect(does(groups('genre', 'count'), groups('genre', 'sum(price)'))).toBe(false)
    expect(does(groups('genre', 'count'), list('', 'genre'))).toBe(false)
  })

  test.each([
    ['price > 1', []],
    ['price > 1 && genre != "crime"', ['genre']],
    ['price > 1 && (genre = "crime" || sold = true)', ['genre', 'sold']],
    ['price > 1 && title !~ "ap"', null],
    ['price > 1 && author.name = "A"', null],
    ['price > 1 && readAt > createdAt', null],
  ])('for %j leaves conditions on %j to be checked', (filter, others) => {
    const query = ask({ filter, sort: 'dueOn', perPage: 50 })
    expect(splitByIndex(query.where, indexForQuery(query) as IndexSpec).others?.map(nameOf) ?? null).toEqual(others)
  })

  test('contains the values of its fields, except those that are only sorted by', () => {
    const have = list('price > 1 && sold != true', 'genre') as IndexSpec
    const isIn = (name: string) =>
      indexContains(
        have,
        books.fields.filter((field) => field.name === name).map(({ id }) => id),
      )
    expect(['price', 'sold', 'genre', 'dueOn'].map(isIn)).toEqual([true, true, false, false])
  })

  test('lists its fields', () => {
    expect(fieldsOfIndex(list('genre = "crime" && price > 1', 'dueOn,createdAt') as IndexSpec).map(nameOf)).toEqual([
      'genre',
      'price',
      'dueOn',
      'createdAt',
    ])
  })
})

const now = new Date('2026-11-20T09:00:00.000Z')
const daysAgo = (days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString()

const sortedBy = (field: string): IndexSpec => ({
  equal: [],
  grouped: [],
  range: null,
  covered: [],
  order: [{ field, takes: ['value'], isDescending: false }],
})

const known = (at: number, usedDaysAgo: number): KnownIndex => ({
  id: `i${at}`,
  spec: sortedBy(`f${at}`),
  usedAt: daysAgo(usedDaysAgo),
})

const full = (usedDaysAgo: number) => Array.from({ length: MAX_INDEXES }, (_, at) => known(at, usedDaysAgo + at / 100))

describe('a requested index', () => {
  test('isn’t built if an equivalent one exists', () => {
    expect(decideIndex(sortedBy('f2'), full(0), now)).toEqual({ type: 'served', by: 'i2' })
  })

  test('is built if the index limit hasn’t been reached', () => {
    expect(decideIndex(sortedBy('new'), [known(1, 0)], now)).toEqual({ type: 'build', insteadOf: null })
  })

  test('replaces the least recently used index if that was unused for a day', () => {
    expect(decideIndex(sortedBy('new'), full(2), now)).toEqual({ type: 'build', insteadOf: `i${MAX_INDEXES - 1}` })
    expect(decideIndex(sortedBy('new'), full(0.5), now)).toEqual({ type: 'full' })
  })
})

test('an index that was unused for thirty days is dropped', () => {
  expect(isUnused(known(1, 29.9), now)).toBe(false)
  expect(isUnused(known(1, 30), now)).toBe(true)
})
