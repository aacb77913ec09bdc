import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { hasPermission } from '#domain/access/decide.ts'
import { Problem } from '#domain/shared/problem.ts'
import { quotaExceededMessage, availableBytes } from '#domain/uploads/quota.ts'
import type { DeclaredFile } from '#domain/uploads/upload.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'
import type { UploadDeps } from './upload-deps.ts'
import { quarantinedBytes } from '#server/files/blobs/blob-store.ts'
import { findQuota, findUsage, reservedBy } from '#server/files/quota/usage-store.ts'

/** Space may be available again after this delay. */
const RETRY_AFTER_SECONDS = 3600

export type UploadSize = { readonly actor: Actor; readonly file: Pick<DeclaredFile, 'name' | 'bytes'> }

/** How the file is currently counted in the storage usage: not at all, as reserved, or as stored. */
type Counted = 'nothing' | 'announcement' | 'file'

/**
 * Rejects a file that exceeds the remaining space. Runs in the transaction that counts the file, so that two uploads
 * can't use the same space.
 */
export async function assertRoom(db: Reader, { actor, file }: UploadSize, counted: Counted): Promise<void> {
  const quota = await findQuota(db)
  if (quota === null) return
  const { used, reserved } = await findUsage(db)
  const own = await reservedBy(db, userIdOf(actor))
  const left = availableBytes(
    {
      used: counted === 'file' ? used - file.bytes : used,
      own: counted === 'announcement' ? own - file.bytes : own,
      others: reserved - own,
      quarantined: await quarantinedBytes(db),
    },
    quota,
  )
  if (file.bytes > left || (left === 0 && counted === 'nothing')) throw noRoomProblem({ actor, file }, left)
}

/**
 * Rejects a finished upload if other uploads have used up the space. Its bytes are kept, and it is completed when there
 * is room.
 */
export async function assertWithinQuota({ db }: Transaction, file: UploadSize['file']): Promise<void> {
  const quota = await findQuota(db)
  if (quota !== null && (await findUsage(db)).used > quota) throw quotaExceeded(file, null)
}

const noRoomProblem = ({ actor, file }: UploadSize, left: number): Problem =>
  quotaExceeded(file, hasPermission(actor, 'workspace:manage') ? left : null)

const quotaExceeded = (file: UploadSize['file'], left: number | null): Problem =>
  new Problem('workspace-full', quotaExceededMessage(file, left))

/** Rejects a file before the staging disk is full, because a full disk also stops the database. */
export async function assertDiskSpace(
  { staging, config }: Pick<UploadDeps, 'staging' | 'config'>,
  bytes: number,
): Promise<void> {
  if ((await staging.freeBytes()) - bytes >= config.diskFloorBytes) return
  throw stagingDiskFull()
}

export const stagingDiskFull = (): Problem =>
  new Problem(
    'storage-full',
    'The server’s disk is almost full, so uploads are paused. Contact your administrator, and try again later.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  )

/** Reports that the disk became full during a write. */
export function rethrowFullDisk(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  throw code === 'ENOSPC' || code === 'EDQUOT' ? stagingDiskFull() : error
}
