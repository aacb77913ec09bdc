import { PICTURE_WIDTHS } from '#api/files.ts'
import type { PictureHeader } from '#domain/assets/picture-limits.ts'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import type { BlobStorage, StoredBlob } from '#server/platform/storage/blob-storage.ts'
import type { DiskCache } from '#server/platform/storage/disk/disk-cache.ts'
import { createSemaphore } from '#server/platform/concurrency/semaphore.ts'
import { openPictureProcess, type PictureProcess } from './picture-process.ts'

/** Why there is no smaller picture. */
export type ThumbnailError = 'not-a-picture' | 'busy'

/** Looks at pictures and makes them smaller. */
export type Thumbnails = {
  /** Reads the header alone, so that a picture that is a trap does no harm; undefined when it is no picture. */
  readonly header: (path: string) => Promise<PictureHeader | undefined>
  /** The picture of a blob, at most so many pixels wide, as WebP without any metadata; made once and kept. */
  readonly smaller: (hash: string, width: number) => Promise<Result<StoredBlob, ThumbnailError>>
  /** Forgets the smaller copies of a blob that is going away. */
  readonly forget: (hash: string) => Promise<void>
}

/** The type of every smaller picture. */
export const THUMBNAIL_TYPE = 'image/webp'

/** Pictures made smaller at a time: one leaves the other core to those who wait for something else. */
const MAX_CONCURRENT = 2

/** Pictures in line; a page of the grid asks for fewer, and what comes beyond is asked again later. */
const MAX_QUEUED = 500

const nameOf = (hash: string, width: number): string => `${hash}-${width}.webp`

type ThumbnailDeps = { readonly blobs: BlobStorage; readonly cache: DiskCache; readonly process: PictureProcess }

/** Pictures over the blobs of a storage, their smaller copies kept in a cache. */
export function openThumbnails(blobs: BlobStorage, cache: DiskCache): Thumbnails {
  const gate = createSemaphore(MAX_CONCURRENT, MAX_QUEUED)
  const process = openPictureProcess()
  const underWay = new Map<string, Promise<Result<StoredBlob, ThumbnailError>>>()

  const make = async (hash: string, width: number): Promise<Result<StoredBlob, ThumbnailError>> => {
    const name = nameOf(hash, width)
    const made = await cache.find(name)
    if (made !== undefined) return ok(made)
    const drawing = gate.enter(() => draw({ blobs, cache, process }, hash, width))
    if (drawing === undefined) return fail('busy')
    const bytes = await drawing
    if (bytes === undefined) return fail('not-a-picture')
    await cache.put(name, bytes)
    const stored = await cache.find(name)
    return stored === undefined ? fail('busy') : ok(stored)
  }

  return {
    header: process.header,
    smaller: (hash, width) => {
      const name = nameOf(hash, width)
      const making = underWay.get(name) ?? make(hash, width).finally(() => underWay.delete(name))
      underWay.set(name, making)
      return making
    },
    forget: async (hash) => {
      for (const width of PICTURE_WIDTHS) await cache.remove(nameOf(hash, width))
    },
  }
}

/** The bytes of the smaller picture, undefined when the blob is none that can be opened. */
async function draw(
  { blobs, cache, process }: ThumbnailDeps,
  hash: string,
  width: number,
): Promise<Uint8Array | undefined> {
  const path = blobs.pathOf(hash)
  if (path !== undefined) return process.draw(path, width)
  const blob = await blobs.open(hash)
  if (blob === undefined) return undefined
  // As a whole or not at all: of one that broke off half a picture would be drawn, and kept.
  return cache.borrow(blob.read(), (copy) => process.draw(copy, width))
}
