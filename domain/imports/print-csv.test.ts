import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { guardFormula, escapeGuarded, printCsvLine, unguardFormula } from './print-csv.ts'
import { splitSample } from './detect-format.ts'

describe('a formula', () => {
  test.each(['=1+1', '+49 30', '-x', '@me', '\t=1', '＝1'])(
    'starting with %j is escaped with an apostrophe',
    (text) => {
      expect(guardFormula(text)).toBe(`'${text}`)
    },
  )

  test('isn’t detected in other text, even if it starts with an apostrophe', () => {
    expect(guardFormula("'tis")).toBe("'tis")
    expect(unguardFormula("'tis")).toBe("'tis")
  })

  test('can be escaped and unescaped without changing any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[='+@a\t-]*$/)), (text) => {
        expect(unguardFormula(guardFormula(text))).toBe(text)
        expect(unguardFormula(escapeGuarded(text))).toBe(text)
      }),
    )
  })
})

test('every printed CSV line is parsed back into the original cells', () => {
  const cell = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[a,"\r\n ]*$/))
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1 }), (cells) => {
      fc.pre(cells.some((text) => text !== ''))
      expect(splitSample(printCsvLine(cells), { separator: ',', quote: '"' }, false)).toEqual([cells])
    }),
  )
})
