import type { Logger } from 'pino'
import type { Actor } from '#domain/access/actor.ts'
import { idLowerBound } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { UPLOAD_LIFETIME_MS } from '#domain/uploads/upload.ts'
import { authorizeTarget } from '#server/files/uploads/authorize-target.ts'
import { isOwnStorage } from '#server/files/ownership/claim-storage.ts'
import { finishUpload } from '#server/files/uploads/finish-upload.ts'
import { batchAsync } from '#server/platform/concurrency/async-helpers.ts'
import { findUnknownFiles, quarantineUnused, removeExpiredBlobs } from './remove-blobs.ts'
import { findUpload } from '#server/files/uploads/store.ts'
import {
  completeUploadIds,
  deleteExpiredAssets,
  deleteExpiredUpload,
  expiredUploadIds,
  openUploadIds,
} from './blob-store.ts'
import type { UploadDeps } from '#server/files/uploads/upload-deps.ts'

const SWEEP_ACTOR: Actor = { type: 'system', reason: 'cleaning up expired uploads' }

const BATCH_SIZE = 500

/** Removes expired uploads and unattached files and quarantines their contents. */
async function sweepExpired(deps: UploadDeps): Promise<void> {
  const at = deps.clock().toISOString()
  for (const id of await expiredUploadIds(deps.database.read, at)) await removeUpload(deps, id, at)
  await deps.database.write((transaction) => deleteExpiredAssets(transaction, at))
}

type StorageDeps = Pick<UploadDeps, 'blobs' | 'blobTurns' | 'clock' | 'database' | 'pictures' | 'staging'> & {
  readonly log: Logger
}

/**
 * Cleans up file storage. Deletes only blobs recorded in this database, and only if the storage has the same workspace
 * ID.
 */
export async function sweepStorage(deps: StorageDeps): Promise<void> {
  const { staging, blobs, log } = deps
  if (!(await isOwnStorage(deps))) {
    log.warn('the file storage has a different workspace id than the database; no files are deleted')
    return
  }
  for await (const some of batchAsync(staging.list(), BATCH_SIZE)) await removeOrphanedStaging(deps, some)
  const unknown = await findUnknownFiles(deps)
  if (unknown.count > 0)
    log.warn({ ...unknown }, 'the file storage contains files unknown to the database; they are kept')
  await quarantineUnused(deps)
  await removeExpiredBlobs(deps)
  await blobs.removeHalves(new Date(deps.clock().getTime() - UPLOAD_LIFETIME_MS))
}

/** Completes uploads that were interrupted because the server stopped or the storage was unavailable. */
async function finishInterrupted(deps: UploadDeps): Promise<void> {
  for (const id of await completeUploadIds(deps.database.read)) {
    const isAway = await deps.uploadTurns.take(id, () => finishOne(deps, id))
    // The next run retries the remaining uploads.
    if (isAway) return
  }
}

/** Returns whether the storage is unavailable. */
async function finishOne(deps: UploadDeps, id: string): Promise<boolean> {
  const upload = await findUpload(deps.database.read, id)
  if (upload?.state !== 'open' || upload.committed !== upload.file.bytes) return false
  if ((await deps.staging.bytesOf(id)) !== upload.file.bytes) return false
  // A rejected upload remains rejected; an upload whose field was deleted expires.
  return authorizeTarget(deps, SWEEP_ACTOR, upload.target)
    .then(({ field }) => finishUpload(deps, upload, field))
    .then(
      () => false,
      (error: unknown) => {
        if (!(error instanceof Problem)) throw error
        return error.code === 'storage-away'
      },
    )
}

async function removeUpload(deps: UploadDeps, id: string, at: string): Promise<void> {
  await deps.uploadTurns.take(id, async () => {
    await deps.database.write((transaction) => deleteExpiredUpload(transaction, id, at))
    if ((await findUpload(deps.database.read, id)) !== undefined) return
    deps.hashes.drop(id)
    await deps.staging.remove(id)
  })
}

/** Removes old staged bytes that have no open upload. */
async function removeOrphanedStaging(
  deps: Pick<UploadDeps, 'database' | 'staging'>,
  staged: readonly { readonly id: string; readonly touchedAt: Date }[],
): Promise<void> {
  const open = await openUploadIds(
    deps.database.read,
    staged.map(({ id }) => id),
  )
  const oldestMs = Date.now() - UPLOAD_LIFETIME_MS
  // File times may be wrong in a copied folder, so the time in the ID is also checked.
  const youngestId = idLowerBound(oldestMs)
  for (const { id, touchedAt } of staged) {
    if (!open.has(id) && touchedAt.getTime() < oldestMs && id < youngestId) await deps.staging.remove(id)
  }
}

export type Sweeper = {
  readonly start: () => void
  /** Waits for a cleanup in progress. */
  readonly stop: () => Promise<void>
}

/** Interval for completing interrupted uploads. */
const MINUTE_MS = 60 * 1000

const MINUTES_BETWEEN_SWEEPS = 60

const MINUTES_BETWEEN_STORAGE_SCANS = 24 * 60

/** Runs all cleanups at startup and then periodically; failures are retried in the next run. */
export function createSweeper(deps: UploadDeps & { readonly log: Logger }): Sweeper {
  let timer: NodeJS.Timeout | undefined
  let sweeping: Promise<void> = Promise.resolve()
  let minutes = 0

  const sweep = async (): Promise<void> => {
    const minute = minutes
    minutes += 1
    await finishInterrupted(deps)
    if (minute % MINUTES_BETWEEN_SWEEPS === 0) await sweepExpired(deps)
    if (minute % MINUTES_BETWEEN_STORAGE_SCANS === 0) await sweepStorage(deps)
  }
  const sweepNext = (): void => {
    sweeping = sweeping.then(sweep).then(undefined, (error: unknown) => {
      deps.log.error({ err: error }, 'cleanup of expired uploads failed')
    })
  }
  return {
    start: () => {
      sweepNext()
      timer = setInterval(sweepNext, MINUTE_MS)
      timer.unref()
    },
    stop: async () => {
      clearInterval(timer)
      await sweeping
    },
  }
}
