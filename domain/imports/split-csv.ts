import type { CsvFormat } from './detect-format.ts'

export type CsvFault = {
  readonly code: 'unclosed-quote' | 'text-after-quote' | 'quote-in-cell' | 'row-too-long'
  readonly line: number
}

/** Rows that end in a chunk; parsing stops at the first error. */
export type CsvPiece = { readonly rows: string[][]; readonly fault?: CsvFault }

export type CsvSplitter = (piece: string, isLast: boolean) => CsvPiece

/** In characters; a longer row indicates an unclosed quotation mark. */
const MAX_ROW_LENGTH = 8 * 1024 * 1024

const [LINE_FEED, CARRIAGE_RETURN] = [10, 13]

/**
 * Splits chunked text into rows of cells, strictly as in RFC 4180 but with any line ending; empty lines are skipped. A
 * row that spans chunks is parsed again from its start, so no parser state is kept.
 */
export function csvSplitter({ separator, quote }: Pick<CsvFormat, 'separator' | 'quote'>): CsvSplitter {
  const codes = { separator: separator.charCodeAt(0), quote: quote?.charCodeAt(0) }
  let rest = ''
  let line = 1
  return (piece, isLast) => {
    const reader: Reader = { ...codes, text: rest + piece, isLast, at: 0, line, fault: undefined }
    const rows: string[][] = []
    let rowAt = 0
    while (skipEmptyLines(reader)) {
      rowAt = reader.at
      line = reader.line
      const cells = readRow(reader)
      if (!cells) break
      rows.push(cells)
      rowAt = reader.at
      line = reader.line
    }
    rest = reader.text.slice(rowAt)
    const fault = reader.fault ?? (rest.length > MAX_ROW_LENGTH ? ({ code: 'row-too-long', line } as const) : undefined)
    return { rows, ...(fault && { fault }) }
  }
}

type Reader = {
  readonly text: string
  readonly separator: number
  readonly quote: number | undefined
  readonly isLast: boolean
  at: number
  line: number
  fault: CsvFault | undefined
}

const isLineEnd = (code: number): boolean => code === LINE_FEED || code === CARRIAGE_RETURN

/** Returns whether there is unread text. */
function skipEmptyLines(reader: Reader): boolean {
  while (isLineEnd(reader.text.charCodeAt(reader.at))) if (!skipLineEnd(reader)) return false
  return reader.at < reader.text.length
}

/** Returns false if the line ending may continue in the next chunk. */
function skipLineEnd(reader: Reader): boolean {
  const { text, at, isLast } = reader
  const isReturn = text.charCodeAt(at) === CARRIAGE_RETURN
  if (isReturn && at + 1 === text.length && !isLast) return false
  reader.at += isReturn && text.charCodeAt(at + 1) === LINE_FEED ? 2 : 1
  reader.line += 1
  return true
}

/** Returns undefined on an error, or if the row continues in the next chunk. */
function readRow(reader: Reader): string[] | undefined {
  const { text, separator, quote, isLast } = reader
  const cells: string[] = []
  for (;;) {
    const cell = text.charCodeAt(reader.at) === quote ? quotedCell(reader) : plainCell(reader)
    if (cell === undefined) return undefined
    cells.push(cell)
    if (reader.at === text.length) return isLast ? cells : undefined
    if (text.charCodeAt(reader.at) !== separator) return skipLineEnd(reader) ? cells : undefined
    reader.at += 1
  }
}

function plainCell(reader: Reader): string | undefined {
  const { text, separator, quote, at: from } = reader
  let at = from
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === separator || code === LINE_FEED || code === CARRIAGE_RETURN) break
    if (code === quote) return failReading(reader, 'quote-in-cell', reader.line)
  }
  reader.at = at
  return text.slice(from, at)
}

function quotedCell(reader: Reader): string | undefined {
  const { text, separator, quote, isLast } = reader
  let cell = ''
  for (let from = reader.at + 1; ; from = reader.at + 1) {
    reader.at = text.indexOf('"', from)
    if (reader.at === -1) return isLast ? failReading(reader, 'unclosed-quote', reader.line) : undefined
    cell += text.slice(from, reader.at)
    reader.at += 1
    // At the end of a chunk, the quotation mark may be the first half of an escaped (doubled) one.
    if (reader.at === text.length && !isLast) return undefined
    if (text.charCodeAt(reader.at) !== quote) break
    cell += '"'
  }
  reader.line += lineEndsIn(cell)
  const code = text.charCodeAt(reader.at)
  const isClosed = reader.at === text.length || code === separator || isLineEnd(code)
  return isClosed ? cell : failReading(reader, 'text-after-quote', reader.line)
}

const lineEndsIn = (cell: string): number => cell.split(/\r\n|\r|\n/).length - 1

function failReading(reader: Reader, code: CsvFault['code'], line: number): undefined {
  reader.fault = { code, line }
}
