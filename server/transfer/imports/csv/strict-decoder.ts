import type { Encoding } from '#domain/imports/encodings.ts'

/** Bytes as text, chunk by chunk; undefined where they do not fit the encoding. */
export type StrictDecoder = (bytes: Uint8Array, isLast: boolean) => string | undefined

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
