const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'] as const

export const isPictureType = (type: string): boolean => PICTURE_TYPES.some((one) => one === type)

/** Memory use depends on the encoding; see `MEMORY`. */
export const MAX_PICTURE_PIXELS = 50_000_000

/**
 * Images above this ratio are treated as decompression bombs. Photos have ratios up to 30 and scans up to 600; a blank
 * PNG reaches 8,000.
 */
const BOMB_PIXELS_PER_BYTE = 1000

/** Size in pixels after rotation, and the encoding. */
export type PictureHeader = {
  readonly width: number
  readonly height: number
  readonly format: string
  /** `uchar` is 8 bits per channel. */
  readonly depth: string
  /** Progressive images must be held in memory in full. */
  readonly isProgressive?: boolean | undefined
}

/** Bytes per pixel while resizing, measured with images of 49 million pixels. */
const MEMORY = { lineByLine: 3, progressive: 7, deepProgressive: 10, gif: 6, avif: 19, deepAvif: 25 } as const

function memoryPerPixel({ format, depth, isProgressive = false }: PictureHeader): number {
  const isDeep = depth !== 'uchar'
  if (format === 'heif') return isDeep ? MEMORY.deepAvif : MEMORY.avif
  if (format === 'gif') return MEMORY.gif
  if (isProgressive) return isDeep ? MEMORY.deepProgressive : MEMORY.progressive
  return MEMORY.lineByLine
}

/** Memory thresholds above which an image is decoded alone, or rejected. */
const HEAVY_BYTES = 100_000_000
const TOO_HEAVY_BYTES = 500_000_000

const memoryOf = (header: PictureHeader): number => header.width * header.height * memoryPerPixel(header)

/** Whether an image needs so much memory that no other heavy image may be decoded at the same time. */
export const isHeavy = (header: PictureHeader): boolean => memoryOf(header) > HEAVY_BYTES

export const canBeDecoded = (header: PictureHeader): boolean =>
  header.width * header.height <= MAX_PICTURE_PIXELS && memoryOf(header) <= TOO_HEAVY_BYTES

export type PictureHandling = 'picture' | 'too-large' | 'bomb'

/** Classifies an image by its header, before decoding it. */
export function classifyPicture(header: PictureHeader, bytes: number): PictureHandling {
  if (canBeDecoded(header)) return 'picture'
  return (header.width * header.height) / Math.max(1, bytes) > BOMB_PIXELS_PER_BYTE ? 'bomb' : 'too-large'
}
