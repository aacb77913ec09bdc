import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import type { Evidence } from '#domain/uploads/file-types.ts'

/** Bytes used to distinguish text from binary. */
const SAMPLE_BYTES = 4096

/** The longest signature has four bytes. */
const MAGIC_BYTES = 8

/** Detects the file type from the contents; null if unknown. */
export async function detectFileType(path: string): Promise<Evidence> {
  const { fileTypeFromFile } = await import('file-type')
  const found = await fileTypeFromFile(path).then(
    (type) => type,
    () => undefined,
  )
  const beginning = await readSample(path)
  const isText = readsAsText(beginning)
  return {
    sniffed: found === undefined ? null : { type: found.mime, ending: found.ext },
    isText,
    beginning: isText ? beginning.toString('utf8') : '',
    mark: beginning.subarray(0, MAGIC_BYTES).toString('hex'),
  }
}

async function readSample(path: string): Promise<Buffer> {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** UTF-8 without control characters other than layout. */
function readsAsText(bytes: Buffer): boolean {
  const whole = bytes.length < SAMPLE_BYTES ? bytes : bytes.subarray(0, endOfLastCharacter(bytes))
  // Other than tab, line feed, form feed, return and escape.
  const isControl = (byte: number): boolean => byte < 32 && ![9, 10, 12, 13, 27].includes(byte)
  return isUtf8(whole) && !whole.some(isControl)
}

/** The start of a character truncated at the end. */
function endOfLastCharacter(bytes: Buffer): number {
  let at = bytes.length
  for (let back = 0; back < 4 && at > 0; back += 1) {
    at -= 1
    const byte = bytes[at] ?? 0
    if (byte < 0x80) return at + 1
    if (byte >= 0xc0) return at
  }
  return bytes.length
}
