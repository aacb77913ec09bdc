import { health, ready } from '#api/system.ts'
import { open } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import type { Database } from '#server/platform/database/database.ts'
import { databaseUnavailable, requireWhole } from '#server/platform/database/database-errors.ts'
import { withTimeLimit } from '#server/platform/database/time-limits.ts'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'

export type HealthDeps = { readonly version: string; readonly checkReady: () => Promise<void> }

export const healthRoutes = ({ version, checkReady }: HealthDeps): readonly Route[] => [
  route(health, open('health checks have no account'), async () => ({ status: 'alive' as const, version })),
  route(ready, open('health checks have no account'), async () => {
    await checkReady()
    return { status: 'ready' as const }
  }),
]

/** Monitoring systems rarely wait longer. */
const DATABASE_TIMEOUT_MS = 5000

/** Throws if the database or the storage is unavailable, or the database file is damaged. */
export async function assertReady(
  { read, damage }: Pick<Database, 'damage' | 'read'>,
  blobs: Pick<BlobStorage, 'check'>,
): Promise<void> {
  requireWhole(damage.state())
  const looking = read.selectFrom('workspace').select('name').limit(1).execute()
  await withTimeLimit(looking, { limitMs: DATABASE_TIMEOUT_MS, error: databaseUnavailable })
  await blobs.check()
}
