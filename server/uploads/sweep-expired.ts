import type { Actor } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { UPLOAD_LIFETIME_MS } from '#domain/uploads/upload-expiry.ts'
import { adoptBlobs } from './blob-store.ts'
import { authorizeTarget } from './authorize-target.ts'
import { finishUpload } from './finish-upload.ts'
import { removeBlobs, removeUnusedBlobs } from './remove-blobs.ts'
import { findUpload } from './store.ts'
import {
  completeUploadIds,
  deleteExpiredAssets,
  deleteExpiredUpload,
  expiredUploadIds,
  openUploadIds,
} from './sweep-store.ts'
import type { UploadNeeds } from './upload-needs.ts'

/** Who sweeps. */
const SWEEPER: Actor = { type: 'system', reason: 'sweeping expired uploads' }

/** Things looked up together. */
const AT_A_TIME = 500

/** Job: remove uploads and files whose time is over, and what they leave behind. */
export async function sweepExpired(needs: UploadNeeds): Promise<void> {
  const at = needs.clock().toISOString()
  for (const id of await expiredUploadIds(needs.database.read, at)) await removeUpload(needs, id, at)
  const freed = await needs.database.write((transaction) => deleteExpiredAssets(transaction, at))
  await removeBlobs(needs, freed)
}

/** Job: look through the storage itself for what nothing in the database speaks of. */
export async function sweepStorage(needs: UploadNeeds): Promise<void> {
  const { staging, blobs } = needs
  for await (const some of inParts(staging.list(), AT_A_TIME)) await removeStrandedStaging(needs, some)
  for await (const some of inParts(blobs.list(), AT_A_TIME)) {
    await needs.database.write((transaction) => adoptBlobs(transaction, some))
  }
  await removeUnusedBlobs(needs)
  await blobs.removeHalves(new Date(needs.clock().getTime() - UPLOAD_LIFETIME_MS))
}

/**
 * Job: finish uploads whose bytes are all there, but which only their sender could finish: the server was stopped, or the
 * storage did not answer, after the last byte.
 */
export async function finishInterrupted(needs: UploadNeeds): Promise<void> {
  for (const id of await completeUploadIds(needs.database.read)) {
    const isAway = await needs.uploadTurns.take(id, () => finishOne(needs, id))
    // What the storage does not take now it takes with the next round, and the others with it.
    if (isAway) return
  }
}

/** Answers whether the storage is away. */
async function finishOne(needs: UploadNeeds, id: string): Promise<boolean> {
  const upload = await findUpload(needs.database.read, id)
  if (upload?.state !== 'open' || upload.committed !== upload.file.bytes) return false
  if ((await needs.staging.bytesOf(id)) !== upload.file.bytes) return false
  // One that is refused now is refused for good; one whose field is gone waits for its end.
  return authorizeTarget(needs, SWEEPER, upload.target)
    .then(({ field }) => finishUpload(needs, upload, field))
    .then(
      () => false,
      (error: unknown) => {
        if (!(error instanceof Problem)) throw error
        return error.code === 'storage-away'
      },
    )
}

async function removeUpload(needs: UploadNeeds, id: string, at: string): Promise<void> {
  await needs.uploadTurns.take(id, async () => {
    await needs.database.write((transaction) => deleteExpiredUpload(transaction, id, at))
    if ((await findUpload(needs.database.read, id)) !== undefined) return
    needs.hashes.drop(id)
    await needs.staging.remove(id)
  })
}

/** Bytes in the staging that no open upload speaks of, once they are old enough to belong to nobody. */
async function removeStrandedStaging(
  needs: UploadNeeds,
  staged: readonly { readonly id: string; readonly touchedAt: Date }[],
): Promise<void> {
  const open = await openUploadIds(
    needs.database.read,
    staged.map(({ id }) => id),
  )
  const oldestMs = Date.now() - UPLOAD_LIFETIME_MS
  for (const { id, touchedAt } of staged) {
    if (!open.has(id) && touchedAt.getTime() < oldestMs) await needs.staging.remove(id)
  }
}

async function* inParts<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  let part: Item[] = []
  for await (const item of items) {
    part.push(item)
    if (part.length < size) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}
