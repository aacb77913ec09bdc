import { PICTURE_WIDTHS } from '#api/files.ts'
import type { PictureHeader } from '#domain/assets/picture-limits.ts'
import { no, ok, type Result } from '#domain/shared/result.ts'
import type { BlobStorage, StoredBlob } from '#server/storage/blob-storage.ts'
import type { DiskCache } from '#server/storage/disk-cache.ts'
import { openGate } from '#server/storage/gate.ts'
import { openPictureProcess, type PictureProcess } from './picture-process.ts'

/** Why there is no smaller picture. */
export type PictureFault = 'not-a-picture' | 'busy'

/** Looks at pictures and makes them smaller. */
export type Pictures = {
  /** Reads the header alone, so that a picture that is a trap does no harm; undefined when it is no picture. */
  readonly header: (path: string) => Promise<PictureHeader | undefined>
  /** The picture of a blob, at most so many pixels wide, as WebP without any metadata; made once and kept. */
  readonly smaller: (hash: string, width: number) => Promise<Result<StoredBlob, PictureFault>>
  /** Forgets the smaller copies of a blob that is going away. */
  readonly forget: (hash: string) => Promise<void>
}

/** The type of every smaller picture. */
export const SMALLER_TYPE = 'image/webp'

/** Pictures made smaller at a time: one leaves the other core to those who wait for something else. */
const AT_A_TIME = 2

/** Pictures in line; a page of the grid asks for fewer, and what comes beyond is asked again later. */
const IN_LINE = 500

const nameOf = (hash: string, width: number): string => `${hash}-${width}.webp`

type Places = { readonly blobs: BlobStorage; readonly cache: DiskCache; readonly process: PictureProcess }

/** Pictures over the blobs of a storage, their smaller copies kept in a cache. */
export function openPictures(blobs: BlobStorage, cache: DiskCache): Pictures {
  const gate = openGate(AT_A_TIME, IN_LINE)
  const process = openPictureProcess()
  const underWay = new Map<string, Promise<Result<StoredBlob, PictureFault>>>()

  const make = async (hash: string, width: number): Promise<Result<StoredBlob, PictureFault>> => {
    const name = nameOf(hash, width)
    const made = await cache.find(name)
    if (made !== undefined) return ok(made)
    const drawing = gate.enter(() => draw({ blobs, cache, process }, hash, width))
    if (drawing === undefined) return no('busy')
    const bytes = await drawing
    if (bytes === undefined) return no('not-a-picture')
    await cache.put(name, bytes)
    const stored = await cache.find(name)
    return stored === undefined ? no('busy') : ok(stored)
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
async function draw({ blobs, cache, process }: Places, hash: string, width: number): Promise<Uint8Array | undefined> {
  const path = blobs.pathOf(hash)
  if (path !== undefined) return process.draw(path, width)
  const blob = await blobs.open(hash)
  if (blob === undefined) return undefined
  // As a whole or not at all: of one that broke off half a picture would be drawn, and kept.
  return cache.borrow(blob.read(), (copy) => process.draw(copy, width))
}
