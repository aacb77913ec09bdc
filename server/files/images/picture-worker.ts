/**
 * Runs in a process of its own: opens pictures from outside with decoders in native code. Whatever one of them does to it,
 * the server goes on.
 */
import sharp, { type SharpOptions } from 'sharp'
import { canBeOpened, isHeavy, MAX_PICTURE_PIXELS, type PictureHeader } from '#domain/assets/picture-limits.ts'
import { createSemaphore } from '#server/platform/concurrency/semaphore.ts'
import type { PictureReply, PictureTask } from './picture-tasks.ts'

/** How long making one smaller may take. */
const TIMEOUT_SECONDS = 20

/** Good to the eye at this size, and half of what 90 takes. */
const QUALITY = 80

/** The decoders we have use for. Every other one stays shut: drawings, plans and raw photographs have had holes. */
const DECODERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif']

sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: DECODERS.map((name) => `VipsForeignLoad${name}`) })
sharp.cache(false)
sharp.concurrency(1)

/** Those that take much memory wait for each other; the line in front of them is the server's. */
const heavyPictures = createSemaphore(1, Number.POSITIVE_INFINITY)

const orUndefined = <Answer>(answer: Promise<Answer>): Promise<Answer | undefined> =>
  answer.then(
    (found) => found,
    () => undefined,
  )

/** Reads the header alone, so that a picture that is a trap does no harm. */
const headerOf = (path: string): Promise<PictureHeader | undefined> =>
  orUndefined(
    sharp(path, { limitInputPixels: false, failOn: 'none' })
      .metadata()
      .then(({ autoOrient, format, depth, isProgressive }) => ({ ...autoOrient, format, depth, isProgressive })),
  )

/** The bytes of the smaller picture, undefined when the file is none that can be opened. */
async function draw(path: string, width: number): Promise<Uint8Array | undefined> {
  const header = await headerOf(path)
  if (header === undefined || !canBeOpened(header)) return undefined
  // What a camera left out or a copy cut off is shown as far as it goes.
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
  return isHeavy(header) ? heavyPictures.enter(drawn) : drawn()
}

const send = (reply: PictureReply): void => {
  process.send?.(reply)
}

process.on('message', (task: PictureTask) => {
  const { nth, path, width } = task
  if (width === undefined) void headerOf(path).then((header) => send({ nth, header }))
  else void draw(path, width).then((bytes) => send({ nth, bytes }))
})
// The server ended it, or is gone itself.
process.once('disconnect', () => process.exit())
