import { describe, expect, test } from 'vitest'
import { createColumnProfile, detectColumns, profileCell } from './detect-kind.ts'

const profileOf = (cells: readonly string[]) => {
  const profile = createColumnProfile()
  for (const cell of cells) profileCell(profile, cell)
  return profile
}

const columnsOf = (columns: readonly (readonly string[])[], isWhole = true, separator = ',') =>
  detectColumns(columns.map(profileOf), { isWhole, separator })

function kindOf(cells: readonly string[], isWhole = true) {
  const [column] = columnsOf([cells], isWhole)
  if (!column) throw new Error('no column')
  return column
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
    ['number', ['30,00 €', '1.234,50 €', '7 €']],
    ['number', ['12 %', '7,5 %']],
    ['number', ['1 234,50', '987,00']],
    ['date', ['24.12.2026', '1.2.26']],
    ['date', ['24.12.2026', '2026-12-24', '24. Dez. 2026']],
    ['date-time', ['24.12.2026 14:30', '1.2.2026 08:00 Uhr']],
    ['checkbox', ['ja', 'nein', 'Ja']],
    ['checkbox', ['wahr', 'falsch']],
    ['text', ['30 €', '30 $']],
    ['text', ['555 123 456', '555 123 457']],
  ])('is %s if all its cells fit', (kind, cells) => {
    expect(kindOf(cells).kind).toBe(kind)
  })

  test('with codes is text, so leading zeros, plus signs and long digit strings are kept', () => {
    expect(kindOf(['01234', '00099']).kind).toBe('text')
    expect(kindOf(['+49', '+43']).kind).toBe('text')
    expect(kindOf(['12345678901234567', '12345678901234568']).kind).toBe('text')
  })

  test('with invalid dates is text', () => {
    expect(kindOf(['2024-02-30', '2024-01-01']).kind).toBe('text')
  })

  test('with only ones and zeros is a number', () => {
    expect(kindOf(['1', '0', '1']).kind).toBe('number')
  })

  test('with yes, no and empty cells isn’t a checkbox, because a checkbox can’t be empty', () => {
    expect(kindOf(times(5, 'yes', 'no', '')).kind).toBe('select')
  })

  test('with few repeated values is a select', () => {
    expect(kindOf(times(4, 'open', 'closed'))).toMatchObject({
      kind: 'select',
      options: { choices: [{ name: 'closed' }, { name: 'open' }] },
    })
  })

  test('isn’t a select if it was only partly read or if options differ only in case', () => {
    expect(kindOf(times(4, 'open', 'closed'), false).kind).toBe('text')
    expect(kindOf(times(8, 'open', 'Open')).kind).toBe('text')
  })

  test('with lists is a multi-select, split at their common separator', () => {
    const names = (separator: string) => [`red${separator} blue`, 'red', `blue${separator} green`, 'green']
    for (const separator of [';', ','] as const) {
      expect(kindOf(times(4, ...names(separator)))).toMatchObject({
        kind: 'multi-select',
        options: { choices: [{ name: 'blue' }, { name: 'green' }, { name: 'red' }] },
        format: { separator },
      })
    }
    expect(kindOf(times(4, 'Vienna, Austria', 'Graz, Austria')).kind).toBe('select')
  })

  test('with amounts keeps its currency or percent sign, unless there are two different ones', () => {
    expect(kindOf(['30,00 €', 'EUR 7', '5']).options).toEqual({ format: 'currency', currency: 'EUR' })
    expect(kindOf(['12 %', '7,5%']).options).toEqual({ format: 'percent' })
    expect(kindOf(['12', '7,5']).options).toEqual({})
    expect(kindOf(['30 €', '12 %']).kind).toBe('text')
  })

  test('keeps its detected kind despite a few invalid cells', () => {
    expect(kindOf([...times(30, '12,50 €', '7,00 €'), 'on request'])).toMatchObject({ kind: 'number', misfitCount: 1 })
    expect(kindOf([...times(5, '12,50 €', '7,00 €'), 'on request']).kind).toBe('text')
  })
})

describe('the format of a column', () => {
  const formatOf = (...columns: readonly (readonly string[])[]) => columnsOf(columns)[0]?.format

  test('is detected from unambiguous cells', () => {
    expect(formatOf(['1.234', '30,00'])).toEqual({ decimal: ',' })
    expect(formatOf(['1,234', '30.00'])).toEqual({ decimal: '.' })
    expect(formatOf(['3/9/2026', '3/31/2026'])).toEqual({ dayOrder: 'mdy' })
    expect(formatOf(['3/9/2026', '31/3/2026'])).toEqual({ dayOrder: 'dmy' })
  })

  test('is inferred from other columns if its own cells are ambiguous', () => {
    expect(formatOf(['1.234', '2.500'], ['30,00', '7,5'])).toEqual({ decimal: ',' })
    expect(formatOf(['1.234', '2.500'], ['7', '8'])).toEqual({ decimal: '.' })
    expect(formatOf(['3/9/2026'], ['24.12.2026'])).toEqual({ dayOrder: 'dmy' })
  })

  test('has a decimal comma if semicolons separate cells', () => {
    expect(columnsOf([['1.234'], ['3/9/2026']], true, ';').map(({ format }) => format)).toEqual([
      { decimal: ',' },
      { dayOrder: 'dmy' },
    ])
    expect(formatOf(['3/9/2026'])).toEqual({ dayOrder: undefined })
  })
})
