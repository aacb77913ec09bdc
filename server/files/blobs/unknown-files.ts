import type { Database } from '#server/platform/database/database.ts'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import { batchAsync } from '#server/platform/concurrency/batch-async.ts'
import { knownBlobs } from '#server/files/ownership/ownership-store.ts'

/** Storage files that never had a row: reported, never deleted. */
export type UnknownFiles = { readonly count: number; readonly bytes: number; readonly sample: readonly string[] }

const BATCH_SIZE = 500

/** Hashes named in a report. */
const SAMPLE = 5

export async function findUnknownFiles({
  database,
  blobs,
}: {
  readonly database: Pick<Database, 'read'>
  readonly blobs: Pick<BlobStorage, 'list'>
}): Promise<UnknownFiles> {
  const found = { count: 0, bytes: 0, sample: new Array<string>() }
  for await (const listed of batchAsync(blobs.list(), BATCH_SIZE)) {
    const known = await knownBlobs(
      database.read,
      listed.map(({ hash }) => hash),
    )
    for (const { hash, bytes } of listed) {
      if (known.has(hash)) continue
      found.count += 1
      found.bytes += bytes
      if (found.sample.length < SAMPLE) found.sample.push(hash)
    }
  }
  return found
}
