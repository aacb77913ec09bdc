import { writeAudit } from '#server/access/audit/audit-log.ts'
import { readAccessToken } from '#server/identity/session-tokens/access-token.ts'
import { sessionOfRefreshToken } from '#server/identity/sessions/end-session.ts'
import type { SessionDeps } from '#server/identity/sessions/session-deps.ts'
import { type EndScope, endSessions, findSession, type StoredSession } from '#server/identity/sessions/store.ts'

/** What is given to sign out: either may be missing, old or of a session that is over. */
export type LogoutAttempt = {
  readonly bearer: string | undefined
  readonly cookie: string | undefined
  readonly scope: 'this' | 'others' | 'all'
  /** Where from, for the audit log. */
  readonly address: string
}

/** Signs out; always succeeds. Says whether the cookie has to go: not when it belongs to somebody who is signed in still. */
export async function logout(
  needs: SessionDeps,
  { bearer, cookie, scope, address }: LogoutAttempt,
): Promise<{ readonly clearsCookie: boolean }> {
  const ofCookie = cookie === undefined ? undefined : await sessionOfRefreshToken(needs, cookie)
  const ofBearer = bearer === undefined ? undefined : await sessionOfBearer(needs, bearer)
  const session = ofBearer ?? ofCookie
  // Whoever holds no more than the token of a session that is over has no say about the others.
  if (session !== undefined && !session.isEnded) {
    await needs.database.write(async ({ db }) => {
      const ended = await endSessions(db, scopeOf(session, scope), 'signed-out', needs.clock())
      if (ended === 0) return
      const details = { scope, ended: String(ended) }
      await writeAudit(db, needs, { kind: 'signed-out', userId: session.userId, address, details })
    })
  }
  const isOwnCookie = ofCookie === undefined || session === undefined || ofCookie.id === session.id
  return { clearsCookie: isOwnCookie && scope !== 'others' }
}

/** A token too old to do anything else is still good enough to sign out with. */
async function sessionOfBearer(needs: SessionDeps, token: string): Promise<StoredSession | undefined> {
  const claims = await readAccessToken(needs.keys, token)
  return claims && findSession(needs.database.read, claims.sessionId)
}

function scopeOf({ id, userId }: StoredSession, scope: LogoutAttempt['scope']): EndScope {
  switch (scope) {
    case 'this':
      return { userId, only: id }
    case 'others':
      return { userId, allBut: id }
    case 'all':
      return { userId }
  }
}
