import { buryBlob, condemnBlob, type Deadline, unusedBlobs } from './blob-store.ts'
import type { UploadNeeds } from './upload-needs.ts'

/**
 * How long a blob nobody refers to is left alone, in ms: whoever published it may be about to say what for, in another
 * process too.
 */
const GRACE_MS = 60 * 60 * 1000

/** After how long somebody who began to remove a blob is taken for dead, in ms: longer than any request to a storage lasts. */
const BEGUN_MS = 15 * 60 * 1000

/** Rows read at a time. */
const AT_A_TIME = 500

type Needs = Pick<UploadNeeds, 'blobs' | 'blobTurns' | 'clock' | 'database' | 'pictures'>

/**
 * Removes of these blobs those that no file stands on, unless they were published a moment ago. First the row says that
 * the blob goes, then it goes, then its row: whoever wants the same bytes meanwhile waits, in every process.
 */
export async function removeBlobs(needs: Needs, hashes: readonly string[]): Promise<void> {
  for (const hash of hashes) {
    await needs.blobTurns.take(hash, async () => {
      const at = needs.clock().toISOString()
      const mayGo = await needs.database.write((transaction) =>
        condemnBlob(transaction, hash, at, deadlineAt(needs.clock())),
      )
      if (!mayGo) return
      await needs.blobs.remove(hash)
      await needs.pictures.forget(hash)
      await needs.database.write((transaction) => buryBlob(transaction, hash, at))
    })
  }
}

/** Removes every blob that no file stands on. */
export async function removeUnusedBlobs(needs: Needs): Promise<void> {
  const deadline = deadlineAt(needs.clock())
  const read = (after: string): Promise<string[]> =>
    unusedBlobs(needs.database.read, { ...deadline, after, limit: AT_A_TIME })
  for (let some = await read(''); some.length > 0; some = await read(some.at(-1) ?? '')) await removeBlobs(needs, some)
}

function deadlineAt(now: Date): Deadline {
  const before = (ms: number): string => new Date(now.getTime() - ms).toISOString()
  return { usedBefore: before(GRACE_MS), begunBefore: before(BEGUN_MS) }
}
