import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '#tests/support/documents/any-character.ts'
import { MAX_SEARCH_TERMS } from '#domain/query/query-limits.ts'
import type { RecordsQueryInput } from '#domain/query/list/records-query.ts'
import { searchTerms } from '#domain/query/list/search.ts'
import { ask, askGroups } from './agreement.ts'
import { type Executor, inMemory } from './executors.ts'
import { fileNames } from './data/library-schema.ts'
import { type Sight, filters, sights, sorts } from './data/generated-queries.ts'
import { TEXTS, stock } from './data/generated-values.ts'

const memory = inMemory(stock)

/**
 * Search texts as users and programs send them: substrings of all searchable values, from one character to the whole
 * value.
 */
const sought = fc
  .tuple(
    fc.constantFrom(
      ...TEXTS,
      ...fileNames.values(),
      'Poetry',
      'crime',
      '100%',
      'Ünreal',
      'Ada',
      '12',
      '4',
      'example.org',
    ),
    fc.nat(8),
    fc.oneof(fc.nat(2), fc.nat(12), fc.constant(500)),
  )
  .map(([text, from, length]) => [...text].slice(from, from + length + 1).join(''))

const word = fc.oneof(
  { weight: 4, arbitrary: sought },
  { weight: 2, arbitrary: sought.map((text) => `"${text}"`) },
  { weight: 1, arbitrary: sought.map((text) => `"${text}`) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 3 }).map((text) => text.replaceAll('\0', '')) },
)

const searchTexts = fc
  .oneof(fc.array(word, { minLength: 1, maxLength: 3 }), fc.array(word, { minLength: 1, maxLength: 16 }))
  .map((words) => words.join(' ').slice(0, 500))
  .filter((text) => !isTooMuch(text))

const isTooMuch = (text: string): boolean => searchTerms(text).length > MAX_SEARCH_TERMS

/** Some sort orders are applied to the search hits, others are read from an index. */
const orders = fc.oneof(fc.constantFrom('', 'id', '-id'), sorts)

const requested: fc.Arbitrary<RecordsQueryInput> = fc.record({
  search: searchTexts,
  sort: orders,
  filter: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: filters }),
  perPage: fc.constant(500),
})

const NOBODY_BOUND: Sight = { books: undefined, authors: undefined }
const sighted = fc.oneof(fc.constant(NOBODY_BOUND), sights)

/** Asserts that database searches return the same results as in-memory searches, whatever the indexes contain. */
export function describeSearches(executor: () => Executor, times: number): void {
  test('finds the same records in the same order, and the same count', async () => {
    const property = fc.asyncProperty(requested, sighted, async (question, sight) => {
      const query = ask(question, sight)
      const ids = await memory.ids(query)
      expect(await executor().ids(query)).toEqual(ids)
      expect(await executor().count(query)).toBe(await memory.count(query))
      if (!(await executor().hasPossibleHits(query))) expect(ids).toEqual([])
    })
    await fc.assert(property, { numRuns: times * 60 })
  })

  test('pages and cursors return the same hits', async () => {
    const property = fc.asyncProperty(
      searchTexts,
      orders,
      fc.integer({ min: 1, max: 9 }),
      async (search, sort, perPage) => {
        const whole = await memory.ids(ask({ search, sort, perPage: 500 }))
        const walked: string[] = []
        let cursor: string | null | undefined
        for (let page = 1; cursor !== null && page < 20; page += 1) {
          const numbered = await executor().page(ask({ search, sort, perPage, page }))
          const following = await executor().page(ask({ search, sort, perPage, cursor }))
          expect(following.ids).toEqual(numbered.ids)
          walked.push(...following.ids)
          cursor = following.nextCursor
        }
        expect(walked).toEqual(whole.slice(0, walked.length))
        if (cursor === null) expect(walked).toHaveLength(whole.length)
      },
    )
    await fc.assert(property, { numRuns: times * 6 })
  })

  test('a page that scans its search hits starts in the requested sort order', async () => {
    for (const sort of ['id', '-id']) {
      const query = ask({ search: 'example.org "apfel"', sort, perPage: 3 })
      const whole = await memory.ids(query)
      expect((await executor().page(query)).ids).toEqual(whole.slice(0, 3))
    }
  })

  test('groups contain the same hits', async () => {
    const property = fc.asyncProperty(searchTexts, fc.constantFrom('genre', 'title', 'author'), async (search, by) => {
      const query = ask({ search, perPage: 500 })
      const found = await executor().groups(query, askGroups(by, 'count'))
      expect(found).toEqual(await memory.groups(query, askGroups(by, 'count')))
    })
    await fc.assert(property, { numRuns: times * 6 })
  })
}
