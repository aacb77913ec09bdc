import { idleEnd, SESSION_LENGTH_MS, type SessionKind, type SignInMethod } from '#domain/sessions/session.ts'
import type { SessionId, UserId } from '#domain/shared/ids.ts'
import type { TokenAnswer } from '#api/sessions.ts'
import { SESSION } from '#domain/specification.ts'
import { writeAudit } from '#server/audit/audit-log.ts'
import { mintAccessToken } from './access-token.ts'
import { makeRefreshToken, newRefreshKey } from './refresh-token.ts'
import type { Device, SessionNeeds } from './session-needs.ts'
import { insertSession } from './store.ts'

/** What is needed of a session to give its owner the tokens. */
export type TokenSubject = {
  readonly id: SessionId
  readonly userId: UserId
  readonly kind: SessionKind
  readonly counter: number
  readonly refreshKey: string
  readonly endsAt: Date
}

/** The tokens of a session: what is answered, and what a browser gets as a cookie. */
export type Tokens = {
  readonly answer: TokenAnswer
  readonly refreshToken: string
  readonly endsAt: Date
  readonly userId: UserId
}

/** Makes the tokens for the session as it stands now. Only a program is given the refresh token in the answer. */
export async function makeTokens(
  { keys, clock }: Pick<SessionNeeds, 'keys' | 'clock'>,
  session: TokenSubject,
): Promise<Tokens> {
  const { token, expiresAt } = await mintAccessToken(
    keys,
    { userId: session.userId, sessionId: session.id, generation: session.counter },
    clock(),
  )
  const refreshToken = makeRefreshToken(session)
  const answer: TokenAnswer = {
    token,
    token_type: 'Bearer',
    expires_in: SESSION.tokenMaxAgeSeconds,
    expires_at: expiresAt.toISOString(),
    session_id: session.id,
    ...(session.kind === 'api' ? { refresh_token: refreshToken } : {}),
  }
  return { answer, refreshToken, endsAt: session.endsAt, userId: session.userId }
}

/** A browser's name may be long; more than this tells nothing. */
const MAX_USER_AGENT = 300

/** Who signs in, where, and by what they proved who they are. */
export type SessionStart = {
  readonly userId: UserId
  readonly kind: SessionKind
  readonly device: Device
  readonly methods: readonly SignInMethod[]
}

/** Signs a user in on a device: a new session, always with a secret of its own. */
export async function startSession(needs: SessionNeeds, start: SessionStart): Promise<Tokens> {
  const { userId, kind, device, methods } = start
  const now = needs.clock()
  const endsAt = new Date(now.getTime() + SESSION_LENGTH_MS)
  const session = { id: needs.newId(), userId, kind, counter: 0, refreshKey: newRefreshKey(), endsAt }
  const { userAgent, address } = device
  await needs.database.write(async ({ db }) => {
    await insertSession(db, {
      ...session,
      now,
      idleEndsAt: idleEnd(endsAt, now),
      userAgent: userAgent.slice(0, MAX_USER_AGENT),
      address,
      methods,
    })
    const details = { methods: methods.join(' '), session: session.id }
    await writeAudit(db, needs, { kind: 'signed-in', userId, address, details })
  })
  return makeTokens(needs, session)
}
