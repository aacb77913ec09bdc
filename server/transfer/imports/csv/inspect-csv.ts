import { open, stat } from 'node:fs/promises'
import { MAX_FIELDS } from '#domain/collections/collection.ts'
import type { FileFormat } from '#domain/imports/csv-format.ts'
import { detectFormat } from '#domain/imports/detect-format.ts'
import { type ColumnProfile, detectColumnKind, profileCell, createColumnProfile } from '#domain/imports/detect-kind.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { CsvInspection, InspectTask } from './csv-tasks.ts'
import { readCsv } from './read-csv.ts'
import { decodeHead, findEncoding } from './survey-encoding.ts'

/** Enough of a file to see how it is written. */
const SAMPLE_BYTES = 256 * 1024
/** Rows whose cells decide about kinds: about a second of work, and the whole of nearly every file. */
const ROWS_INSPECTED = 100_000
const ROWS_SHOWN = 20
/** Longest cell shown, in characters. */
const MAX_CELL_LENGTH = 200

/** Finds out how a CSV is written and what its columns hold. */
export async function inspectCsv({ file, known, mostRows = ROWS_INSPECTED }: InspectTask): Promise<CsvInspection> {
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
    seen.isWhole = seen.rowCount < mostRows
    if (!seen.isWhole) break
  }
  // Whoever says it knows it; what they say is tried on the whole file when it is imported.
  const confidence = encoding === found.encoding ? found.confidence : 'likely'
  if (seen.rowCount > 0) return { form, preview: { ...previewOf(form, seen), encoding, confidence } }
  throw invalidCsv(seen.header ? 'The file has a header but no rows.' : 'The file has no rows.')
}

/** What was seen of a file so far. */
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

/** With a header, it says how many columns there are; cells beyond it belong to none. */
function previewOf(
  form: FileFormat,
  { header, looks, rows, rowCount, isWhole }: Readonly<InspectionState>,
): Omit<CsvInspection['preview'], 'encoding' | 'confidence'> {
  const headers = header ?? looks.map(() => '')
  return {
    separator: form.separator,
    hasHeader: form.hasHeader,
    columns: headers.map((name, at) => {
      const look = looks[at] ?? { ...createColumnProfile(), emptyCount: rowCount }
      const { kind, options } = detectColumnKind(look, isWhole)
      return { header: name.trim(), kind, options: { ...options }, samples: look.samples, emptyCount: look.emptyCount }
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
