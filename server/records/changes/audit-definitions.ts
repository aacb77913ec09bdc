import type { AuditKind } from '#domain/audit/audit-kind.ts'
import { collectionChanges } from '#domain/audit/audit-changes.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Clock } from '#domain/shared/clock.ts'
import type { IdGenerator, UserId } from '#domain/shared/ids.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import type { Reader } from '#server/platform/database/database.ts'
import type { Change, ChangeKind } from './change-log.ts'

const AUDITED: { readonly [Kind in ChangeKind]?: AuditKind } = {
  'collection-created': 'collection-created',
  'collection-changed': 'collection-changed',
  'collection-deleted': 'collection-removed',
}

/** Writes an audit entry for every definition that was created, changed or removed, with what changed in it. */
export async function auditDefinitions(
  db: Reader,
  needs: { readonly clock: Clock; readonly newId: IdGenerator },
  userId: UserId | null,
  changes: readonly Change[],
): Promise<void> {
  for (const change of changes) {
    const kind = AUDITED[change.kind]
    if (kind === undefined || change.collection === null) continue
    // Definitions are logged whole.
    const [before, after] = [change.before, change.after].map((json) => json as unknown as Collection | null)
    const what = collectionChanges(before ?? null, after ?? null)
    if (what.length === 0) continue
    const details = { name: after?.label ?? before?.label ?? '', changes: JSON.stringify(what) }
    await writeAudit(db, needs, { kind, userId, collection: change.collection, address: '', details })
  }
}
