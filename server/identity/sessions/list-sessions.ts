import type { SessionBody } from '#api/account.ts'
import { deviceName } from '#domain/sessions/device-name.ts'
import type { SessionId, UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { findListedSessions, type ListedSession } from './session-list-store.ts'
import type { SessionDeps } from './session-deps.ts'
import { type EndScope, endSessions } from './store.ts'

/** Whose sessions, and which of them asks. */
export type SessionOwner = { readonly userId: UserId; readonly sessionId: SessionId | null }

/** Story: where one is signed in, what was used last first. */
export async function listSessions(
  { database, clock }: Pick<SessionDeps, 'database' | 'clock'>,
  owner: SessionOwner,
): Promise<SessionBody[]> {
  const sessions = await findListedSessions(database.read, owner.userId, clock())
  return sessions.map((session) => show(session, owner))
}

const show = (session: ListedSession, owner: SessionOwner): SessionBody => ({
  id: session.id,
  kind: session.kind,
  isCurrent: session.id === owner.sessionId,
  device: deviceName(session.userAgent),
  address: session.address,
  createdAt: session.createdAt,
  usedAt: session.usedAt,
  endsAt: session.endsAt,
})

/** Story: signs one device out. A session of somebody else is answered like one that does not exist. */
export async function endListedSession(
  needs: Pick<SessionDeps, 'database' | 'clock' | 'newId'>,
  { userId, address }: { readonly userId: UserId; readonly address: string },
  id: SessionId,
): Promise<void> {
  await needs.database.write(async ({ db }) => {
    const ended = await endSessions(db, { userId, only: id }, 'ended-from-list', needs.clock())
    if (ended === 0) throw new Problem('not-found', 'Session not found.')
    await writeAudit(db, needs, { kind: 'session-ended', userId, address, details: { session: id } })
  })
}

/** Story: signs out every other device, or all of them with the one that asks; says how many. */
export async function endListedSessions(
  needs: Pick<SessionDeps, 'database' | 'clock' | 'newId'>,
  { userId, sessionId, address }: SessionOwner & { readonly address: string },
  scope: 'others' | 'all',
): Promise<number> {
  const ending: EndScope = { userId, ...(scope === 'others' && sessionId !== null && { allBut: sessionId }) }
  return needs.database.write(async ({ db }) => {
    const ended = await endSessions(db, ending, 'ended-from-list', needs.clock())
    if (ended > 0) {
      const details = { scope, ended: String(ended) }
      await writeAudit(db, needs, { kind: 'session-ended', userId, address, details })
    }
    return ended
  })
}
