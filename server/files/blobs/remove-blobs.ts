import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import {
  QUARANTINE_DAYS,
  type QuarantineEnd,
  countSweepDay,
  isLargeRemoval,
  isOwnMark,
  quarantineEnd,
} from '#domain/uploads/quarantine.ts'
import {
  type BlobCounts,
  type RemovableBlob,
  countBlobs,
  deleteBlobRow,
  findSweepDays,
  markBlobForRemoval,
  quarantineBlobs,
  releaseAllBlobs,
  releaseBlobs,
  removableBlobs,
  retainBlobs,
  spareBlob,
  storeSweepDays,
  unusedBlobs,
} from './blob-store.ts'
import type { UploadDeps } from '#server/files/uploads/upload-deps.ts'
import type { Clock } from '#domain/shared/time.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import { batchAsync } from '#server/platform/concurrency/async-helpers.ts'
import { knownBlobs } from '#server/files/ownership/ownership-store.ts'

/** Newer unreferenced blobs are kept, because another process may be about to reference them. */
const GRACE_MS = 60 * 60 * 1000

/** After this time, a started removal counts as abandoned. Must exceed the duration of any storage request. */
const REMOVAL_TIMEOUT_MS = 15 * 60 * 1000

const BATCH_ROWS = 500

/** Maximum number of hashes in a log entry. */
const SAMPLE = 5

type Deps = Pick<UploadDeps, 'blobs' | 'blobTurns' | 'clock' | 'database'> & {
  readonly pictures: Pick<UploadDeps['pictures'], 'forget'>
  readonly log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
}

export type Removed = { readonly count: number; readonly bytes: number; readonly sample: readonly string[] }

/**
 * Counts today as a cleanup day and quarantines every unreferenced blob. If another database has run a cleanup on this
 * storage in the meantime, all quarantines restart, because it may reference files that this database doesn't know.
 */
export async function quarantineUnused(deps: Omit<Deps, 'pictures'>): Promise<void> {
  const { clock, database, log } = deps
  const now = clock()
  const day = await countSweep(deps, now)
  const at = now.toISOString()
  const usedBefore = before(now, GRACE_MS)
  let count = 0
  for (let after = ''; ; ) {
    const some = await unusedBlobs(database.read, { after, limit: BATCH_ROWS, usedBefore })
    if (some.length === 0) break
    count += await database.write((transaction) => quarantineBlobs(transaction, some, { at, day, usedBefore }))
    after = some.at(-1) ?? ''
  }
  if (count > 0) log.info({ count, days: QUARANTINE_DAYS }, 'unused files moved to quarantine')
}

/** Returns the number of cleanup days, including today. */
async function countSweep({ blobs, database, log }: Omit<Deps, 'pictures'>, now: Date): Promise<number> {
  const found = await blobs.sweepMark.read()
  const newMark = randomUUID()
  const { days, isOwnStorage } = await database.write(async (transaction) => {
    const before = await findSweepDays(transaction.db)
    const counted = countSweepDay(before, now, newMark)
    await storeSweepDays(transaction, counted)
    const isOwn = isOwnMark(before, found)
    await (isOwn ? releaseBlobs(transaction) : releaseAllBlobs(transaction))
    return { days: counted, isOwnStorage: isOwn }
  })
  if (!isOwnStorage) log.warn('this storage was cleaned up by another copy of the database; restarting all quarantines')
  if (found !== days.mark) await blobs.sweepMark.replace(days.mark)
  return days.count
}

export async function blobCounts({ clock, database }: Pick<Deps, 'clock' | 'database'>): Promise<BlobCounts> {
  return countBlobs(database.read, await quarantineEndNow({ clock, database }))
}

/** Removes blobs whose quarantine has ended; if there are too many, it removes none and logs an error. */
export async function removeExpiredBlobs(deps: Deps): Promise<Removed> {
  const { due, dueBytes, known } = await blobCounts(deps)
  if (!isLargeRemoval(due, known)) return removeAllExpiredBlobs(deps)
  deps.log.error(
    { count: due, bytes: dueBytes, known },
    `cleanup would delete ${due} of ${known} files at once, so none were deleted. If this is correct, run: npm run dossier -- storage:purge --confirm ${due}`,
  )
  return { count: 0, bytes: 0, sample: [] }
}

