import type { Actor } from '#domain/access/actor.ts'
import type { AuditKind } from '#domain/audit/audit-kind.ts'
import type { Clock } from '#domain/shared/time.ts'
import type { CollectionId, IdGenerator, UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { insertAuditEntry } from './store.ts'

/** Who made a change, and the client address. */
export type AuditActor = { readonly actor: Actor; readonly address: string }

/** An audit entry. Details contain terms and IDs, never secrets. */
export type AuditEntry = {
  readonly kind: AuditKind
  readonly userId: UserId | null
  readonly aboutId?: UserId
  readonly collection?: CollectionId
  /** Client address; empty for CLI commands. */
  readonly address: string
  readonly details?: { readonly [name: string]: string }
}

/** Writes an entry, in the same transaction as the change if there is one. */
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
