import { createReadStream, type ReadStream } from 'node:fs'
import type { FileFormat } from '#domain/imports/detect-format.ts'
import { type CsvFault, csvSplitter } from '#domain/imports/split-csv.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type Encoding, ENCODINGS } from '#domain/imports/encodings.ts'

/** Undefined if the bytes are invalid in the encoding. */
type StrictDecoder = (bytes: Uint8Array, isLast: boolean) => string | undefined

/** Decodes strictly, without replacement characters. */
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

/** The last piece may be empty. */
type TextPiece = { readonly text: string; readonly isLast: boolean }

/** Decodes strictly: invalid bytes are rejected, never replaced. Skips a byte order mark. */
async function* decodedText(chunks: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<TextPiece> {
  const decode = strictDecoder(encoding)
  let bytesBefore = 0
  const pieceOf = (chunk: Buffer, isLast: boolean): TextPiece => {
    const text = decode(chunk, isLast)
    // A NUL byte means that the encoding is wrong; in UTF-8, it is reported as a cell error.
    if (text === undefined || (encoding !== 'utf-8' && text.includes('\0')))
      throw invalidEncoding(encoding, bytesBefore)
    bytesBefore += chunk.length
    return { text, isLast }
  }
  for await (const chunk of chunks) yield pieceOf(chunk, false)
  yield pieceOf(Buffer.alloc(0), true)
}

const invalidEncoding = (encoding: Encoding, byte: number) =>
  new Problem(
    'invalid-csv',
    `The file isn’t valid ${ENCODINGS[encoding]}: invalid data after byte ${byte.toLocaleString('en')}. Choose another encoding. Nothing was imported.`,
  )

/** Small batches are freed before they make the heap grow. */
const CHUNK_BYTES = 128 * 1024
const ROWS_PER_BATCH = 500

export type CsvRows = { readonly rows: readonly (readonly string[])[]; readonly bytesRead: number }

/** Reads a CSV in batches of at most 500 rows, including the header. Throws a `Problem` if the file isn't a CSV. */
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
    case 'unclosed-quote':
      return `A quoted cell on line ${line} is never closed. Add a closing quotation mark, or double the quotation mark if it is part of the text.`
    case 'text-after-quote':
      return `Line ${line} has text after a closing quotation mark, or a quotation mark above is not closed. Inside quoted cells, double each quotation mark.`
    case 'quote-in-cell':
      return `Line ${line} has a quotation mark in the middle of a cell. Put the whole cell in quotation marks, and double the ones inside it.`
    case 'row-too-long':
      return `The row on line ${line} is larger than 8 MB. A quotation mark there or above is probably not closed.`
  }
}
