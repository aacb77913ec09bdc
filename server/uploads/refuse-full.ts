import type { Actor } from '#domain/access/actor.ts'
import { holds } from '#domain/access/decide.ts'
import { Problem } from '#domain/shared/problem.ts'
import { isOverQuota, noRoomMessage, roomLeft } from '#domain/uploads/quota.ts'
import type { DeclaredFile } from '#domain/uploads/upload.ts'
import type { Reader, Transaction } from '#server/database/database.ts'
import type { UploadNeeds } from './upload-needs.ts'
import { findQuota, findUsage } from './usage-store.ts'

/** Trying again makes sense once somebody made room, in seconds. */
const RETRY_AFTER_SECONDS = 3600

/** Who sends a file, and what is known of it. */
export type Sending = { readonly actor: Actor; readonly file: Pick<DeclaredFile, 'name' | 'bytes'> }

/** Refuses what does not fit, inside the write that has just counted it: of two who want the last room, one gets it. */
export async function refuseOverQuota({ db }: Transaction, { actor, file }: Sending): Promise<void> {
  const [quota, usage] = [await findQuota(db), await findUsage(db)]
  if (isOverQuota(usage, quota))
    throw noRoom({ actor, file }, roomLeft({ ...usage, used: usage.used - file.bytes }, quota))
}

/** Refuses at the beginning what cannot fit at the end; nothing is set aside for it. */
export async function refuseUnlessRoom(db: Reader, { actor, file }: Sending): Promise<void> {
  const left = roomLeft(await findUsage(db), await findQuota(db))
  if (file.bytes > left || left === 0) throw noRoom({ actor, file }, left)
}

const noRoom = ({ actor, file }: Sending, left: number): Problem =>
  new Problem('workspace-full', noRoomMessage(file, holds(actor, 'workspace:manage') ? left : null))

/** Refuses a file before the disk it would be put together on is full: a database on a full disk stops everybody. */
export async function refuseFullDisk(
  { staging, config }: Pick<UploadNeeds, 'staging' | 'config'>,
  bytes: number,
): Promise<void> {
  if ((await staging.freeBytes()) - bytes >= config.diskFloorBytes) return
  throw diskIsFull()
}

/** What somebody is told whose bytes find no room on the disk. */
const diskIsFull = (): Problem =>
  new Problem(
    'storage-full',
    'The disk of the server is nearly full, so no more files are taken in. Tell whoever runs this server, and try again later.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  )

/** A disk that became full in the middle of writing, told as such. */
export function asFullDisk(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  throw code === 'ENOSPC' || code === 'EDQUOT' ? diskIsFull() : error
}
