import { PICTURE_WIDTHS } from '#api/files.ts'
import type { PictureHeader } from '#domain/assets/picture-limits.ts'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import type { BlobStorage, StoredBlob } from '#server/platform/storage/blob-storage.ts'
import type { DiskCache } from '#server/platform/storage/disk/disk-cache.ts'
import { createSemaphore } from '#server/platform/concurrency/locks.ts'
import { openPictureProcess, type PictureProcess } from './picture-process.ts'

export type ThumbnailError = 'not-a-picture' | 'busy'

export type Thumbnails = {
  /** Reads only the header, so that a decompression bomb is harmless; undefined if it isn't an image. */
  readonly header: (path: string) => Promise<PictureHeader | undefined>
  /** A WebP thumbnail without metadata, at most `width` pixels wide; created once and cached. */
  readonly smaller: (hash: string, width: number) => Promise<Result<StoredBlob, ThumbnailError>>
  /** Deletes the thumbnails of a deleted blob. */
  readonly forget: (hash: string) => Promise<void>
}

export const THUMBNAIL_TYPE = 'image/webp'

/** Leaves one core free for other requests. */
const MAX_CONCURRENT = 2

/** Exceeds the number of requests from one grid page; clients retry if the queue is full. */
const MAX_QUEUED = 500

const nameOf = (hash: string, width: number): string => `${hash}-${width}.webp`

type ThumbnailDeps = { readonly blobs: BlobStorage; readonly cache: DiskCache; readonly process: PictureProcess }

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

/** Undefined if the blob can't be opened as an image. */
async function draw(
  { blobs, cache, process }: ThumbnailDeps,
  hash: string,
  width: number,
): Promise<Uint8Array | undefined> {
  const path = blobs.pathOf(hash)
  if (path !== undefined) return process.draw(path, width)
  const blob = await blobs.open(hash)
  if (blob === undefined) return undefined
  // Copies the blob completely first, so that an interrupted stream can't leave half an image in the cache.
  return cache.borrow(blob.read(), (copy) => process.draw(copy, width))
}
