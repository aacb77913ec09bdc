import { open, stat } from 'node:fs/promises'
import { MAX_FIELDS } from '#domain/collections/collection.ts'
import type { FileForm } from '#domain/imports/csv-form.ts'
import { detectForm } from '#domain/imports/detect-form.ts'
import { type ColumnLook, judgeColumn, lookAtCell, newColumnLook } from '#domain/imports/detect-kind.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { CsvLook, LookTask } from './csv-tasks.ts'
import { readCsv } from './read-csv.ts'
import { decodeHead, findEncoding } from './survey-bytes.ts'

/** Enough of a file to see how it is written. */
const SAMPLE_BYTES = 256 * 1024
/** Rows whose cells decide about kinds: about a second of work, and the whole of nearly every file. */
const ROWS_LOOKED_AT = 100_000
const ROWS_SHOWN = 20
/** Longest cell shown, in characters. */
const SHOWN_LENGTH = 200

/** Finds out how a CSV is written and what its columns hold. */
export async function lookAtCsv({ file, known, mostRows = ROWS_LOOKED_AT }: LookTask): Promise<CsvLook> {
  const { size } = await stat(file)
  if (size === 0) throw refused('The file is empty.')
  const found = await findEncoding(file)
  const encoding = known.encoding ?? found.encoding
  if (encoding === 'utf-8' && !found.isUtf8)
    throw refused('The text of the file is not in UTF-8. Choose another encoding.')
  const sample = decodeHead(await readSample(file), encoding)
  const form = { ...detectForm(sample, size > SAMPLE_BYTES, known), encoding }

  const seen: Seen = { header: undefined, looks: [], rows: [], rowCount: 0, isWhole: true }
  for await (const { rows } of readCsv(file, form)) {
    for (const row of rows) takeRow(seen, form, row)
    seen.isWhole = seen.rowCount < mostRows
    if (!seen.isWhole) break
  }
  // Whoever says it knows it; what they say is tried on the whole file when it is imported.
  const confidence = encoding === found.encoding ? found.confidence : 'likely'
  if (seen.rowCount > 0) return { form, preview: { ...previewOf(form, seen), encoding, confidence } }
  throw refused(seen.header ? 'The file names its columns but has no rows below them.' : 'The file has no rows.')
}

/** What was seen of a file so far. */
type Seen = {
  header: readonly string[] | undefined
  readonly looks: ColumnLook[]
  readonly rows: string[][]
  rowCount: number
  isWhole: boolean
}

function takeRow(seen: Seen, form: FileForm, row: readonly string[]): void {
  checkWidth(row.length)
  if (form.hasHeader && seen.header === undefined) {
    seen.header = row
    return
  }
  lookAtRow(seen.looks, row, seen.rowCount)
  seen.rowCount += 1
  if (seen.rows.length < ROWS_SHOWN) seen.rows.push(row.map(shorten))
}

function lookAtRow(looks: ColumnLook[], row: readonly string[], rowsBefore: number): void {
  while (looks.length < row.length) {
    const look = newColumnLook()
    look.emptyCount = rowsBefore
    looks.push(look)
  }
  for (const [at, look] of looks.entries()) lookAtCell(look, row[at] ?? '')
}

/** With a header, it says how many columns there are; cells beyond it belong to none. */
function previewOf(
  form: FileForm,
  { header, looks, rows, rowCount, isWhole }: Readonly<Seen>,
): Omit<CsvLook['preview'], 'encoding' | 'confidence'> {
  const headers = header ?? looks.map(() => '')
  return {
    separator: form.separator,
    hasHeader: form.hasHeader,
    columns: headers.map((name, at) => {
      const look = looks[at] ?? { ...newColumnLook(), emptyCount: rowCount }
      const { kind, options } = judgeColumn(look, isWhole)
      return { header: name.trim(), kind, options: { ...options }, samples: look.samples, emptyCount: look.emptyCount }
    }),
    rows,
    rowsLookedAt: rowCount,
    isWhole,
  }
}

function checkWidth(width: number): void {
  if (width <= MAX_FIELDS) return
  throw refused(
    `The file has ${width.toLocaleString('en')} columns, and a collection takes at most ${MAX_FIELDS} fields. Remove columns, or split the file.`,
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

const refused = (why: string) => new Problem('invalid-csv', `${why} Nothing was imported.`)

const shorten = (text: string): string => (text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text)
