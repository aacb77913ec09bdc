import { detectEncoding, type Decode } from '#domain/imports/detect-encoding.ts'
import { ENCODINGS } from '#domain/imports/encodings.ts'

/** A text and how it was written; the encoding is left out where it is the one nobody has to know of. */
export type DecodedText = { readonly text: string; readonly encoding?: string }

/** Bytes that are looked at to tell how they are written. */
const HEAD_BYTES = 4096

const LINE_FEED = 10

const decode: Decode = (bytes, encoding) => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return null
  }
}

/** Lines with more than ASCII in them, a few thousand bytes of them. */
function foreignLines(bytes: Uint8Array): Uint8Array {
  const found: number[] = []
  let start = 0
  while (start < bytes.length && found.length < HEAD_BYTES) {
    const next = bytes.indexOf(LINE_FEED, start)
    const end = next < 0 ? bytes.length : next + 1
    const line = bytes.subarray(start, end)
    if (line.some((byte) => byte > 127)) found.push(...line.subarray(0, HEAD_BYTES))
    start = end
  }
  return Uint8Array.from(found.slice(0, HEAD_BYTES))
}

/** Reads the beginning of a text, whose last letter may be cut in two; undefined when it is none. */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  const found = detectEncoding(
    {
      head: bytes.subarray(0, HEAD_BYTES),
      foreignLines: foreignLines(bytes),
      isUtf8: decode(bytes, 'utf-8') !== null,
      hasZero: bytes.includes(0),
    },
    decode,
  )
  if (!found) return undefined
  const text = new TextDecoder(found.encoding).decode(bytes, { stream: true })
  return found.encoding === 'utf-8' ? { text } : { text, encoding: ENCODINGS[found.encoding] }
}
