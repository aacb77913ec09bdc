import { describe, expect, test } from 'vitest'
import { detectColumnKind, profileCell, createColumnProfile } from './detect-kind.ts'

function kindOf(cells: readonly string[], isWhole = true) {
  const look = createColumnProfile()
  for (const cell of cells) profileCell(look, cell)
  return detectColumnKind(look, isWhole)
}

const times = (count: number, ...cells: readonly string[]) => Array.from({ length: count }, () => cells).flat()

describe('a column', () => {
  test.each([
    ['number', ['1', '-2.5', '', '1e6', '0']],
    ['date', ['2024-02-29', '2024-03-01 00:00:00']],
    ['date-time', ['2024-02-29T12:00:00Z', '2024-03-01 08:30']],
    ['checkbox', ['yes', 'no', 'Yes']],
    ['checkbox', ['x', '', 'x']],
    ['long-text', ['one line', 'two\nlines', 'another']],
    ['long-text', ['word '.repeat(60)]],
    ['text', ['Ada', 'Grace', 'Edsger']],
    ['text', ['', '']],
    ['email', ['ada@example.org', '', 'Grace@Example.com']],
    ['email', ['ada@example.org', ...Array.from({ length: 9 }, () => 'grace@example.com')]],
    ['url', ['https://example.org', 'http://a.at/x?y=1']],
    ['text', ['https://example.org', 'example.org']],
    ['phone', ['+43 1 234 56 78', '(01) 234-5678']],
    ['text', ['01 234 56 78', '555-0100-200']],
    ['text', ['a; b', 'b; c']],
  ])('is %s if all its cells fit', (kind, cells) => {
    expect(kindOf(cells).kind).toBe(kind)
  })

  test('with codes stays text: leading zeros, plus signs and long digits are kept', () => {
    expect(kindOf(['01234', '00099']).kind).toBe('text')
    expect(kindOf(['+49', '+43']).kind).toBe('text')
    expect(kindOf(['12345678901234567', '12345678901234568']).kind).toBe('text')
  })

  test('with commas in numbers stays text, because a comma is ambiguous', () => {
    expect(kindOf(['1,234', '2,500']).kind).toBe('text')
  })

  test('with invalid dates stays text', () => {
    expect(kindOf(['2024-02-30', '2024-01-01']).kind).toBe('text')
  })

  test('with ones and zeros is a number', () => {
    expect(kindOf(['1', '0', '1']).kind).toBe('number')
  })

  test('with yes, no and empty cells isn’t a checkbox, which couldn’t tell no from empty', () => {
    expect(kindOf(times(5, 'yes', 'no', '')).kind).toBe('select')
  })

  test('with few repeated values is a select', () => {
    expect(kindOf(times(4, 'open', 'closed'))).toEqual({
      kind: 'select',
      options: { choices: [{ name: 'closed' }, { name: 'open' }] },
    })
  })

  test('isn’t a select if it wasn’t fully read or options differ only in case', () => {
    expect(kindOf(times(4, 'open', 'closed'), false).kind).toBe('text')
    expect(kindOf(times(8, 'open', 'Open')).kind).toBe('text')
  })
})
