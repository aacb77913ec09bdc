import { z } from 'zod'
import type { UserId } from '#domain/shared/ids.ts'
import type { StorageUsage } from '#domain/uploads/quota.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { readWorkspaceValue, storeWorkspaceValue } from '#server/platform/database/workspace-values.ts'

/** Name of the `workspace` row with the quota. */
const STORAGE_QUOTA = 'storage-quota'

const stored = z.object({ bytes: z.number().int().min(0).nullable() })

/** Null if there is no limit. */
export async function findQuota(db: Reader): Promise<number | null> {
  const value = await readWorkspaceValue(db, STORAGE_QUOTA)
  return value === undefined ? null : stored.parse(JSON.parse(value)).bytes
}

export const storeQuota = (db: Reader, bytes: number | null): Promise<void> =>
  storeWorkspaceValue(db, STORAGE_QUOTA, JSON.stringify({ bytes }))

/** Reads a single row maintained by triggers, so the cost doesn't depend on the number of files. */
export async function findUsage(db: Reader): Promise<StorageUsage> {
  const row = await db.selectFrom('storage_usage').select(['used', 'reserved']).executeTakeFirstOrThrow()
  return { used: Number(row.used), reserved: Number(row.reserved) }
}

/** Bytes reserved by a user's open uploads; system uploads don't reserve space. */
export async function reservedBy(db: Reader, userId: UserId | null): Promise<number> {
  if (userId === null) return 0
  const row = await db
    .selectFrom('uploads')
    .select(({ fn }) => fn.sum<number | null>('size').as('bytes'))
    .where('user_id', '=', userId)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return Number(row?.bytes ?? 0)
}
