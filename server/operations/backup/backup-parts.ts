import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import { openDiskStorage } from '#server/platform/storage/disk/disk-storage.ts'
import { BLOB_FOLDER, BLOB_LIST, type Manifest } from './manifest.ts'

export async function hashOf(bytes: Readable): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(bytes, hash)
  return hash.digest('hex')
}

const hashOfFile = (path: string): Promise<string> => hashOf(createReadStream(path, { highWaterMark: 1024 * 1024 }))

/** Hashes all files in a backup except blobs. */
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

/** Number of blobs processed concurrently. */
const MAX_CONCURRENT = 4

export async function forEachBlob(folder: string, work: (hash: string) => Promise<void>): Promise<void> {
  const hashes = blobsListedIn(folder)
  const hand = async (): Promise<void> => {
    for (let next = await hashes.next(); next.done !== true; next = await hashes.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, hand))
}

/**
 * Compares a backup with its manifest and returns one message per difference. Blobs are only read if the backup
 * contains them.
 */
export async function verifyBackup(folder: string, manifest: Manifest): Promise<readonly string[]> {
  const parts = await verifyParts(folder, manifest)
  // Verifies the other files first, because they include the blob list.
  return parts.length > 0 ? parts : verifyBlobs(folder, manifest)
}

export async function verifyParts(folder: string, { parts }: Manifest): Promise<readonly string[]> {
  const findings: string[] = []
  for (const { path, sha256 } of parts) {
    const file = join(folder, path)
    const found = await hashOfFile(file).then(undefined, () => undefined)
    if (found === undefined) findings.push(`${file} can't be read.`)
    else if (found !== sha256)
      findings.push(`${file} is damaged: the hash of its ${(await stat(file)).size} bytes is ${found}.`)
  }
  return findings
}

async function verifyBlobs(folder: string, { blobs }: Manifest): Promise<readonly string[]> {
  const findings: string[] = []
  const lost = new Set(blobs.lost)
  const storage = blobsOf(folder)
  let count = 0
  await forEachBlob(folder, async (hash) => {
    count += 1
    if (blobs.are === 'left' || lost.has(hash)) return
    const blob = await storage.open(hash)
    if (blob === undefined) findings.push(`The file ${hash} is missing.`)
    else if ((await hashOf(blob.read())) !== hash) findings.push(`The file ${storage.pathOf(hash) ?? hash} is damaged.`)
  })
  if (count !== blobs.count) findings.push(`The backup lists ${count} files, but should have ${blobs.count}.`)
  return findings
}
