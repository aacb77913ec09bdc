import { setImmediate as pause } from 'node:timers/promises'
import { crc32 } from 'node:zlib'

/**
 * Removes the location from a photo's metadata without decoding the image, so pixels, orientation and colors don't
 * change. EXIF is a small TIFF structure inside JPEG, PNG, WebP, HEIC, AVIF, TIFF and raw files alike. GPS data is
 * overwritten in place, so no offset changes. XMP that contains a location is blanked completely.
 */
export async function stripLocation(bytes: Buffer): Promise<{ readonly hadLocation: boolean; readonly bytes: Buffer }> {
  let hadLocation = false
  for (const mark of TIFF_SIGNATURES) {
    for await (const at of occurrencesOf(bytes, mark)) hadLocation = blankGps(bytes, at) || hadLocation
  }
  hadLocation = (await blankXmp(bytes)) || hadLocation
  const png = PNG_SIGNATURE.equals(bytes.subarray(0, PNG_SIGNATURE.length)) ? repairPng(bytes) : undefined
  return { hadLocation: hadLocation || png?.hadLocation === true, bytes: png?.bytes ?? bytes }
}

/** TIFF headers, little- and big-endian. */
const TIFF_SIGNATURES = [Buffer.from('II*\0', 'latin1'), Buffer.from('MM\0*', 'latin1')]

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Bytes searched before yielding to the event loop; takes a few milliseconds. */
const WINDOW_BYTES = 4 * 1024 * 1024

async function* occurrencesOf(bytes: Buffer, mark: Buffer): AsyncGenerator<number> {
  for (let from = 0; from < bytes.length; from += WINDOW_BYTES) {
    const window = bytes.subarray(from, from + WINDOW_BYTES + mark.length - 1)
    for (let at = window.indexOf(mark); at !== -1; at = window.indexOf(mark, at + 1)) yield from + at
    await pause()
  }
}

// ── EXIF 2.32, TIFF 6
// ────────────────────────────────────────────────────────────────────────────────────────────────

/** GPSInfo. */
const GPS_TAG = 0x88_25
const ENTRY_BYTES = 12
const MAX_ENTRIES = 1000
const MAX_LISTS = 20

/** Value size in bytes by TIFF type; 0 is invalid. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]

/** An IFD that lies within the buffer. */
type EntryList = { readonly start: number; readonly count: number; readonly end: number }

type Numbers = { readonly short: (at: number) => number; readonly long: (at: number) => number }

const numbersOf = (bytes: Buffer, tiff: number): Numbers =>
  bytes[tiff] === 0x49
    ? { short: (at) => bytes.readUInt16LE(at), long: (at) => bytes.readUInt32LE(at) }
    : { short: (at) => bytes.readUInt16BE(at), long: (at) => bytes.readUInt32BE(at) }

function readList(bytes: Buffer, start: number, { short }: Numbers): EntryList | undefined {
  if (start + 2 > bytes.length) return undefined
  const count = short(start)
  const end = start + 2 + count * ENTRY_BYTES + 4
  if (count === 0 || count > MAX_ENTRIES || end > bytes.length) return undefined
  const types = Array.from({ length: count }, (_, at) => short(start + 2 + at * ENTRY_BYTES + 2))
  return types.every((type) => type > 0 && type < TYPE_BYTES.length) ? { start, count, end } : undefined
}

/** Blanks GPS data in the TIFF at `tiff`; ignores other data that only starts like a TIFF. */
function blankGps(bytes: Buffer, tiff: number): boolean {
  if (tiff + 8 > bytes.length) return false
  const numbers = numbersOf(bytes, tiff)
  let hadPlace = false
  let start = numbers.long(tiff + 4)
  for (let lists = 0; lists < MAX_LISTS && start >= 8; lists += 1) {
    const list = readList(bytes, tiff + start, numbers)
    if (list === undefined) return hadPlace
    const next = numbers.long(list.end - 4)
    hadPlace = removeGpsEntry(bytes, tiff, list) || hadPlace
    start = next
  }
  return hadPlace
}

