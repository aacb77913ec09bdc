import { isUtf8 } from 'node:buffer'
import { createReadStream, type ReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { CsvError, type Options, parse } from 'csv-parse'
import type { CsvForm } from '#domain/imports/csv-form.ts'
import { Problem } from '#domain/shared/problem.ts'

/** Longest row, in bytes; a longer one is what a quotation mark makes that is never closed. */
const LONGEST_ROW_BYTES = 8 * 1024 * 1024
const CHUNK_BYTES = 256 * 1024
const ROWS_A_BATCH = 500

/** Some rows, and how many bytes of the file were read to get them. */
export type CsvRows = { readonly rows: readonly (readonly string[])[]; readonly bytesRead: number }

/** Reads a CSV in batches of at most 500 rows, the header among them. Throws what `csvProblem` puts into words. */
export async function* readCsv(file: string, form: CsvForm): AsyncGenerator<CsvRows> {
  const source: ReadStream = createReadStream(file, { highWaterMark: CHUNK_BYTES })
  const parser = parse(optionsFor(form))
  // Whatever goes wrong is thrown by the loop below.
  pipeline(source, parser, () => undefined)

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

const ZIP = Buffer.from('PK\u0003\u0004')
const UTF_16 = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])]

/** Refuses a file that is not text in UTF-8, all of it, before anything is read into it. */
export async function checkBytes(file: string): Promise<void> {
  let carried: Buffer = Buffer.alloc(0)
  let offset = 0
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    if (offset === 0) checkBegin(chunk)
    if (chunk.includes(0)) throw notText('It holds bytes that no text has, so it is another kind of file.')
    const bytes = carried.length === 0 ? chunk : Buffer.concat([carried, chunk])
    const end = endOfWholeCharacters(bytes)
    if (!isUtf8(bytes.subarray(0, end))) throw notUtf8()
    carried = bytes.subarray(end)
    offset += chunk.length
  }
  if (carried.length > 0) throw notUtf8()
}

function checkBegin(chunk: Buffer): void {
  if (chunk.subarray(0, ZIP.length).equals(ZIP)) {
    throw notText('It looks like a spreadsheet or an archive. Save the sheet as “CSV UTF-8” and choose that file.')
  }
  if (UTF_16.some((mark) => chunk.subarray(0, 2).equals(mark))) {
    throw notText('Its text is in UTF-16. Save it as “CSV UTF-8” and choose that file.')
  }
}

const notText = (why: string) => new Problem('invalid-csv', `The file is not a CSV. ${why} Nothing was imported.`)

const notUtf8 = () =>
  new Problem(
    'invalid-csv',
    'The text of the file is not in UTF-8, so its accented letters cannot be read. Save it as “CSV UTF-8” and choose that file. Nothing was imported.',
  )

/** Where the last character that is complete ends: a chunk may cut one in the middle. */
function endOfWholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return back < needed ? bytes.length - back : bytes.length
    }
  }
  return bytes.length
}
