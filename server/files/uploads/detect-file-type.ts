import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import type { Evidence } from '#domain/uploads/file-types.ts'

/** Bytes looked at to tell text from anything else. */
const SAMPLE_BYTES = 4096

/** The longest mark we know has four. */
const MAGIC_BYTES = 8

/** Looks at a file's bytes for what it is. A file that cannot be made out is of unknown type, never a failure. */
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

/** UTF-8 without control characters, other than those that texts are laid out with. */
function readsAsText(bytes: Buffer): boolean {
  const whole = bytes.length < SAMPLE_BYTES ? bytes : bytes.subarray(0, endOfLastCharacter(bytes))
  // Bytes below space that are no tab, line feed, form feed, return or escape.
  const isControl = (byte: number): boolean => byte < 32 && ![9, 10, 12, 13, 27].includes(byte)
  return isUtf8(whole) && !whole.some(isControl)
}

/** Where a character that was cut off at the end starts. */
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
