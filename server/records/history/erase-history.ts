import { isOwner, userIdOf } from '#domain/access/actor.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type AuditActor, writeAudit } from '#server/access/audit/audit-log.ts'
import { eraseEntries } from '#server/records/changes/store.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { purgeFromTrash } from '#server/records/trash/trash-store.ts'

/** Erases the former values of records. Deleted records leave the trash, because they couldn't be restored. */
export function eraseHistory(
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
