import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BlobStorage } from './blob-storage.ts'
import { makeFolder, removeIfThere } from './disk/file-system.ts'

export type BlobCopy = { readonly from: BlobStorage; readonly to: BlobStorage; readonly folder: string }

export type CopyProgress = { copied: number; there: number; bytes: number }

const MAX_CONCURRENT = 8

/** Copies all blobs to another storage and verifies their hashes. Skips existing blobs, so it can be repeated. */
export async function copyBlobs(
  copy: BlobCopy,
  onCopied: (sofar: Readonly<CopyProgress>) => void,
): Promise<CopyProgress> {
  // Removes files left by a killed copy process.
  await rm(copy.folder, { recursive: true, force: true })
  await makeFolder(copy.folder)
  const sofar: CopyProgress = { copied: 0, there: 0, bytes: 0 }
  const hashes = hashesIn(copy.from)
  const work = async (): Promise<void> => {
    for (let next = await hashes.next(); next.done !== true; next = await hashes.next()) {
      const bytes = await copyBlob(copy, next.value)
      if (bytes === undefined) sofar.there += 1
      else {
        sofar.copied += 1
        sofar.bytes += bytes
      }
      onCopied(sofar)
    }
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, work))
  await rm(copy.folder, { recursive: true, force: true })
  return sofar
}

async function* hashesIn(storage: BlobStorage): AsyncGenerator<string, undefined, undefined> {
  for await (const { hash } of storage.list()) yield hash
}

async function copyBlob({ from, to, folder }: BlobCopy, hash: string): Promise<number | undefined> {
  const [here, there] = [await from.open(hash), await to.open(hash)]
  if (here === undefined || there?.bytes === here.bytes) return undefined
  const path = join(folder, hash)
  try {
    await writeVerified(here.read(), path, hash)
    await to.publish(path, hash)
  } finally {
    await removeIfThere(path)
  }
  return here.bytes
}

async function writeVerified(bytes: Readable, path: string, hash: string): Promise<void> {
  const found = await writeHashed(bytes, path)
  if (found !== hash) throw new Error(`Blob ${hash} is damaged: its actual hash is ${found}. Nothing was deleted.`)
}

export async function writeHashed(bytes: Readable, path: string): Promise<string> {
  const sum = createHash('sha256')
  const summed = async function* (parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const part of parts) {
      sum.update(part)
      yield part
    }
  }
  await pipeline(bytes, summed, createWriteStream(path, { flush: true }))
  return sum.digest('hex')
}
