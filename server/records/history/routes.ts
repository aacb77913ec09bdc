import * as api from '#api/history.ts'
import { isOwner, userIdOf } from '#domain/access/actor.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type AuditActor, writeAudit } from '#server/access/audit/audit-log.ts'
import { can, canByHand } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { eraseEntries } from '#server/records/changes/store.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { purgeFromTrash } from '#server/records/trash/trash-store.ts'
import { listHistory } from './record-history.ts'
import { restoreVersion } from './restore-version.ts'

/** Erases the former values of records. Deleted records leave the trash, because they couldn't be restored. */
function eraseHistory(
  deps: RecordDeps,
  { actor, address }: AuditActor,
  { records }: { readonly records: readonly RecordId[] },
): Promise<{ erased: number }> {
  if (!isOwner(actor)) throw new Problem('forbidden', 'Only owners can erase the history of records.')
  return deps.database.write(
    async (transaction) => {
      const erased = await eraseEntries(transaction, records)
      await purgeFromTrash(transaction, records, deps.clock().toISOString())
      for (const [collection, own] of Map.groupBy(erased, ([, id]) => id)) {
        const details = { count: String(own.length) }
        const entry = { kind: 'history-erased', userId: userIdOf(actor), collection, address, details } as const
        await writeAudit(transaction.db, deps, entry)
      }
      return { erased: erased.size }
    },
    { isLong: true },
  )
}

export const historyRoutes = (deps: RecordDeps): readonly Route[] => [
  route(api.listHistory, can('records:read'), async ({ actor, params, query }) =>
    listHistory(deps, actor, params, query),
  ),
  route(api.restoreVersion, can('records:update'), async ({ actor, params, body }) =>
    restoreVersion(deps, actor, params, body),
  ),
  route(api.eraseHistory, canByHand('workspace:manage'), async ({ actor, body, request }) =>
    eraseHistory(deps, { actor, address: request.ip }, body),
  ),
]
