/** Types of pictures that are made smaller for lists and pages. */
const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'] as const

/** Whether a file of this type is looked at as a picture. */
export const isPictureType = (type: string): boolean => PICTURE_TYPES.some((one) => one === type)

/** Most pixels of a picture that is opened here; how much memory they take depends on how they are packed. */
export const MAX_PICTURE_PIXELS = 50_000_000

/**
 * Pixels per byte above which an oversized image counts as a decompression bomb. Photos reach 30, black-and-white scans
 * 600, a blank PNG made to exhaust memory 8,000.
 */
const BOMB_PIXELS_PER_BYTE = 1000

/** What the header of a picture says of it: its measures in pixels, as people see it, and how it is packed. */
export type PictureHeader = {
  readonly width: number
  readonly height: number
  readonly format: string
  /** `uchar` is 8 bits a colour. */
  readonly depth: string
  /** Whether it can be seen coarsely first; all of it must be held then to see any of it. */
  readonly isProgressive?: boolean | undefined
}

/** Bytes of memory a pixel takes while a picture is made smaller, as measured with pictures of 49 million pixels. */
const MEMORY = { lineByLine: 3, progressive: 7, deepProgressive: 10, gif: 6, avif: 19, deepAvif: 25 } as const

function memoryPerPixel({ format, depth, isProgressive = false }: PictureHeader): number {
  const isDeep = depth !== 'uchar'
  if (format === 'heif') return isDeep ? MEMORY.deepAvif : MEMORY.avif
  if (format === 'gif') return MEMORY.gif
  if (isProgressive) return isDeep ? MEMORY.deepProgressive : MEMORY.progressive
  return MEMORY.lineByLine
}

/** In bytes of memory: above the first a picture is opened alone, above the second it is not opened at all. */
const HEAVY_BYTES = 100_000_000
const TOO_HEAVY_BYTES = 500_000_000

const memoryOf = (header: PictureHeader): number => header.width * header.height * memoryPerPixel(header)

/** Whether a picture takes so much memory that no two of the kind may be open at a time. */
export const isHeavy = (header: PictureHeader): boolean => memoryOf(header) > HEAVY_BYTES

/** Whether a picture may be opened here. */
export const canBeDecoded = (header: PictureHeader): boolean =>
  header.width * header.height <= MAX_PICTURE_PIXELS && memoryOf(header) <= TOO_HEAVY_BYTES

/** How a picture is treated. */
export type PictureHandling =
  /** It gets smaller copies. */
  | 'picture'
  /** It is kept as a file like any other. */
  | 'too-large'
  /** It is refused. */
  | 'trap'

/** Judges a picture of so many bytes by what its header says, before it is opened. */
export function classifyPicture(header: PictureHeader, bytes: number): PictureHandling {
  if (canBeDecoded(header)) return 'picture'
  return (header.width * header.height) / Math.max(1, bytes) > BOMB_PIXELS_PER_BYTE ? 'trap' : 'too-large'
}
