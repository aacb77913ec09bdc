import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import { type Evidence, SNIFF_BYTES } from '#domain/uploads/file-types.ts'
import { type FileFault, checkFirstBytes } from '#domain/uploads/file-rules.ts'
import type { Upload } from '#domain/uploads/upload.ts'
import { type FileField, fileOptionsOf } from '#domain/fields/files.ts'
import type { UploadDeps } from './upload-deps.ts'

/** Number of bytes sampled to distinguish text from binary. */
const SAMPLE_BYTES = 4096

/** The longest checked signature has four bytes. */
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
    head: isText ? beginning.toString('utf8') : '',
    signature: beginning.subarray(0, MAGIC_BYTES).toString('hex'),
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

/** Whether the bytes are UTF-8 without control characters except whitespace and escape. */
function readsAsText(bytes: Buffer): boolean {
  const whole = bytes.length < SAMPLE_BYTES ? bytes : bytes.subarray(0, endOfLastCharacter(bytes))
  // Allows tab, line feed, form feed, carriage return and escape.
  const isControl = (byte: number): boolean => byte < 32 && ![9, 10, 12, 13, 27].includes(byte)
  return isUtf8(whole) && !whole.some(isControl)
}

/** End of the last complete character; also cuts off a final multi-byte character, which may be truncated. */
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

/** Checks the first bytes of a file once they have arrived. */
export type FirstBytesCheck = {
  readonly bytes: number
  readonly isWanted: () => Promise<boolean>
  /** Null until enough bytes have arrived. */
  readonly type: () => string | null
  readonly fault: () => FileFault
}

/** Checks a file's first bytes, so that a wrong type is rejected with the first chunk instead of the last. */
export function createFirstBytesCheck(
  { staging }: Pick<UploadDeps, 'staging'>,
  { upload, field }: { readonly upload: Pick<Upload, 'id' | 'file' | 'sniffedType'>; readonly field: FileField },
): FirstBytesCheck {
  let type = upload.sniffedType
  let fault: FileFault = { code: 'file-type-refused', message: '' }
  return {
    bytes: SNIFF_BYTES,
    isWanted: async () => {
      const checked = checkFirstBytes(
        fileOptionsOf(field),
        upload.file,
        await detectFileType(staging.pathOf(upload.id)),
      )
      if (checked.ok) type = checked.value
      else fault = checked.fault
      return checked.ok
    },
    type: () => type,
    fault: () => fault,
  }
}
