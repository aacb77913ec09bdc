import { ENCODINGS, type Encoding } from '#domain/imports/encodings.ts'
import { Problem } from '#domain/shared/problem.ts'
import { strictDecoder } from './strict-decoder.ts'

/** Turns the bytes of a file into UTF-8, strictly: what does not fit the encoding is refused, never replaced. */
export function toUtf8(encoding: Encoding): (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  const decode = strictDecoder(encoding)
  let bytesBefore = 0
  const pass = (chunk: Buffer, isLast: boolean): Buffer => {
    const text = decode(chunk, isLast)
    // No text has a zero: where one is read, the encoding is another.
    if (text === undefined || text.includes('\0')) throw doesNotFit(encoding, bytesBefore)
    bytesBefore += chunk.length
    return Buffer.from(text)
  }
  return async function* decoded(chunks) {
    for await (const chunk of chunks) yield pass(chunk, false)
    yield pass(Buffer.alloc(0), true)
  }
}

/** The text is written in another way than was said. */
const doesNotFit = (encoding: Encoding, byte: number) =>
  new Problem(
    'invalid-csv',
    `The text is not in ${ENCODINGS[encoding]}: behind byte ${byte.toLocaleString('en')} there is something that does not fit. Choose another encoding. Nothing was imported.`,
  )
