import type { AuditKind } from '#domain/audit/audit-kind.ts'
import type { Clock } from '#domain/shared/time.ts'
import type { CollectionId, IdGenerator, UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { insertAuditEntry } from './store.ts'

/** One entry, as whoever writes it says it. Details are words and ids, never a secret. */
export type AuditEntry = {
  readonly kind: AuditKind
  /** Who did it; null for nobody who is known. */
  readonly userId: UserId | null
  /** The affected user, if another one. */
  readonly aboutId?: UserId
  /** What it is about, when that is in one collection. */
  readonly collection?: CollectionId
  /** The network address it came from; empty for the command line. */
  readonly address: string
  readonly details?: { readonly [name: string]: string }
}

/** Writes an entry, in the transaction of what it tells where there is one. */
export async function writeAudit(
  db: Reader,
  { clock, newId }: { readonly clock: Clock; readonly newId: IdGenerator },
  entry: AuditEntry,
): Promise<void> {
  await insertAuditEntry(db, {
    id: newId(),
    at: clock().toISOString(),
    kind: entry.kind,
    user_id: entry.userId,
    about_id: entry.aboutId ?? null,
    collection_id: entry.collection ?? null,
    address: entry.address,
    details: JSON.stringify(entry.details ?? {}),
  })
}
