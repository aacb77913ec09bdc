import { constants } from 'node:fs'
import { copyFile, link, mkdir, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '#server/config.ts'
import type { BlobStorage } from '#server/storage/blob-storage.ts'
import { writeHashed } from '#server/storage/copy-blobs.ts'
import { openStorage } from '#server/storage/open-storage.ts'
import { blobsOf, forEachBlob } from './backup-parts.ts'
import type { Manifest } from './manifest.ts'

/**
 * `inside`: read, compared with their hash and written once more. `beside`: those that lie on the same disk get a second
 * name, which costs nothing; those in a store stay there.
 */
export type BlobsAre = 'inside' | 'beside'

type Keeping = {
  readonly place: Pick<Config, 'dataFolder' | 's3'>
  readonly are: BlobsAre
  readonly say: (line: string) => void
}

/** How often it says how far it is, in blobs. */
const SAY_EVERY = 1000

/** Keeps the blobs that a backup lists; one that is gone or damaged keeps nobody from a backup of all the others. */
export async function keepBlobs(folder: string, { place, are, say }: Keeping): Promise<Manifest['blobs']> {
  const isLeft = are === 'beside' && place.s3 !== undefined
  const storage = await openStorage(place, (error) => say(String(error)))
  const kept = { count: 0, bytes: 0, lost: new Array<string>() }
  await forEachBlob(folder, async (hash) => {
    kept.count += 1
    const bytes = isLeft ? 0 : await keepBlob(storage, hash, { to: blobsOf(folder).pathOf(hash) ?? '', are })
    if (bytes === undefined) kept.lost.push(hash)
    else kept.bytes += bytes
    if (kept.count % SAY_EVERY === 0) say(`${kept.count} files, ${kept.bytes} bytes …`)
  })
  return { are: isLeft ? 'left' : 'inside', ...kept }
}

type Kept = { readonly to: string; readonly are: BlobsAre }

/** Answers how many bytes it has; undefined where it cannot be kept. */
async function keepBlob(storage: BlobStorage, hash: string, { to, are }: Kept): Promise<number | undefined> {
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
