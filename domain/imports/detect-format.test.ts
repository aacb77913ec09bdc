import { describe, expect, test } from 'vitest'
import { detectFormat, splitSample } from './detect-format.ts'

const lines = (...rows: readonly string[]) => rows.join('\n')

describe('the delimiter', () => {
  test.each([',', ';', '\t', '|'])('is detected as %j', (separator) => {
    const text = lines(`name${separator}year`, `Ada${separator}1815`, `Grace${separator}1906`)
    expect(detectFormat(text, false).separator).toBe(separator)
  })

  test('is a semicolon if commas are decimal separators', () => {
    expect(detectFormat(lines('city;share', 'Bonn;1,5', 'Kiel;2,25', 'Ulm;3,0'), false).separator).toBe(';')
    expect(detectFormat(lines('1,5;2,5', '2,5;3,5'), false).separator).toBe(';')
  })

  test('is detected without counting quoted text', () => {
    expect(detectFormat(lines('a,b', '"x;y;z",1', '"x;y;z",2'), false).separator).toBe(',')
  })

  test('defaults to a comma for a single column', () => {
    expect(detectFormat(lines('name', 'Ada', 'Grace'), false).separator).toBe(',')
  })

  test('can be set explicitly, as can the presence of a header', () => {
    const form = detectFormat(lines('a,b', '1,2'), false, { separator: ';', hasHeader: false })
    expect(form).toMatchObject({ separator: ';', hasHeader: false })
  })
})

describe('quotation marks', () => {
  test('enclose a cell and aren’t part of its value', () => {
    expect(detectFormat(lines('a,b', '"1,5",2'), false).quote).toBe('"')
  })

  test('inside an unquoted cell are literal', () => {
    expect(detectFormat(lines('disk\tsize', 'A\t5" disk', 'B\t3.5" disk'), false).quote).toBeNull()
  })
})

describe('a header', () => {
  const hasHeader = (...rows: readonly string[]) => detectFormat(lines(...rows), false).hasHeader

  test('is detected if the first row has words above values of other types', () => {
    expect(hasHeader('name,year', 'Ada,1815')).toBe(true)
    expect(hasHeader('\uFEFFname,born', 'Ada,1815-12-10')).toBe(true)
    expect(hasHeader('name,city', 'Ada,London', 'Grace,New York')).toBe(true)
  })

  test('is detected despite duplicate names if a column has a word above numbers', () => {
    expect(hasHeader('name,name,year', 'Ada,Lovelace,1815')).toBe(true)
  })

  test('is not detected if the first row is like the other rows', () => {
    expect(hasHeader('1815,12', '1906,9')).toBe(false)
    expect(hasHeader('Ada,open', 'Grace,open')).toBe(false)
    expect(hasHeader('3,2024-01-01', '4,2024-01-02')).toBe(false)
  })

  test('is detected even if it is the only row', () => {
    expect(hasHeader('name,year')).toBe(true)
    expect(hasHeader('12,13')).toBe(false)
  })
})

describe('a sample', () => {
  const COMMA = { separator: ',', quote: '"' } as const

  test('is split at every kind of line break, except inside quotes', () => {
    expect(splitSample('a,b\r\n1,"x\ny"\r2,"say ""hi"""\n', COMMA, false)).toEqual([
      ['a', 'b'],
      ['1', 'x\ny'],
      ['2', 'say "hi"'],
    ])
  })

  test('drops a truncated last row', () => {
    expect(splitSample('a,b\n1,2\n3,', COMMA, true)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })
})
