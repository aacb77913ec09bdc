import { open, stat } from 'node:fs/promises'
import { MAX_FIELDS } from '#domain/collections/collection.ts'
import { detectFormat, type FileFormat } from '#domain/imports/detect-format.ts'
import { type ColumnProfile, createColumnProfile, detectColumns, profileCell } from '#domain/imports/detect-kind.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { CsvInspection, InspectTask } from './csv-tasks.ts'
import { readCsv, strictDecoder } from './read-csv.ts'
import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import {
  type Decode,
  detectEncoding,
  type EncodingEvidence,
  type FoundEncoding,
} from '#domain/imports/detect-encoding.ts'
import type { Encoding } from '#domain/imports/encodings.ts'

const CHUNK_BYTES = 256 * 1024
/** Enough to detect format and language. */
const HEAD_BYTES = 64 * 1024
const NON_ASCII_SAMPLE_BYTES = 32 * 1024
/** Longer lines are cut at a character boundary. */
const LINE_BYTES = 1024

type Found = FoundEncoding & { readonly isUtf8: boolean }

/** Detects the encoding from the whole file; rejects binary files. */
async function findEncoding(file: string): Promise<Found> {
  const survey = await surveyBytes(file)
  if (Buffer.from(survey.head.subarray(0, 4)).equals(ZIP)) {
    throw notText('It looks like a spreadsheet or an archive. Save the sheet as “CSV UTF-8” and choose that file.')
  }
  const found = detectEncoding(survey, decode)
  if (found) return { ...found, isUtf8: survey.isUtf8 }
  throw notText('It contains binary data instead of text.')
}

const ZIP = Buffer.from('PK\u0003\u0004')

const notText = (why: string) => new Problem('invalid-csv', `The file is not a CSV. ${why} Nothing was imported.`)

const decode: Decode = (bytes, encoding) => strictDecoder(encoding)(bytes, true) ?? null

async function surveyBytes(file: string): Promise<EncodingEvidence> {
  const survey = { head: Buffer.alloc(0), isUtf8: true, hasZero: false }
  const foreign: Buffer[] = []
  let foreignBytes = 0
  let carried: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    if (survey.head.length === 0) survey.head = Buffer.from(chunk.subarray(0, HEAD_BYTES))
    survey.hasZero ||= chunk.includes(0)
    const bytes = carried.length === 0 ? chunk : Buffer.concat([carried, chunk])
    const end = endOfWholeCharacters(bytes)
    survey.isUtf8 &&= isUtf8(bytes.subarray(0, end))
    carried = survey.isUtf8 ? bytes.subarray(end) : Buffer.alloc(0)
    for (const line of foreignBytes < NON_ASCII_SAMPLE_BYTES ? nonAsciiLines(chunk) : []) {
      foreign.push(line)
      foreignBytes += line.length
      if (foreignBytes >= NON_ASCII_SAMPLE_BYTES) break
    }
  }
  return { ...survey, isUtf8: survey.isUtf8 && carried.length === 0, foreignLines: Buffer.concat(foreign) }
}

const LINE_BREAK = 10
/** Smaller byte values never occur within a multi-byte character in supported encodings. */
const ALWAYS_ALONE = 0x30

/** Lines with non-ASCII characters; omits the last, possibly incomplete line unless it is the only one. */
function* nonAsciiLines(chunk: Buffer): Generator<Buffer> {
  let from = 0
  while (from < chunk.length) {
    const end = chunk.indexOf(LINE_BREAK, from) + 1
    if (end === 0 && from > 0 && chunk.length === CHUNK_BYTES) return
    const line = chunk.subarray(from, end === 0 ? chunk.length : end)
    if (line.some((byte) => byte >= 0x80)) yield Buffer.from(shortened(line))
    from += line.length
  }
}

function shortened(line: Buffer): Buffer {
  if (line.length <= LINE_BYTES) return line
  const start = line.subarray(0, LINE_BYTES)
  return start.subarray(0, start.findLastIndex((byte) => byte < ALWAYS_ALONE) + 1)
}

/** The position after the last complete character; a chunk may end within a character. */
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

