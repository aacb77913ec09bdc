import { quoted } from '#web/i18n/quoted.ts'
import { t } from '#web/i18n/t.ts'

/** What tells a file from another one of the same name: its size, when it was last changed, and some of its bytes. */
export type FileFingerprint = {
  readonly name: string
  readonly bytes: number
  readonly lastModified: number
  /** Of its beginning, middle and end. */
  readonly content: string
}

/** So much is read at the beginning, in the middle and at the end, in bytes. */
const SAMPLE_BYTES = 64 * 1024

/** Where a file of that size is looked at: from, to. */
export function samplesOf(bytes: number): readonly (readonly [number, number])[] {
  if (bytes <= 3 * SAMPLE_BYTES) return [[0, bytes]]
  const middle = Math.floor((bytes - SAMPLE_BYTES) / 2)
  return [
    [0, SAMPLE_BYTES],
    [middle, middle + SAMPLE_BYTES],
    [bytes - SAMPLE_BYTES, bytes],
  ]
}

/** A file's print; fails where the file cannot be read. */
export async function fingerprintOf(file: File): Promise<FileFingerprint> {
  const { name, size, lastModified } = file
  const samples = await Promise.all(samplesOf(size).map(([from, to]) => file.slice(from, to).arrayBuffer()))
  return { name, bytes: size, lastModified, content: samples.map((sample) => digest(new Uint8Array(sample))).join('-') }
}

/**
 * 64 bits of what the bytes are, in two lanes. It guards against mistakes, not against forgers, who would only harm their
 * own file; the browser's own digests are missing on pages without TLS.
 */
export function digest(bytes: Uint8Array): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (const byte of bytes) {
    high = Math.imul(high ^ byte, 2654435761)
    low = Math.imul(low ^ byte, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return [high, low].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('')
}

/**
 * Why a file that was chosen again is not the one that was begun, in a sentence; undefined when it is. A copy of the same
 * bytes may bear another date, so the date counts only where the rest does not settle it.
 */
export function differenceOf(begun: FileFingerprint, chosen: FileFingerprint): string | undefined {
  const name = quoted(begun.name)
  if (chosen.bytes !== begun.bytes)
    return t('This is a different file: {name} has {bytes} bytes, this one has {bytes2}.', {
      name,
      bytes: begun.bytes,
      bytes2: chosen.bytes,
    })
  if (chosen.content !== begun.content)
    return t('This is a different file, or {name} has changed: the content differs.', { name })
  if (chosen.name !== begun.name && chosen.lastModified !== begun.lastModified)
    return t('This is a different file: its name is “{name}” and its modification date differs from {name2}.', {
      name: chosen.name,
      name2: name,
    })
  return undefined
}
