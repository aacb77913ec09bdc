import * as api from '#api/workspace.ts'
import { userIdOf } from '#domain/access/actor.ts'
import { printQuota } from '#domain/uploads/quota.ts'
import { type AuditActor, writeAudit } from '#server/access/audit/audit-log.ts'
import type { UploadDeps } from '#server/files/uploads/upload-deps.ts'
import { canByHand } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { findQuota, findUsage, storeQuota } from './usage-store.ts'

type UsageDeps = Pick<UploadDeps, 'database' | 'clock' | 'newId'>

export const storageRoutes = (deps: UsageDeps): readonly Route[] => [
  route(api.readStorage, canByHand('workspace:manage'), async () => readStorage(deps)),
  route(api.changeStorage, canByHand('workspace:manage'), async ({ actor, body, request }) => {
    await changeQuota(deps, { actor, address: request.ip }, body.quotaBytes)
    return readStorage(deps)
  }),
]

async function readStorage({ database }: UsageDeps) {
  const [usage, quota] = await Promise.all([findUsage(database.read), findQuota(database.read)])
  return { usedBytes: usage.used, reservedBytes: usage.reserved, quotaBytes: quota }
}

/** Existing files are kept even if they exceed the new quota. */
const changeQuota = (deps: UsageDeps, by: AuditActor, bytes: number | null): Promise<void> =>
  deps.database.write(async ({ db }) => {
    const before = await findQuota(db)
    if (before === bytes) return
    await storeQuota(db, bytes)
    await writeAudit(db, deps, {
      kind: 'storage-quota-changed',
      userId: userIdOf(by.actor),
      address: by.address,
      details: { before: printQuota(before), after: printQuota(bytes) },
    })
  })
