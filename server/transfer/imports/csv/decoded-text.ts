import { ENCODINGS, type Encoding } from '#domain/imports/encodings.ts'
import { Problem } from '#domain/shared/problem.ts'
import { strictDecoder } from './strict-decoder.ts'

/** A piece of the text of a file; the last one may be empty. */
export type TextPiece = { readonly text: string; readonly isLast: boolean }

/** Reads bytes as text, strictly: what does not fit the encoding is refused, never replaced. A mark of order is left out. */
export async function* decodedText(chunks: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<TextPiece> {
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
