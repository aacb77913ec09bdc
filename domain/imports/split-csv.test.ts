import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { perTier } from '#tests/support/test-tier.ts'
import { type CsvPiece, csvSplitter } from './split-csv.ts'

const FORM = { separator: ',', quote: '"' } as const
type Form = { readonly separator: string; readonly quote: '"' | null }

function split(pieces: readonly string[], form: Form = FORM): CsvPiece {
  const splitter = csvSplitter(form)
  const rows: string[][] = []
  for (const [at, piece] of [...pieces, ''].entries()) {
    const found = splitter(piece, at === pieces.length)
    rows.push(...found.rows)
    if (found.fault) return { rows, fault: found.fault }
  }
  return { rows }
}

const CODES: { readonly [code: string]: string } = {
  CSV_QUOTE_NOT_CLOSED: 'unclosed-quote',
  CSV_INVALID_CLOSING_QUOTE: 'text-after-quote',
  INVALID_OPENING_QUOTE: 'quote-in-cell',
}

/** Rows or error returned by a widely used CSV library. */
function splitByLibrary(text: string, { separator, quote }: Form): string[][] | string | undefined {
  try {
    return parse(text, {
      delimiter: separator,
      quote: quote ?? false,
      escape: quote ?? null,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
    })
  } catch (error) {
    if (error instanceof CsvError) return CODES[error.code]
    throw error
  }
}

const sign = fc.constantFrom(',', ';', '"', '"', '\n', '\r\n', '\r', 'a', ' ', 'é', '😀')
const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', ' ', 'é', ';') }),
  fc.string({ unit: sign }).map((text) => `"${text.replaceAll('"', '""')}"`),
)
const row = fc.array(cell, { minLength: 1, maxLength: 4 }).map((cells) => cells.join(','))
const table = fc.tuple(fc.array(row), fc.constantFrom('\n', '\r\n', '\r')).map(([rows, end]) => rows.join(end))
const anyText = fc.oneof(
  fc.array(sign).map((signs) => signs.join('')),
  table,
)
const anyForm = fc.record({
  separator: fc.constantFrom(',', ';', '\t'),
  quote: fc.constantFrom<Form['quote']>('"', '"', null),
})

describe('a CSV in one piece', () => {
  test('is split or rejected in the same way as by a reference library', () => {
    fc.assert(
      fc.property(anyText, anyForm, (text, form) => {
        const { rows, fault } = split([text], form)
        expect(fault ? fault.code : rows).toEqual(splitByLibrary(text, form))
      }),
      { numRuns: perTier(3_000) },
    )
  })

  test('reports the line of an error', () => {
    const lineOf = (text: string) => split([text]).fault
    expect(lineOf('a,b\r\n"x\ny",z\r\n1,"2\n3,4\n')).toEqual({ code: 'unclosed-quote', line: 4 })
    expect(lineOf('a,b\n\n1,"2" 3\n')).toEqual({ code: 'text-after-quote', line: 3 })
    expect(lineOf('a,b\n1,2" 3\n')).toEqual({ code: 'quote-in-cell', line: 2 })
    expect(lineOf(`a,b\n1,"${'x'.repeat(9 * 1024 * 1024)}`)).toEqual({ code: 'row-too-long', line: 2 })
  })
})

test('a CSV in many pieces is split in the same way as in one piece', () => {
  fc.assert(
    fc.property(anyText, anyForm, fc.array(fc.nat(12)), (text, form, lengths) => {
      const pieces: string[] = []
      let at = 0
      for (const length of lengths) {
        pieces.push(text.slice(at, at + length))
        at += length
      }
      expect(split([...pieces, text.slice(at)], form)).toEqual(split([text], form))
    }),
    { numRuns: perTier(3_000) },
  )
})
