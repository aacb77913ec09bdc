import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '#tests/support/documents/any-character.ts'
import { filters } from '#tests/conformance/query/data/generated-queries.ts'
import type { Filter } from './filter.ts'
import { parseFilter } from './parse-filter.ts'
import { printFilter } from './print-filter.ts'
import { MAX_FILTER_LENGTH } from '../query-limits.ts'

const parse = (text: string): Filter | string => {
  const parsed = parseFilter(text)
  return parsed.ok ? parsed.value.filter : `${parsed.fault.position}: ${parsed.fault.message}`
}

/** Filter text can't express groups with fewer than two conditions, so these are normalized. */
function spellOut(filter: Filter): Filter {
  if (!('all' in filter) && !('any' in filter)) return filter
  const parts = ('all' in filter ? filter.all : filter.any).map(spellOut)
  const [only] = parts
  if (parts.length === 1 && only) return only
  if ('all' in filter) return parts.length > 0 ? { all: parts } : { field: 'id', op: 'is not empty' }
  return parts.length > 0 ? { any: parts } : { field: 'id', op: 'is empty' }
}

describe('filter text', () => {
  test('round-trips through its syntax tree', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        // A tree can exceed the length limit of filter text.
        fc.pre(printFilter(filter).length <= MAX_FILTER_LENGTH)
        const isEverything = 'all' in filter && filter.all.length === 0
        expect(parse(printFilter(filter))).toEqual(isEverything ? filter : spellOut(filter))
      }),
    )
  })

  test('matches everything if empty', () => {
    expect(parse('  ')).toEqual({ all: [] })
    expect(printFilter({ all: [] })).toBe('')
  })

  test('gives && precedence over ||, and parentheses over both', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((field) => ({ field, op: '=', value: 1 }))
    expect(parse('a = 1 || b = 1 && c = 1')).toEqual({ any: [a, { all: [b, c] }] })
    expect(parse('(a = 1 || b = 1) && c = 1')).toEqual({ all: [{ any: [a, b] }, c] })
    expect(parse('((a = 1))')).toEqual(a)
  })

  test('accepts every kind of literal', () => {
    expect(parse('a in ("x", -2.5e3, true, FALSE, @today-7d)')).toEqual({
      field: 'a',
      op: 'in',
      value: ['x', -2500, true, false, { marker: '@today-7d' }],
    })
    expect(parse('a = "say \\"hi\\" \\\\ \n"')).toEqual({ field: 'a', op: '=', value: 'say "hi" \\ \n' })
    expect(parse('a BETWEEN 1 AND 2')).toEqual({ field: 'a', op: 'between', value: [1, 2] })
    expect(parse('a Is Not Empty')).toEqual({ field: 'a', op: 'is not empty' })
  })

  test('doesn’t need spaces', () => {
    expect(parse('a>=1&&b!~"x"||c$="y"')).toEqual({
      any: [
        {
          all: [
            { field: 'a', op: '>=', value: 1 },
            { field: 'b', op: '!~', value: 'x' },
          ],
        },
        { field: 'c', op: '$=', value: 'y' },
      ],
    })
  })

  test('accepts field IDs, even with a leading digit', () => {
    const id = '01jxk3m5n7p9q2r4s6t8v0w1x3'
    expect(parse(`${id} = 1`)).toEqual({ field: id, op: '=', value: 1 })
    expect(parse(`author.${id} is empty`)).toEqual({ field: `author.${id}`, op: 'is empty' })
    expect(parse('a = 12345678901234500000000000')).toEqual({ field: 'a', op: '=', value: 1.23456789012345e25 })
  })

  test.each([
    ['title', '5: Unexpected end of input: expected a comparison such as =, !=, ~ or “is empty”.'],
    [
      'title = ',
      '8: Unexpected end of input: expected a value (a number, true, false, @today, text in double quotes) or a field name.',
    ],
    [
      'title in (open)',
      '10: Unexpected “open”: expected a value: a number, true, false, @today, or text in double quotes.',
    ],
    ["title = 'x'", '8: Put text in straight double quotes ("…"), not in \'.'],
    ['title = "x', '8: Missing closing quotation mark.'],
    ['title = "a\\n"', '10: Inside quotes, use a backslash only before " or \\, not before “n”.'],
    ['due > 2026-01-01', '6: Not a number. Put dates and text in double quotes.'],
    ['a = 1 & b = 2', '6: Combine conditions with && or ||, not with a single &.'],
    ['a = 1 b = 2', '6: Unexpected “b”: expected &&, || or the end.'],
    ['!(a = 1)', '0: There is no “!” operator. Use !=, !~, “is not empty” or not(…).'],
    ['(a = 1', '6: Unexpected end of input: expected &&, || or a closing parenthesis.'],
    ['a in 1', '5: Unexpected “1”: expected a list in parentheses, such as in ("a", "b").'],
    ['a in (1', '7: Unexpected end of input: expected a comma or a closing parenthesis.'],
    ['a between 1 or 2', '12: Unexpected “or”: expected “and” and the second value.'],
    ['a is not', '8: Unexpected end of input: expected “empty”.'],
    ['a = 1 &&', '8: Unexpected end of input: expected a field name.'],
    ['= 1', '0: Unexpected “=”: expected a field name.'],
    ['a ? 1', '2: Unexpected “?”.'],
    [
      'a = 1e999',
      '4: Unexpected “1e999”: expected a value (a number, true, false, @today, text in double quotes) or a field name.',
    ],
  ])('%s is rejected with its position and what was expected', (text, fault) => {
    expect(parse(text)).toBe(fault)
  })

  test.each([
    ['len(title) > 3', { formula: 'len(title) > 3' }],
    ['price -5 > 3', { formula: 'price -5 > 3' }],
    ['price > -5', { field: 'price', op: '>', value: -5 }],
    ['"Dr. " & name = title', { formula: '"Dr. " & name = title' }],
    ['(price + tax) * 2 > 10', { formula: '(price + tax) * 2 > 10' }],
    ['(price + tax > 10)', { formula: 'price + tax > 10' }],
    ['price between round(low) and high * 2', { formula: 'price between round(low) and high * 2' }],
    ['not(paid = true || (a = 1))', { formula: 'not(paid = true || (a = 1))' }],
    ['price in (1, -2)', { field: 'price', op: 'in', value: [1, -2] }],
    ['x = "a && len(b)"', { field: 'x', op: '=', value: 'a && len(b)' }],
    [
      '(a = 1 || len(b) > 2) && c * 2 = 4',
      { all: [{ any: [{ field: 'a', op: '=', value: 1 }, { formula: 'len(b) > 2' }] }, { formula: 'c * 2 = 4' }] },
    ],
  ])('%s contains a formula where it has functions or arithmetic', (text, filter) => {
    expect(parse(text)).toEqual(filter)
    expect(parse(printFilter(filter as Filter))).toEqual(filter)
  })

  test('rejects markers in formulas', () => {
    expect(parse('a = 1 && dateadd(due, 1, "day") < @today')).toBe(
      '34: @today can’t be used with functions or arithmetic. Use today() or now().',
    )
  })

  test('that exceeds the limits is rejected without a stack overflow', () => {
    expect(parse('('.repeat(9_000))).toBe('8: Parentheses are nested deeper than 8 levels.')
    expect(parse(' '.repeat(20_001))).toBe('20000: Must be at most 20000 characters long.')
    expect(parse(`a = "${'\\"'.repeat(9_000)}"`)).toMatchObject({ field: 'a' })
  })

  test('never crashes the parser', () => {
    const bits = fc.array(
      fc.constantFrom('a', '=', '"', '\\', '(', ')', '&&', '||', 'in', 'is', '1', '-', '.', '@me', ' ', '~', '!', '\0'),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: anyCharacter }),
          bits.map((list) => list.join('')),
        ),
        (text) => {
          const parsed = parseFilter(text)
          if (!parsed.ok) expect(parsed.fault.position).toBeLessThanOrEqual(text.length)
        },
      ),
    )
  })
})
