import { detectEncoding, type Decode } from '#domain/imports/detect-encoding.ts'
import { ENCODINGS } from '#domain/imports/encodings.ts'

/** `encoding` is undefined for UTF-8. */
export type DecodedText = { readonly text: string; readonly encoding?: string }

const HEAD_BYTES = 4096

const LINE_FEED = 10

const decode: Decode = (bytes, encoding) => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return null
  }
}

/** A sample of the lines that contain non-ASCII characters. */
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

/** Decodes the start of a file; undefined if it is binary. */
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
