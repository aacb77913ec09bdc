import { foldText } from '#domain/shared/text.ts'
import { looksTyped } from './detect-kind.ts'
import type { Encoding } from './encodings.ts'

/** Leniently splits the start of a CSV file for format detection; drops empty rows and a truncated last row. */
export function splitSample(
  text: string,
  { separator, quote }: Pick<CsvFormat, 'separator' | 'quote'>,
  isCut: boolean,
): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, behind = '', open = '', end = ''] of text.matchAll(cellPattern(separator, quote))) {
    row.push(quoted === undefined ? open : quoted.replaceAll('""', '"') + behind)
    if (end === separator) continue
    const isUnfinished = end === '' && isCut
    if (!isUnfinished && row.some((cell) => cell !== '')) rows.push(row)
    row = []
  }
  return rows
}

/**
 * Matches a cell and its terminator; the cell is either unquoted, or quoted with optional text after the closing quote.
 */
function cellPattern(separator: string, quote: string | null): RegExp {
  const plain = `[^\\r\\n${separator === '|' ? '\\|' : separator}]*`
  const end = `(\\r\\n|\\r|\\n|${separator === '|' ? '\\|' : separator}|$)`
  const quoted = quote === null ? '(?!)()()' : '"((?:[^"]|"")*)(?:"|$)(' + plain + ')'
  return new RegExp(`(?:${quoted}|(${plain}))${end}`, 'g')
}

const SEPARATORS = [',', ';', '\t', '|'] as const

export type CsvFormat = {
  /** A single character. */
  readonly separator: string
  /** null if quotation marks are literal characters. */
  readonly quote: '"' | null
  readonly hasHeader: boolean
}

export type FileFormat = CsvFormat & { readonly encoding: Encoding }

export type KnownFormat = { readonly [Part in 'separator' | 'hasHeader' | 'encoding']?: FileFormat[Part] | undefined }

const ROWS_SAMPLED = 200

/** Detects the format from the start of a file; `isCut`: the file continues after the sample. */
export function detectFormat(sample: string, isCut: boolean, known: KnownFormat = {}): CsvFormat {
  const text = sample.replace(/^\uFEFF/, '')
  const separator = known.separator ?? detectSeparator(text, isCut)
  const quote = detectQuote(text, separator)
  const rows = splitSample(text, { separator, quote }, isCut)
  const [first = [], ...rest] = rows.slice(0, ROWS_SAMPLED)
  return { separator, quote, hasHeader: known.hasHeader ?? looksLikeHeader(first, rest) }
}

/**
 * Picks the delimiter that splits the most rows into the same number of cells. The comma is tried last, because
 * sentences and decimals contain commas.
 */
function detectSeparator(text: string, isCut: boolean): string {
  const candidates = ['\t', ';', '|', ','].map((separator) => ({
    separator,
    agreement: agreementOf(splitSample(text, { separator, quote: '"' }, isCut).slice(0, ROWS_SAMPLED)),
  }))
  const [best] = candidates.toSorted((left, right) => right.agreement - left.agreement)
  return best && best.agreement > 0 ? best.separator : SEPARATORS[0]
}

/** Fraction of rows with the most common cell count; 0 if that count is 1. */
function agreementOf(rows: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>()
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1)
  const [usual] = [...counts].toSorted((left, right) => right[1] - left[1])
  return usual === undefined || usual[0] < 2 ? 0 : usual[1] / rows.length
}

/** Quotation marks that never start a cell are literal, such as inch marks. */
function detectQuote(text: string, separator: string): '"' | null {
  if (!text.includes('"')) return '"'
  const plain = splitSample(text, { separator, quote: null }, false)
  return plain.some((row) => row.some((cell) => cell.startsWith('"'))) ? '"' : null
}

/** Header cells are words, distinct, and not repeated in the rows below. */
function looksLikeHeader(first: readonly string[], rest: readonly (readonly string[])[]): boolean {
  const filled = first.filter((cell) => cell.trim() !== '')
  if (filled.length === 0 || filled.filter(looksTyped).length * 2 > filled.length) return false
  if (rest.length === 0) return !filled.some(looksTyped)

  const isAboveTyped = first.some((cell, at) => !looksTyped(cell) && rest.every((row) => looksTyped(row[at] ?? '')))
  if (isAboveTyped) return true
  const isRepeated = first.some((cell, at) => cell.trim() !== '' && rest.some((row) => row[at] === cell))
  return !isRepeated && new Set(filled.map(foldText)).size === filled.length
}