function removeGpsEntry(bytes: Buffer, tiff: number, { start, count, end }: EntryList): boolean {
  const numbers = numbersOf(bytes, tiff)
  const entries = Array.from({ length: count }, (_, at) => start + 2 + at * ENTRY_BYTES)
  const entry = entries.find((at) => numbers.short(at) === GPS_TAG)
  if (entry === undefined) return false
  const place = readList(bytes, tiff + numbers.long(entry + 8), numbers)
  if (place !== undefined) zeroEntries(bytes, tiff, place)
  // Moves up later entries and the pointer to the next IFD.
  bytes.copyWithin(entry, entry + ENTRY_BYTES, end)
  bytes.fill(0, end - ENTRY_BYTES, end)
  if (bytes[tiff] === 0x49) bytes.writeUInt16LE(count - 1, start)
  else bytes.writeUInt16BE(count - 1, start)
  return true
}

/** Zeroes an IFD and everything its entries point to. */
function zeroEntries(bytes: Buffer, tiff: number, { start, count, end }: EntryList): void {
  const { short, long } = numbersOf(bytes, tiff)
  for (let at = start + 2; at < start + 2 + count * ENTRY_BYTES; at += ENTRY_BYTES) {
    const size = (TYPE_BYTES[short(at + 2)] ?? 0) * long(at + 4)
    const values = tiff + long(at + 8)
    if (size > 4 && values + size <= bytes.length) bytes.fill(0, values, values + size)
  }
  bytes.fill(0, start, end)
}

// ── XMP ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

const XMP_START = Buffer.from('<rdf:RDF')
const XMP_END = Buffer.from('</rdf:RDF>')

/** Extended XMP continues in JPEG segments with this name, followed by 40 header bytes. */
const EXTENDED_XMP = Buffer.from('http://ns.adobe.com/xmp/extension/\0', 'latin1')
const EXTENDED_XMP_HEADER_BYTES = 40

const MAX_XMP_BYTES = 4 * 1024 * 1024

const LOCATION_PATTERN = /gps|latitude|longitude/i
const SPACE = 0x20

async function blankXmp(bytes: Buffer): Promise<boolean> {
  const parts: Buffer[] = []
  for await (const at of occurrencesOf(bytes, XMP_START)) {
    const end = bytes.subarray(at, at + MAX_XMP_BYTES).indexOf(XMP_END)
    if (end !== -1) parts.push(bytes.subarray(at, at + end + XMP_END.length))
  }
  for await (const at of occurrencesOf(bytes, EXTENDED_XMP)) {
    const text = at + EXTENDED_XMP.length + EXTENDED_XMP_HEADER_BYTES
    const end = at >= 2 ? at - 2 + bytes.readUInt16BE(at - 2) : 0
    if (end > text && end <= bytes.length) parts.push(bytes.subarray(text, end))
  }
  const speaks = parts.some((part) => LOCATION_PATTERN.test(part.toString('latin1')))
  if (speaks) for (const part of parts) part.fill(SPACE)
  return speaks
}

// ── PNG ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Text chunks in which older programs store compressed or hex-encoded EXIF or XMP; GPS data can't be overwritten there.
 */
const HIDDEN_METADATA = /^(?:raw profile type (?:exif|app1|xmp)|xml:com\.adobe\.xmp)$/i

const TEXT_CHUNKS: ReadonlySet<string> = new Set(['tEXt', 'zTXt', 'iTXt'])

/** Updates the checksums of blanked chunks and removes text chunks that can't be blanked. */
function repairPng(bytes: Buffer): { readonly hadLocation: boolean; readonly bytes: Buffer } | undefined {
  const kept: Buffer[] = [bytes.subarray(0, PNG_SIGNATURE.length)]
  let hadLocation = false
  for (let at = PNG_SIGNATURE.length; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) break
    const type = bytes.toString('latin1', at + 4, at + 8)
    const isHiding = TEXT_CHUNKS.has(type) && hasHiddenMetadata(bytes.subarray(at + 8, end - 4), type)
    hadLocation ||= isHiding
    if (type === 'eXIf' || type === 'iTXt') bytes.writeUInt32BE(crc32(bytes.subarray(at + 4, end - 4)), end - 4)
    if (!isHiding) kept.push(bytes.subarray(at, end))
    at = end
  }
  return hadLocation ? { hadLocation, bytes: Buffer.concat(kept) } : undefined
}

function hasHiddenMetadata(text: Buffer, type: string): boolean {
  const keyword = text.toString('latin1', 0, Math.max(0, text.indexOf(0)))
  const isPlain = type === 'iTXt' && text[keyword.length + 1] === 0
  return HIDDEN_METADATA.test(keyword) && !isPlain
}
