import { z } from 'zod'
import type { UserId } from '#domain/shared/ids.ts'
import type { StorageUsage } from '#domain/uploads/quota.ts'
import type { Reader } from '#server/platform/database/database.ts'

/** Under which name the quota stands among the facts of the workspace. */
const STORAGE_QUOTA = 'storage-quota'

const stored = z.object({ bytes: z.number().int().min(0).nullable() })

/** How many bytes files may take in all; null, also where nobody has ever said: no limit. */
export async function findQuota(db: Reader): Promise<number | null> {
  const row = await db.selectFrom('workspace').select('value').where('name', '=', STORAGE_QUOTA).executeTakeFirst()
  return row === undefined ? null : stored.parse(JSON.parse(row.value)).bytes
}

/** Changes it. */
export async function storeQuota(db: Reader, bytes: number | null): Promise<void> {
  const value = JSON.stringify({ bytes })
  await db
    .insertInto('workspace')
    .values({ name: STORAGE_QUOTA, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** What files take at this moment: one row that triggers keep, whatever number of files there is. */
export async function findUsage(db: Reader): Promise<StorageUsage> {
  const row = await db.selectFrom('storage_usage').select(['used', 'reserved']).executeTakeFirstOrThrow()
  return { used: Number(row.used), reserved: Number(row.reserved) }
}

/** Bytes announced by the open uploads of one user; the system's own files are never announced. */
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
