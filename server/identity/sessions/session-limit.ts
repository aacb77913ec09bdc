import type { SessionPolicy } from '#domain/sessions/session-policy.ts'
import type { SessionId, UserId } from '#domain/shared/ids.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { findListedSessions } from './session-list-store.ts'
import type { SessionDeps } from './session-deps.ts'
import { endSessions } from './store.ts'

/** A sign-in that has just been stored, by the same write. */
export type NewSessionInfo = {
  readonly userId: UserId
  readonly sessionId: SessionId
  readonly address: string
  readonly policy: SessionPolicy
}

/**
 * Ends what was used longest ago where a new session made them more than the workspace allows. It runs in the write that
 * stores the new one, and writes stand in line, so sign-ins at the same time do not slip past the limit together.
 */
export async function enforceSessionLimit(
  db: Reader,
  needs: Pick<SessionDeps, 'clock' | 'newId'>,
  { userId, sessionId, address, policy: { mostSessions } }: NewSessionInfo,
): Promise<void> {
  if (mostSessions === null) return
  const now = needs.clock()
  const others = (await findListedSessions(db, userId, now)).filter(({ id }) => id !== sessionId)
  for (const { id } of others.slice(mostSessions - 1)) {
    await endSessions(db, { userId, only: id }, 'over-limit', now)
    const details = { session: id, most: String(mostSessions) }
    await writeAudit(db, needs, { kind: 'session-over-limit', userId, address, details })
  }
}
