import { createReadStream, type ReadStream } from 'node:fs'
import type { FileFormat } from '#domain/imports/detect-format.ts'
import { type CsvFault, csvSplitter } from '#domain/imports/split-csv.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type Encoding, ENCODINGS } from '#domain/imports/encodings.ts'

/** Bytes as text, chunk by chunk; undefined where they do not fit the encoding. */
type StrictDecoder = (bytes: Uint8Array, isLast: boolean) => string | undefined

/** Reads bytes as they are said to be written, and never puts a sign of its own in the place of what does not fit. */
export function strictDecoder(encoding: Encoding): StrictDecoder {
  const decoder = new TextDecoder(encoding, { fatal: true })
  return (bytes, isLast) => {
    try {
      return decoder.decode(bytes, { stream: !isLast })
    } catch {
      return undefined
    }
  }
}

/** A piece of the text of a file; the last one may be empty. */
type TextPiece = { readonly text: string; readonly isLast: boolean }

/** Reads bytes as text, strictly: what does not fit the encoding is refused, never replaced. A mark of order is left out. */
async function* decodedText(chunks: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<TextPiece> {
  const decode = strictDecoder(encoding)
  let bytesBefore = 0
  const pieceOf = (chunk: Buffer, isLast: boolean): TextPiece => {
    const text = decode(chunk, isLast)
    // No text has a zero: where one is read, the encoding is another. In UTF-8 it is a fault of its cell.
    if (text === undefined || (encoding !== 'utf-8' && text.includes('\0')))
      throw invalidEncoding(encoding, bytesBefore)
    bytesBefore += chunk.length
    return { text, isLast }
  }
  for await (const chunk of chunks) yield pieceOf(chunk, false)
  yield pieceOf(Buffer.alloc(0), true)
}

/** The text is written in another way than was said. */
const invalidEncoding = (encoding: Encoding, byte: number) =>
  new Problem(
    'invalid-csv',
    `The file isn’t encoded in ${ENCODINGS[encoding]}: invalid data after byte ${byte.toLocaleString('en')}. Choose another encoding. Nothing was imported.`,
  )

/** Some hundred rows of usual length: few enough that they are gone again before the heap grows for them. */
const CHUNK_BYTES = 128 * 1024
const ROWS_PER_BATCH = 500

/** Some rows, and how many bytes of the file were read to get them. */
export type CsvRows = { readonly rows: readonly (readonly string[])[]; readonly bytesRead: number }

/** Reads a CSV in batches of at most 500 rows, the header among them. Throws a `Problem` where it is none. */
export async function* readCsv(file: string, form: FileFormat): AsyncGenerator<CsvRows> {
  const source: ReadStream = createReadStream(file, { highWaterMark: CHUNK_BYTES })
  const split = csvSplitter(form)
  for await (const { text, isLast } of decodedText(source, form.encoding)) {
    const { rows, fault } = split(text, isLast)
    for (let at = 0; at < rows.length; at += ROWS_PER_BATCH) {
      yield { rows: rows.slice(at, at + ROWS_PER_BATCH), bytesRead: source.bytesRead }
    }
    if (fault) throw new Problem('invalid-csv', `${describeCsvFault(fault)} Nothing was imported.`)
  }
}

function describeCsvFault({ code, line }: CsvFault): string {
  switch (code) {
    case 'mark-not-closed':
      return `A quoted cell in line ${line} is never closed. Close the quotation mark, or double it if it belongs to the text.`
    case 'text-behind-mark':
      return `Line ${line} has text after a closing quotation mark, or a quotation mark above is not closed. Double quotation marks inside quoted cells.`
    case 'mark-inside-cell':
      return `Line ${line} has a quotation mark in the middle of a cell. Put the whole cell in quotation marks and double those inside.`
    case 'row-too-long':
      return `The row in line ${line} is larger than 8 MB. A quotation mark there or above is probably not closed.`
  }
}
