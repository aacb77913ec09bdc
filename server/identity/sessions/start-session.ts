import type { SessionKind, SignInMethod } from '#domain/sessions/session.ts'
import { sessionEnd, type SessionPolicy } from '#domain/sessions/session-policy.ts'
import type { SessionId, UserId } from '#domain/shared/ids.ts'
import type { TokenResponse } from '#api/sessions.ts'
import { SESSION } from '#domain/specification.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { mintAccessToken } from '#server/identity/session-tokens/access-token.ts'
import { findSessionPolicy } from './session-policy-store.ts'
import { makeRefreshToken, newRefreshSalt } from '#server/identity/session-tokens/refresh-token.ts'
import { assertSignInCurrent, type SignInCheck } from '#server/identity/sign-in/assert-sign-in-current.ts'
import { type Device, type SessionDeps, sessionOfRefreshToken } from './session-deps.ts'
import { endSessions, findListedSessions, insertSession } from './store.ts'
import type { Reader } from '#server/platform/database/database.ts'

type NewSessionInfo = {
  readonly userId: UserId
  readonly sessionId: SessionId
  readonly address: string
  readonly policy: SessionPolicy
}

/**
 * Ends the least recently used sessions that exceed the workspace's limit. Runs in the serialized transaction that
 * stores the new session, so concurrent sign-ins can't exceed the limit.
 */
async function enforceSessionLimit(
  db: Reader,
  deps: Pick<SessionDeps, 'clock' | 'newId'>,
  { userId, sessionId, address, policy: { mostSessions } }: NewSessionInfo,
): Promise<void> {
  if (mostSessions === null) return
  const now = deps.clock()
  const others = (await findListedSessions(db, userId, now)).filter(({ id }) => id !== sessionId)
  for (const { id } of others.slice(mostSessions - 1)) {
    await endSessions(db, { userId, only: id }, 'over-limit', now)
    const details = { session: id, most: String(mostSessions) }
    await writeAudit(db, deps, { kind: 'session-over-limit', userId, address, details })
  }
}

export type TokenSubject = {
  readonly id: SessionId
  readonly userId: UserId
  readonly kind: SessionKind
  readonly counter: number
  readonly refreshSalt: string
  readonly endsAt: Date
  readonly isRemembered: boolean
}

export type Tokens = {
  readonly answer: TokenResponse
  readonly refreshToken: string
  readonly endsAt: Date
  readonly isRemembered: boolean
  readonly userId: UserId
}

/** Issues a session's tokens. Only API clients receive the refresh token in the response body. */
export async function makeTokens(
  { keys, clock }: Pick<SessionDeps, 'keys' | 'clock'>,
  session: TokenSubject,
): Promise<Tokens> {
  const { token, expiresAt } = await mintAccessToken(
    keys,
    { userId: session.userId, sessionId: session.id, generation: session.counter },
    clock(),
  )
  const refreshToken = makeRefreshToken(keys, session)
  const answer: TokenResponse = {
    token,
    token_type: 'Bearer',
    expires_in: SESSION.tokenMaxAgeSeconds,
    expires_at: expiresAt.toISOString(),
    session_id: session.id,
    ...(session.kind === 'api' ? { refresh_token: refreshToken } : {}),
  }
  const { endsAt, isRemembered, userId } = session
  return { answer, refreshToken, endsAt, isRemembered, userId }
}

/** Longer user agents are truncated. */
const MAX_USER_AGENT = 300

export type SessionStart = SignInCheck & {
  readonly kind: SessionKind
  readonly device: Device
  readonly methods: readonly SignInMethod[]
  /** Whether the session survives closing the browser. Sessions that don't survive it also expire sooner. */
  readonly isRemembered: boolean
  /** When the user authenticated, if earlier than this sign-in. */
  readonly provenAt?: Date | undefined
}

/**
 * Signs a user in on a device, always with a new session and secret. `replaces` is this browser's refresh token; its
 * session ends only now, because a failed sign-in must not end the current session.
 */
export async function startSession(deps: SessionDeps, start: SessionStart, replaces?: string): Promise<Tokens> {
  const { userId, kind, device, methods, isRemembered } = start
  const now = deps.clock()
  const provenAt = start.provenAt ?? now
  const [id, refreshSalt] = [deps.newId(), newRefreshSalt()]
  const { userAgent, address } = device
  const replaced = replaces === undefined ? undefined : await sessionOfRefreshToken(deps, replaces)
  const session = await deps.database.write(async ({ db }) => {
    await assertSignInCurrent(db, start)
    const policy = await findSessionPolicy(db)
    const endsAt = sessionEnd(policy, isRemembered, now)
    const made = { id, userId, kind, counter: 0, refreshSalt, endsAt, isRemembered }
    const name = userAgent.slice(0, MAX_USER_AGENT)
    await insertSession(db, { ...made, now, provenAt, userAgent: name, address, methods })
    const details = { methods: methods.join(' '), session: id }
    await writeAudit(db, deps, { kind: 'signed-in', userId, address, details })
    if (replaced) await endSessions(db, { userId: replaced.userId, only: replaced.id }, 'signed-in-again', now)
    await enforceSessionLimit(db, deps, { userId, sessionId: id, address, policy })
    return made
  })
  return makeTokens(deps, session)
}