/** Removes all blobs whose quarantine has ended, without a limit. */
export async function removeAllExpiredBlobs(deps: Deps): Promise<Removed> {
  const removed = { count: 0, bytes: 0, sample: new Array<string>() }
  const end = await quarantineEndNow(deps)
  const read = (after: string): Promise<RemovableBlob[]> =>
    removableBlobs(deps.database.read, { ...deadlineAt(deps, end), after, limit: BATCH_ROWS })
  for (let some = await read(''); some.length > 0; some = await read(some.at(-1)?.hash ?? '')) {
    for (const { hash, bytes } of some) {
      if (!(await removeBlob(deps, hash, end))) continue
      deps.log.debug({ hash, bytes }, 'file deleted after quarantine')
      removed.count += 1
      removed.bytes += bytes
      if (removed.sample.length < SAMPLE) removed.sample.push(hash)
    }
  }
  if (removed.count > 0) deps.log.info({ ...removed }, 'files deleted after quarantine')
  return removed
}

/**
 * Removes a blob after its quarantine and returns whether it did. Marks the row, deletes the bytes, then deletes the
 * row; a process that stores the same bytes waits until then. If the blob can't be deleted from storage, its quarantine
 * restarts.
 */
export async function removeBlob(deps: Omit<Deps, 'log'>, hash: string, end: QuarantineEnd): Promise<boolean> {
  return deps.blobTurns.take(hash, async () => {
    const at = deps.clock().toISOString()
    const mayGo = await deps.database.write((transaction) =>
      markBlobForRemoval(transaction, hash, at, deadlineAt(deps, end)),
    )
    if (!mayGo) return false
    const isRemoved = await deps.blobs.remove(hash)
    if (isRemoved) await deps.pictures.forget(hash)
    await deps.database.write((transaction) => (isRemoved ? deleteBlobRow : spareBlob)(transaction, hash, at))
    return isRemoved
  })
}

/** Before the first cleanup, nothing is quarantined. */
async function quarantineEndNow({ clock, database }: Pick<Deps, 'clock' | 'database'>): Promise<QuarantineEnd> {
  return quarantineEnd(clock(), (await findSweepDays(database.read)) ?? { count: 0 })
}

const deadlineAt = ({ clock }: Pick<Deps, 'clock'>, end: QuarantineEnd) => ({
  end,
  begunBefore: before(clock(), REMOVAL_TIMEOUT_MS),
})

const before = (now: Date, ms: number): string => new Date(now.getTime() - ms).toISOString()

/** How long a hold lasts without renewal; longer than a process can stall. Also releases the hold after a crash. */
const RETAIN_MS = 15 * 60 * 1000
const RENEW_INTERVAL_MS = 60 * 1000

/** Prevents blob removal in every process while `work` runs, so that blobs referenced at the start remain readable. */
export async function withBlobsRetained<Answer>(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  work: () => Promise<Answer>,
): Promise<Answer> {
  const hold = (): Promise<void> =>
    database.write((transaction) => retainBlobs(transaction, new Date(clock().getTime() + RETAIN_MS).toISOString()))
  await hold()
  // A failed renewal is retried at the next interval, well before the hold expires.
  const again = setInterval(() => void hold().then(undefined, () => undefined), RENEW_INTERVAL_MS)
  try {
    return await work()
  } finally {
    clearInterval(again)
  }
}

/** Files in storage that never had a database row; reported but never deleted. */
export type UnknownFiles = { readonly count: number; readonly bytes: number; readonly sample: readonly string[] }

const BATCH_SIZE = 500

const NAMED_HASHES = 5

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
      if (found.sample.length < NAMED_HASHES) found.sample.push(hash)
    }
  }
  return found
}
