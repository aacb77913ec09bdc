import type { Sharp, SharpOptions } from 'sharp'
import { PICTURE_WIDTHS } from '#api/files.ts'
import { MAX_PICTURE_PIXELS } from '#domain/assets/picture-limits.ts'
import { no, ok, type Result } from '#domain/shared/result.ts'
import type { BlobStorage, StoredBlob } from '#server/storage/blob-storage.ts'
import type { DiskCache } from '#server/storage/disk-cache.ts'
import { openGate } from '#server/storage/gate.ts'

/** In pixels, as people see the picture: turned as its camera says. */
export type Measures = { readonly width: number; readonly height: number }

/** Why there is no smaller picture. */
export type PictureFault = 'not-a-picture' | 'busy'

/** Looks at pictures and makes them smaller. */
export type Pictures = {
  /** Reads the header alone, so that a picture that is a trap does no harm; undefined when it is no picture. */
  readonly measure: (path: string) => Promise<Measures | undefined>
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

/** How long making one smaller may take. */
const TIMEOUT_SECONDS = 20

/** Good to the eye at this size, and half of what 90 takes. */
const QUALITY = 80

/** The decoders we have use for. Every other one stays shut: drawings, plans and raw photographs have had holes. */
const DECODERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif']

type SharpMaker = (input: string, options: SharpOptions) => Sharp

let loading: Promise<SharpMaker> | undefined

/** The library is loaded with the first picture, so that the server starts without it. */
function loadSharp(): Promise<SharpMaker> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: DECODERS.map((name) => `VipsForeignLoad${name}`) })
    sharp.cache(false)
    sharp.concurrency(1)
    return sharp
  })
  return loading
}

const nameOf = (hash: string, width: number): string => `${hash}-${width}.webp`

type Places = { readonly blobs: BlobStorage; readonly cache: DiskCache }

/** Pictures over the blobs of a storage, their smaller copies kept in a cache. */
export function openPictures(blobs: BlobStorage, cache: DiskCache): Pictures {
  const gate = openGate(AT_A_TIME, IN_LINE)
  const underWay = new Map<string, Promise<Result<StoredBlob, PictureFault>>>()

  const make = async (hash: string, width: number): Promise<Result<StoredBlob, PictureFault>> => {
    const name = nameOf(hash, width)
    const made = await cache.find(name)
    if (made !== undefined) return ok(made)
    const drawing = gate.enter(() => draw({ blobs, cache }, hash, width))
    if (drawing === undefined) return no('busy')
    const bytes = await drawing
    if (bytes === undefined) return no('not-a-picture')
    await cache.put(name, bytes)
    const stored = await cache.find(name)
    return stored === undefined ? no('busy') : ok(stored)
  }

  return {
    measure,
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

async function measure(path: string): Promise<Measures | undefined> {
  const sharp = await loadSharp()
  const found = await sharp(path, { limitInputPixels: false, failOn: 'none' })
    .metadata()
    .then(
      (metadata) => metadata,
      () => undefined,
    )
  return found && { width: found.autoOrient.width, height: found.autoOrient.height }
}

/** The bytes of the smaller picture, undefined when the blob is none that can be opened. */
async function draw({ blobs, cache }: Places, hash: string, width: number): Promise<Uint8Array | undefined> {
  const path = blobs.pathOf(hash)
  if (path !== undefined) return drawFrom(path, width)
  const blob = await blobs.open(hash)
  if (blob === undefined) return undefined
  // As a whole or not at all: of one that broke off half a picture would be drawn, and kept.
  return cache.borrow(blob.read(), (copy) => drawFrom(copy, width))
}

async function drawFrom(path: string, width: number): Promise<Uint8Array | undefined> {
  const sharp = await loadSharp()
  // What a camera left out or a copy cut off is shown as far as it goes.
  return sharp(path, { limitInputPixels: MAX_PICTURE_PIXELS, failOn: 'none', sequentialRead: true })
    .autoOrient()
    .resize({ width, withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .toBuffer()
    .then(
      (bytes) => bytes,
      () => undefined,
    )
}
