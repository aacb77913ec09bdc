/** Child process that decodes untrusted images in native code, so that a decoder crash doesn't affect the server. */
import sharp, { type SharpOptions } from 'sharp'
import { canBeDecoded, isHeavy, MAX_PICTURE_PIXELS, type PictureHeader } from '#domain/assets/picture-limits.ts'
import { createSemaphore } from '#server/platform/concurrency/locks.ts'

/** Reads an image header or, with `width` in pixels, creates a thumbnail. */
export type PictureTask = { readonly nth: number; readonly path: string; readonly width?: number }

/** The result of task `nth`; empty if the file can't be opened as an image. */
export type PictureReply = {
  readonly nth: number
  readonly header?: PictureHeader | undefined
  readonly bytes?: Uint8Array | undefined
}

const TIMEOUT_SECONDS = 20

/** Sufficient quality at thumbnail size, at half the bytes of quality 90. */
const QUALITY = 80

/** Allowed decoders. All others are blocked, because SVG, PDF and raw decoders have had vulnerabilities. */
const DECODERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif']

sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: DECODERS.map((name) => `VipsForeignLoad${name}`) })
sharp.cache(false)
sharp.concurrency(1)

/** Images that need a lot of memory are processed one at a time. */
const heavyPictures = createSemaphore(1)

const orUndefined = <Answer>(answer: Promise<Answer>): Promise<Answer | undefined> =>
  answer.then(
    (found) => found,
    () => undefined,
  )

/** Reads only the header, so that a decompression bomb is harmless. */
const headerOf = (path: string): Promise<PictureHeader | undefined> =>
  orUndefined(
    sharp(path, { limitInputPixels: false, failOn: 'none' })
      .metadata()
      .then(({ autoOrient, format, depth, isProgressive }) => ({ ...autoOrient, format, depth, isProgressive })),
  )

/** Undefined if the file can't be opened as an image. */
async function draw(path: string, width: number): Promise<Uint8Array | undefined> {
  const header = await headerOf(path)
  if (header === undefined || !canBeDecoded(header)) return undefined
  // Damaged or truncated images are shown as far as they can be decoded.
  const options: SharpOptions = { limitInputPixels: MAX_PICTURE_PIXELS, failOn: 'none', sequentialRead: true }
  const drawn = () =>
    orUndefined(
      sharp(path, options)
        .autoOrient()
        .resize({ width, withoutEnlargement: true })
        .webp({ quality: QUALITY })
        .timeout({ seconds: TIMEOUT_SECONDS })
        .toBuffer(),
    )
  return isHeavy(header) ? heavyPictures.run(drawn) : drawn()
}

const send = (reply: PictureReply): void => {
  process.send?.(reply)
}

process.on('message', (task: PictureTask) => {
  const { nth, path, width } = task
  if (width === undefined) void headerOf(path).then((header) => send({ nth, header }))
  else void draw(path, width).then((bytes) => send({ nth, bytes }))
})
// Exits when the server has stopped or crashed.
process.once('disconnect', () => process.exit())
