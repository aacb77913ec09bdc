import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { perTier } from '#tests/support/test-tier.ts'
import { authors, books } from '#tests/conformance/query/data/library-schema.ts'
import { contextFor, filters, groupings, searches, sorts } from '#tests/conformance/query/data/generated-queries.ts'
import { checkFilter } from './check/check-filter.ts'
import { checkGroupQuery } from './list/group.ts'
import { printFilter } from './filter/print-filter.ts'
import type { QueryContext, QueryFault } from './check/query-context.ts'
import { checkRecordsQuery } from './list/records-query.ts'

const mistyped = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(texts, fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...SLIPS)), { minLength: 1, maxLength: 4 }))
    .map(([text, slips]) =>
      slips.reduce((typed, [place, length, slip]) => {
        const at = place % (typed.length + 1)
        return typed.slice(0, at) + slip + typed.slice(at + length)
      }, text),
    )

const SLIPS = [
  '',
  ' ',
  '"',
  '(',
  ')',
  '&&',
  '||',
  '=',
  '!',
  '~',
  '@',
  '@todya',
  'x',
  '7',
  ',',
  '-',
  '.',
  'secret',
  ' is ',
  'é',
  '😀',
  '\\',
  '\0',
  '\ud800',
]

const secret = new Set([...books.fields, ...authors.fields].filter(({ name }) => name === 'secret').map(({ id }) => id))
const blind: QueryContext = { ...contextFor(), decisionFor: () => ({ allowed: true, hiddenFields: secret }) }

/** Errors when the given text is used as each of the query parameters. */
function faultsIn(text: string): readonly (readonly [string, QueryFault])[] {
  const requested = [
    checkFilter(text, blind),
    checkRecordsQuery({ sort: text, perPage: 10 }, blind),
    checkRecordsQuery({ search: text, perPage: 10 }, blind),
    checkGroupQuery({ by: text, perPage: 10 }, blind),
    checkGroupQuery({ by: 'genre', aggregates: text, perPage: 10 }, blind),
  ]
  return requested.flatMap((checked) => (checked.ok ? [] : [[text, checked.fault] as const]))
}

const anyText = fc.oneof(
  mistyped(filters.map(printFilter)),
  mistyped(sorts),
  mistyped(groupings),
  mistyped(searches),
  mistyped(fc.constantFrom('count,sum(price),avg(margin)', 'secrt = 1', 'author.secre ~ "x"')),
  fc.string(),
)

describe('a rejected query', () => {
  test('is reported with a message and the position of the error', () => {
    const property = fc.property(anyText, (whole) => {
      for (const [text, fault] of faultsIn(whole)) {
        expect(fault.position, fault.message).toBeGreaterThanOrEqual(0)
        expect(fault.position, fault.message).toBeLessThanOrEqual(text.length)
        expect(fault.message).toMatch(/[.?]$/)
      }
    })
    fc.assert(property, { numRuns: perTier(500) })
  })

  test('is never reported with a hidden name as a suggestion', () => {
    const property = fc.property(anyText, (whole) => {
      const text = whole.replaceAll('secret', 'sacred')
      for (const [, fault] of faultsIn(text)) expect(fault.message).not.toContain('secret')
    })
    fc.assert(property, { numRuns: perTier(300) })
  })
})

const message = (filter: string): string => {
  const checked = checkFilter(filter, contextFor())
  return checked.ok ? 'accepted' : checked.fault.message
}

describe('a suggestion', () => {
  test.each([
    ['titel = "x"', 'Did you mean “title”?'],
    ['author.nmae = "x"', 'Did you mean “name”?'],
    ['title contains "x"', 'Did you mean ~?'],
    ['title contians "x"', 'Did you mean ~?'],
    ['title startsWith "x"', 'Did you mean ^=?'],
    ['price == 1', 'Did you mean =?'],
    ['price <> 1', 'Did you mean !=?'],
    ['price => 1', 'Did you mean >=?'],
    ['price betwen 1 and 2', 'Did you mean between?'],
    ['price = 1 and sold = true', 'Did you mean &&?'],
    ['price = 1 or sold = true', 'Did you mean ||?'],
    ['genre = "crme"', 'Did you mean “crime”?'],
    ['dueOn = @todya-7d', 'Did you mean @today-7d?'],
  ])('is included for %s', (filter, meant) => {
    expect(message(filter).endsWith(meant), message(filter)).toBe(true)
  })

  test('is included for a misspelled aggregate, with its position', () => {
    const checked = checkGroupQuery({ by: 'genre', aggregates: 'count, summ(price)', perPage: 10 }, contextFor())
    expect(checked).toMatchObject({ fault: { path: 'aggregates', position: 7 } })
    expect(checked.ok ? '' : checked.fault.message).toContain('Did you mean “sum”?')
  })
})
