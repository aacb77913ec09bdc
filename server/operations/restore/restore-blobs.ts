import { join } from 'node:path'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import { copyBlobs } from '#server/platform/storage/copy-blobs.ts'
import { blobsOf, forEachBlob } from '#server/operations/backup/backup-parts.ts'
import type { Manifest } from '#server/operations/backup/manifest.ts'
import type { RestoreDeps } from './restore-journal.ts'

/** Blobs between two progress lines. */
const PROGRESS_INTERVAL = 1000

/** Copies files to the storage without replacing any; reports those still missing. */
export async function restoreBlobs(
  { place, say }: RestoreDeps,
  { folder, manifest }: { readonly folder: string; readonly manifest?: Manifest },
  to: BlobStorage,
): Promise<void> {
  if (manifest?.blobs.are === 'inside') {
    const copying = { from: blobsOf(folder), to, folder: join(place.dataFolder, 'copying') }
    await copyBlobs(copying, ({ copied, there }) => {
      if ((copied + there) % PROGRESS_INTERVAL === 0) say(`${copied + there} of ${manifest.blobs.count} files …`)
    })
  }
  let [count, missing] = [0, 0]
  await forEachBlob(folder, async (hash) => {
    count += 1
    if ((await to.open(hash)) === undefined) missing += 1
  })
  if (missing === (manifest?.blobs.lost.length ?? 0)) return
  say(
    `${missing} of ${count} files are missing from the S3 store: the backup doesn't include them, or they were already lost.`,
  )
}
