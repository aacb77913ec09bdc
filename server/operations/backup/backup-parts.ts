import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { createInterface } from 'node:readline'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import { openDiskStorage } from '#server/platform/storage/disk/disk-storage.ts'
import { BLOB_FOLDER, BLOB_LIST, type Manifest } from './manifest.ts'
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export async function hashOf(bytes: Readable): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(bytes, hash)
  return hash.digest('hex')
}

export const hashOfFile = (path: string): Promise<string> =>
  hashOf(createReadStream(path, { highWaterMark: 1024 * 1024 }))

/** Hashes all files of a backup except its blobs. */
export async function partsIn(folder: string): Promise<Manifest['parts']> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = entries.filter(({ name }) => name !== BLOB_FOLDER)
  const below = await Promise.all(
    found.map(async (entry) => {
      const path = join(folder, entry.name)
      if (!entry.isDirectory()) return [path]
      return (await readdir(path, { recursive: true, withFileTypes: true }))
        .filter((each) => each.isFile())
        .map((each) => join(each.parentPath, each.name))
    }),
  )
  const parts: Manifest['parts'] = []
  for (const path of below.flat().sort()) {
    const { size } = await stat(path)
    const named = relative(folder, path).split(sep).join('/')
    parts.push({ path: named, bytes: size, sha256: await hashOfFile(path) })
  }
  return parts
}

export const blobsOf = (folder: string): BlobStorage => openDiskStorage(join(folder, BLOB_FOLDER))

async function* blobsListedIn(folder: string): AsyncGenerator<string, undefined, undefined> {
  for await (const line of createInterface({ input: createReadStream(join(folder, BLOB_LIST)) })) yield line
}

/** Blobs processed at the same time. */
const MAX_CONCURRENT = 4

export async function forEachBlob(folder: string, work: (hash: string) => Promise<void>): Promise<void> {
  const hashes = blobsListedIn(folder)
  const hand = async (): Promise<void> => {
    for (let next = await hashes.next(); next.done !== true; next = await hashes.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, hand))
}