const decodeHead = (bytes: Buffer, encoding: Encoding): string =>
  new TextDecoder(encoding).decode(bytes, { stream: true })

const SAMPLE_BYTES = 256 * 1024
/** Reading this many rows takes about a second and covers most files completely. */
const ROWS_INSPECTED = 100_000
const ROWS_SHOWN = 20
const MAX_CELL_LENGTH = 200

/** Detects the format of a CSV and the types of its columns. */
export async function inspectCsv({ file, known, maxRows = ROWS_INSPECTED }: InspectTask): Promise<CsvInspection> {
  const { size } = await stat(file)
  if (size === 0) throw invalidCsv('The file is empty.')
  const found = await findEncoding(file)
  const encoding = known.encoding ?? found.encoding
  if (encoding === 'utf-8' && !found.isUtf8)
    throw invalidCsv('The file isn’t encoded in UTF-8. Choose another encoding.')
  const sample = decodeHead(await readSample(file), encoding)
  const form = { ...detectFormat(sample, size > SAMPLE_BYTES, known), encoding }

  const seen: InspectionState = { header: undefined, looks: [], rows: [], rowCount: 0, isWhole: true }
  for await (const { rows } of readCsv(file, form)) {
    for (const row of rows) addRow(seen, form, row)
    seen.isWhole = seen.rowCount < maxRows
    if (!seen.isWhole) break
  }
  // A given encoding is trusted here and verified when the file is imported.
  const confidence = encoding === found.encoding ? found.confidence : 'likely'
  if (seen.rowCount > 0) return { form, preview: { ...previewOf(form, seen), encoding, confidence } }
  throw invalidCsv(seen.header ? 'The file has a header but no rows.' : 'The file has no rows.')
}

type InspectionState = {
  header: readonly string[] | undefined
  readonly looks: ColumnProfile[]
  readonly rows: string[][]
  rowCount: number
  isWhole: boolean
}

function addRow(seen: InspectionState, form: FileFormat, row: readonly string[]): void {
  checkWidth(row.length)
  if (form.hasHeader && seen.header === undefined) {
    seen.header = row
    return
  }
  inspectRow(seen.looks, row, seen.rowCount)
  seen.rowCount += 1
  if (seen.rows.length < ROWS_SHOWN) seen.rows.push(row.map(shorten))
}

function inspectRow(looks: ColumnProfile[], row: readonly string[], rowsBefore: number): void {
  while (looks.length < row.length) {
    const look = createColumnProfile()
    look.emptyCount = rowsBefore
    looks.push(look)
  }
  for (const [at, look] of looks.entries()) profileCell(look, row[at] ?? '')
}

/** The header determines the number of columns; extra cells are ignored. */
function previewOf(
  form: FileFormat,
  { header, looks, rows, rowCount, isWhole }: Readonly<InspectionState>,
): Omit<CsvInspection['preview'], 'encoding' | 'confidence'> {
  const headers = header ?? looks.map(() => '')
  const profiles = headers.map((_, at) => looks[at] ?? { ...createColumnProfile(), emptyCount: rowCount })
  const detected = detectColumns(profiles, { isWhole, separator: form.separator })
  return {
    separator: form.separator,
    hasHeader: form.hasHeader,
    columns: headers.map((name, at) => {
      const { samples, emptyCount } = profiles[at] ?? createColumnProfile()
      const { kind = 'text', options, format = {}, misfitCount = 0 } = detected[at] ?? {}
      return { header: name.trim(), kind, options: { ...options }, format, samples, emptyCount, misfitCount }
    }),
    rows,
    rowsLookedAt: rowCount,
    isWhole,
  }
}

function checkWidth(width: number): void {
  if (width <= MAX_FIELDS) return
  throw invalidCsv(
    `The file has ${width.toLocaleString('en')} columns, but a collection can have at most ${MAX_FIELDS} fields. Remove columns, or split the file.`,
  )
}

async function readSample(file: string): Promise<Buffer> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(SAMPLE_BYTES) })
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

const invalidCsv = (why: string) => new Problem('invalid-csv', `${why} Nothing was imported.`)

const shorten = (text: string): string => (text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH)}…` : text)
