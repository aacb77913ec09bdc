import type { Actor } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { UPLOAD_LIFETIME_MS } from '#domain/uploads/upload-expiry.ts'
import { authorizeTarget } from './authorize-target.ts'
import { finishUpload } from './finish-upload.ts'
import { findUpload } from './store.ts'
import {
  completeUploadIds,
  deleteExpiredAssets,
  deleteExpiredUpload,
  expiredUploadIds,
  openUploadIds,
  usedHashes,
} from './sweep-store.ts'
import type { UploadNeeds } from './upload-needs.ts'

/** Who sweeps. */
const SWEEPER: Actor = { type: 'system', reason: 'sweeping expired uploads' }

/**
 * How long a blob nobody refers to is left alone, in ms: whoever published it may be about to say what for, in another
 * process too.
 */
const BLOB_GRACE_MS = 60 * 60 * 1000

/** Things looked up together. */
const AT_A_TIME = 500

/** Job: finish what was interrupted, then remove uploads and files whose time is over, and what they leave behind. */
export async function sweepExpired(needs: UploadNeeds): Promise<void> {
  await finishInterrupted(needs)
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
    const used = await usedHashes(
      needs.database.read,
      some.map(({ hash }) => hash),
    )
    await removeBlobs(
      needs,
      some.map(({ hash }) => hash).filter((hash) => !used.has(hash)),
    )
  }
}

/** A server that was stopped after the last byte left uploads that only their sender could finish; here they are. */
async function finishInterrupted(needs: UploadNeeds): Promise<void> {
  for (const id of await completeUploadIds(needs.database.read)) {
    await needs.uploadTurns.take(id, async () => {
      const upload = await findUpload(needs.database.read, id)
      if (upload?.state !== 'open' || upload.committed !== upload.file.bytes) return
      if ((await needs.staging.bytesOf(id)) !== upload.file.bytes) return
      // One that is refused now is refused for good; one whose field is gone waits for its end.
      await authorizeTarget(needs, SWEEPER, upload.target)
        .then(({ field }) => finishUpload(needs, upload, field))
        .then(undefined, (error: unknown) => {
          if (!(error instanceof Problem)) throw error
        })
    })
  }
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

/** Removes blobs that no file stands on, unless they were published a moment ago. */
async function removeBlobs(needs: UploadNeeds, hashes: readonly string[]): Promise<void> {
  for (const hash of hashes) {
    await needs.blobTurns.take(hash, async () => {
      const usedAt = await needs.blobs.usedAt(hash)
      if (usedAt === undefined || needs.clock().getTime() - usedAt.getTime() < BLOB_GRACE_MS) return
      if ((await usedHashes(needs.database.read, [hash])).has(hash)) return
      await needs.blobs.remove(hash)
      await needs.pictures.forget(hash)
    })
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
