import { constants } from 'node:fs'
import { copyFile, link, mkdir, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '#server/config.ts'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import { writeHashed } from '#server/platform/storage/copy-blobs.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import { blobsOf, forEachBlob } from './backup-parts.ts'
import type { Manifest } from './manifest.ts'

/**
 * `inside`: read, compared with their hash and written once more. `beside`: those that lie on the same disk get a second
 * name, which costs nothing; those in a store stay there.
 */
export type BlobLocation = 'inside' | 'beside'

type BlobBackup = {
  readonly place: Pick<Config, 'dataFolder' | 's3'>
  readonly are: BlobLocation
  readonly say: (line: string) => void
}

/** How often it says how far it is, in blobs. */
const PROGRESS_INTERVAL = 1000

/** Keeps the blobs that a backup lists; one that is gone or damaged keeps nobody from a backup of all the others. */
export async function backUpBlobs(folder: string, { place, are, say }: BlobBackup): Promise<Manifest['blobs']> {
  const isLeft = are === 'beside' && place.s3 !== undefined
  const storage = await openStorage(place, (error) => say(String(error)))
  const kept = { count: 0, bytes: 0, lost: new Array<string>() }
  await forEachBlob(folder, async (hash) => {
    kept.count += 1
    const bytes = isLeft ? 0 : await backUpBlob(storage, hash, { to: blobsOf(folder).pathOf(hash) ?? '', are })
    if (bytes === undefined) kept.lost.push(hash)
    else kept.bytes += bytes
    if (kept.count % PROGRESS_INTERVAL === 0) say(`${kept.count} files, ${kept.bytes} bytes …`)
  })
  return { are: isLeft ? 'left' : 'inside', ...kept }
}

type BackedUp = { readonly to: string; readonly are: BlobLocation }

/** Answers how many bytes it has; undefined where it cannot be kept. */
async function backUpBlob(storage: BlobStorage, hash: string, { to, are }: BackedUp): Promise<number | undefined> {
  const blob = await storage.open(hash)
  if (blob === undefined) return undefined
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const lies = are === 'beside' ? storage.pathOf(hash) : undefined
  if (lies !== undefined) return linkOrCopy(lies, to)
  if ((await writeHashed(blob.read(), to)) === hash) return blob.bytes
  await rm(to)
  return undefined
}

async function linkOrCopy(from: string, to: string): Promise<number> {
  await link(from, to).then(undefined, () => copyFile(from, to, constants.COPYFILE_FICLONE))
  return (await stat(to)).size
}
