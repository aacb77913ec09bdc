import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'

export type ZipEntry = {
  /** Path with `/` as separator. */
  readonly path: string
  readonly bytes: number
  readonly at: Date
  /** Called only when the archive reaches this file. */
  readonly open: () => Promise<Readable>
}

// Section numbers in this file refer to PKWARE's APPNOTE 6.3.10.

/** Larger values need Zip64 (4.4.1.4). */
const MAX_32 = 0xff_ff_ff_ff
const MAX_16 = 0xff_ff

/** Data descriptors (bit 3), UTF-8 names (bit 11) (4.4.4). */
const FLAGS = 0x08_08
const VERSION_PLAIN = 20
const VERSION_64 = 45
/** UNIX, so that file permissions are stored (4.4.2). */
const MADE_BY = (3 << 8) | VERSION_64
const FILE_MODE = 0o100644

const LOCAL_BYTES = 30
const LOCAL_EXTRA_BYTES = 20
const CENTRAL_BYTES = 46
const END_64_BYTES = 56

type Placed = { readonly entry: ZipEntry; readonly offset: number; readonly name: Buffer }

const isLarge = ({ bytes }: ZipEntry): boolean => bytes >= MAX_32
const descriptorBytes = (entry: ZipEntry): number => (isLarge(entry) ? 24 : 16)

/** Computes the offset of each file and of the central directory. */
function planLayout(entries: readonly ZipEntry[]): { placed: readonly Placed[]; centralAt: number } {
  let offset = 0
  const placed = entries.map((entry) => {
    const one = { entry, offset, name: Buffer.from(entry.path) }
    const head = LOCAL_BYTES + one.name.length + (isLarge(entry) ? LOCAL_EXTRA_BYTES : 0)
    offset += head + entry.bytes + descriptorBytes(entry)
    return one
  })
  return { placed, centralAt: offset }
}

export function zipBytes(entries: readonly ZipEntry[]): number {
  const { placed, centralAt } = planLayout(entries)
  const central = placed.reduce((sum, one) => sum + CENTRAL_BYTES + one.name.length + centralExtra(one).length, 0)
  return centralAt + central + endOf(placed.length, centralAt, central).length
}

/** Streams an uncompressed archive. Throws if a file's length differs from the declared length. */
export async function* zipArchive(entries: readonly ZipEntry[]): AsyncGenerator<Buffer> {
  const { placed, centralAt } = planLayout(entries)
  const sums: number[] = []
  for (const one of placed) {
    yield localHeader(one)
    let sum = 0
    let left = one.entry.bytes
    for await (const part of (await one.entry.open()) as AsyncIterable<Buffer>) {
      sum = crc32(part, sum)
      left -= part.length
      yield part
    }
    if (left !== 0) throw new Error('A file in the archive does not have its declared size.')
    sums.push(sum)
    yield descriptor(one.entry, sum)
  }
  let central = 0
  for (const [at, one] of placed.entries()) {
    const header = centralHeader(one, sums[at] ?? 0)
    central += header.length
    yield header
  }
  yield endOf(placed.length, centralAt, central)
}

/** Little-endian integers of 2, 4 or 8 bytes. */
function packed(...numbers: readonly (readonly [bytes: 2 | 4 | 8, value: number])[]): Buffer {
  const buffer = Buffer.alloc(numbers.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of numbers) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at)
    else buffer.writeUIntLE(value, at, bytes)
    at += bytes
  }
  return buffer
}

/** UTC with two-second resolution, starting in 1980 (4.4.6). */
function dosTime(at: Date): readonly [time: number, date: number] {
  const year = Math.max(1980, Math.min(2107, at.getUTCFullYear()))
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  return [time, ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()]
}

const sizeIn32 = (entry: ZipEntry): number => (isLarge(entry) ? MAX_32 : entry.bytes)

/** 4.3.7. Includes the sizes despite the data descriptor, for streaming readers. */
function localHeader({ entry, name }: Placed): Buffer {
  const [time, date] = dosTime(entry.at)
  const large = isLarge(entry)
  const head = packed(
    [4, 0x04_03_4b_50],
    [2, large ? VERSION_64 : VERSION_PLAIN],
    [2, FLAGS],
    [2, 0],
    [2, time],
    [2, date],
    [4, 0],
    [4, sizeIn32(entry)],
    [4, sizeIn32(entry)],
    [2, name.length],
    [2, large ? LOCAL_EXTRA_BYTES : 0],
  )
  const extra = large ? packed([2, 1], [2, 16], [8, entry.bytes], [8, entry.bytes]) : Buffer.alloc(0)
  return Buffer.concat([head, name, extra])
}

/** 4.3.9. */
const descriptor = (entry: ZipEntry, sum: number): Buffer => {
  const size = isLarge(entry) ? 8 : 4
  return packed([4, 0x08_07_4b_50], [4, sum], [size, entry.bytes], [size, entry.bytes])
}

/** 64-bit values in the order defined in 4.5.3. */
function centralExtra({ entry, offset }: Placed): Buffer {
  const large = isLarge(entry) ? [entry.bytes, entry.bytes] : []
  const numbers = offset >= MAX_32 ? [...large, offset] : large
  if (numbers.length === 0) return Buffer.alloc(0)
  return packed([2, 1], [2, numbers.length * 8], ...numbers.map((value) => [8, value] as const))
}

/** 4.3.12. */
function centralHeader(placed: Placed, sum: number): Buffer {
  const { entry, offset, name } = placed
  const extra = centralExtra(placed)
  const [time, date] = dosTime(entry.at)
  const head = packed(
    [4, 0x02_01_4b_50],
    [2, MADE_BY],
    [2, extra.length > 0 ? VERSION_64 : VERSION_PLAIN],
    [2, FLAGS],
    [2, 0],
    [2, time],
    [2, date],
    [4, sum],
    [4, sizeIn32(entry)],
    [4, sizeIn32(entry)],
    [2, name.length],
    [2, extra.length],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, FILE_MODE * 0x1_00_00],
    [4, Math.min(offset, MAX_32)],
  )
  return Buffer.concat([head, name, extra])
}

/** 4.3.14 to 4.3.16. */
function endOf(count: number, centralAt: number, central: number): Buffer {
  const end = packed(
    [4, 0x06_05_4b_50],
    [2, 0],
    [2, 0],
    [2, Math.min(count, MAX_16)],
    [2, Math.min(count, MAX_16)],
    [4, Math.min(central, MAX_32)],
    [4, Math.min(centralAt, MAX_32)],
    [2, 0],
  )
  if (count < MAX_16 && centralAt < MAX_32 && central < MAX_32) return end
  const end64 = packed(
    [4, 0x06_06_4b_50],
    [8, END_64_BYTES - 12],
    [2, MADE_BY],
    [2, VERSION_64],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, central],
    [8, centralAt],
  )
  const locator = packed([4, 0x07_06_4b_50], [4, 0], [8, centralAt + central], [4, 1])
  return Buffer.concat([end64, locator, end])
}
