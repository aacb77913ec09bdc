/** Types of pictures that are made smaller for lists and pages. */
const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'] as const

/** Whether a file of this type is looked at as a picture. */
export const isPictureType = (type: string): boolean => PICTURE_TYPES.some((one) => one === type)

/** Most pixels of a picture that is opened here: 50 million take 200 MB of memory while they are made smaller. */
export const MAX_PICTURE_PIXELS = 50_000_000

/**
 * Pixels per byte above which a picture of too many pixels is a trap and no picture: photographs have up to 30, drawings
 * scanned in black and white up to 600, and a blank PNG made to fill the memory of whoever opens it 8000.
 */
const TRAP_PIXELS_PER_BYTE = 1000

/** How a picture is treated, by its measures. */
export type PictureVerdict =
  /** It gets smaller copies. */
  | 'picture'
  /** It is kept as a file like any other. */
  | 'too-many-pixels'
  /** It is refused. */
  | 'trap'

/** Judges a picture by what its header says, before it is opened. */
export function judgePicture(picture: {
  readonly width: number
  readonly height: number
  readonly bytes: number
}): PictureVerdict {
  const pixels = picture.width * picture.height
  if (pixels <= MAX_PICTURE_PIXELS) return 'picture'
  return pixels / Math.max(1, picture.bytes) > TRAP_PIXELS_PER_BYTE ? 'trap' : 'too-many-pixels'
}
