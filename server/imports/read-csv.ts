import { createReadStream, type ReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { CsvError, type Options, parse } from 'csv-parse'
import type { CsvForm, FileForm } from '#domain/imports/csv-form.ts'
import { Problem } from '#domain/shared/problem.ts'
import { toUtf8 } from './decoded-bytes.ts'

/** Longest row, in bytes; a longer one is what a quotation mark makes that is never closed. */
const LONGEST_ROW_BYTES = 8 * 1024 * 1024
const CHUNK_BYTES = 256 * 1024
const ROWS_A_BATCH = 500

/** Some rows, and how many bytes of the file were read to get them. */
export type CsvRows = { readonly rows: readonly (readonly string[])[]; readonly bytesRead: number }

/** Reads a CSV in batches of at most 500 rows, the header among them. Throws what `csvProblem` puts into words. */
export async function* readCsv(file: string, form: FileForm): AsyncGenerator<CsvRows> {
  const source: ReadStream = createReadStream(file, { highWaterMark: CHUNK_BYTES })
  const parser = parse(optionsFor(form))
  // Whatever goes wrong is thrown by the loop below.
  if (form.encoding === 'utf-8') pipeline(source, parser, () => undefined)
  else pipeline(source, toUtf8(form.encoding), parser, () => undefined)

  let rows: string[][] = []
  for await (const row of parser) {
    rows.push(row)
    if (rows.length < ROWS_A_BATCH) continue
    yield { rows, bytesRead: source.bytesRead }
    rows = []
  }
  if (rows.length > 0) yield { rows, bytesRead: source.bytesRead }
}

const optionsFor = ({ separator, quote }: CsvForm): Options => ({
  bom: true,
  delimiter: separator,
  quote: quote ?? false,
  escape: quote ?? null,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  skip_empty_lines: true,
  max_record_size: LONGEST_ROW_BYTES,
})

/** What is wrong with a file that the reader gave up on; undefined when the fault is not the file's. */
export function csvProblem(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (!(error instanceof CsvError)) return undefined
  // The reader adds where it stood; its type does not tell.
  const { lines } = error as CsvError & { readonly lines?: number }
  return new Problem('invalid-csv', `${sentenceFor(error.code, lines)} Nothing was imported.`)
}

function sentenceFor(code: string, line: number | undefined): string {
  const place = line === undefined ? '' : ` in line ${line}`
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return `A cell begins with a quotation mark${place} and never ends. Close the mark, or double it if it belongs to the text.`
    case 'CSV_INVALID_CLOSING_QUOTE':
      return `There is text behind a closing quotation mark${place}, or a mark above it is not closed. Marks inside a quoted cell must be doubled.`
    case 'INVALID_OPENING_QUOTE':
      return `There is a quotation mark in the middle of a cell${place}. Put the whole cell in quotation marks and double those inside.`
    case 'CSV_MAX_RECORD_SIZE':
      return `The row${place} is longer than 8 MB. Probably a quotation mark in or above it is not closed.`
    default:
      return `The file cannot be read as a CSV${place}.`
  }
}
