import type { Clock } from '#domain/shared/clock.ts'
import type { IdMaker, UserId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/database/database.ts'
import { insertAuditEntry } from './store.ts'

/** What is written down about accounts and sessions. */
export type AuditKind =
  | 'owner-created'
  | 'signed-in'
  | 'sign-in-failed'
  | 'signed-out'
  | 'session-ended'
  | 'session-over-limit'
  | 'session-policy-changed'
  | 'refresh-reused'
  | 'stepped-up'
  | 'step-up-failed'
  | 'password-changed'
  | 'password-reset'
  | 'reset-requested'
  | 'factor-added'
  | 'factor-removed'
  | 'passkey-renamed'
  | 'recovery-codes-made'
  | 'recovery-code-used'
  | 'invited'
  | 'invitation-accepted'
  | 'role-changed'
  | 'role-created'
  | 'role-edited'
  | 'role-removed'
  | 'policy-created'
  | 'policy-edited'
  | 'policy-removed'
  | 'profile-changed'
  | 'profile-fields-changed'
  | 'user-disabled'
  | 'user-enabled'
  | 'token-made'
  | 'token-revoked'
  | 'provider-linked'
  | 'provider-unlinked'
  | 'keys-rotated'
  | 'view-as-begun'
  | 'view-as-ended'

/** One entry, as whoever writes it says it. Details are words and ids, never a secret. */
export type AuditEntry = {
  readonly kind: AuditKind
  /** Who did it; null for nobody who is known. */
  readonly userId: UserId | null
  /** Whom it concerns, when that is somebody else. */
  readonly aboutId?: UserId
  /** The network address it came from; empty for the command line. */
  readonly address: string
  readonly details?: { readonly [name: string]: string }
}

/** Writes an entry, in the transaction of what it tells where there is one. */
export async function writeAudit(
  db: Reader,
  { clock, newId }: { readonly clock: Clock; readonly newId: IdMaker },
  entry: AuditEntry,
): Promise<void> {
  await insertAuditEntry(db, {
    id: newId(),
    at: clock().toISOString(),
    kind: entry.kind,
    user_id: entry.userId,
    about_id: entry.aboutId ?? null,
    address: entry.address,
    details: JSON.stringify(entry.details ?? {}),
  })
}
