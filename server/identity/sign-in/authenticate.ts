import { type Actor, GUEST } from '#domain/access/actor.ts'
import { shouldRecordUse, looksLikeApiToken } from '#domain/sessions/api-token.ts'
import { includesSecondFactor } from '#domain/sessions/second-factor-policy.ts'
import { isAlive } from '#domain/sessions/session.ts'
import { tokenAge } from '#domain/sessions/token-lifetime.ts'
import { Problem } from '#domain/shared/problem.ts'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import type { UserId } from '#domain/shared/ids.ts'
import type { Database } from '#server/platform/database/database.ts'
import { userHasSecondFactor } from '#server/identity/factors/has-second-factor.ts'
import type { Authenticate } from '#server/platform/http/guard.ts'
import type { RightsOf } from '#server/access/rights/rights.ts'
import { findTokenActor } from '#server/identity/api-tokens/authenticate-token.ts'
import {
  tokenCannotImpersonate,
  createImpersonatedActor,
  type UserActor,
  impersonatedUserOf,
} from '#server/access/impersonation/impersonated-actor.ts'
import type { AccessClaims } from '#server/identity/session-tokens/access-token.ts'
import { expectedUserOf, isSomebodyElse, userChanged } from './expected-user.ts'
import { createTokenReader } from '#server/identity/session-tokens/access-token-cache.ts'
import { saveSessionUse } from '#server/identity/sessions/session-list-store.ts'
import type { SessionDeps } from '#server/identity/sessions/session-deps.ts'
import { findSession, markSuccessorSeen, type StoredSession } from '#server/identity/sessions/store.ts'

/** The token of an `Authorization: Bearer` header. */
export const bearerOf = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : /^Bearer ([\w.~+/=-]+)$/i.exec(header)?.[1]

/** What it takes to know who asks and what they are granted. */
export type AuthenticatorDeps = Pick<SessionDeps, 'database' | 'keys' | 'clock'> & { readonly rightsOf: RightsOf }

/** Finds out who asks: from the token who they say they are, from the session whether that is still so. */
export function authenticator(needs: AuthenticatorDeps): Authenticate {
  const readToken = createTokenReader(needs.keys)
  return async ({ headers, ip }) => {
    if (headers.authorization === undefined) return ok(GUEST)
    const token = bearerOf(headers.authorization)
    if (token !== undefined && looksLikeApiToken(token)) {
      return impersonatedUserOf(headers) === undefined ? findTokenActor(needs, token) : fail(tokenCannotImpersonate())
    }
    const claims = token === undefined ? undefined : await readToken(token)
    if (claims === undefined) return fail(new Problem('token-invalid', 'Invalid access token.'))
    if (tokenAge(claims.expiresAtMs, needs.clock().getTime()) === 'expired') {
      return fail(new Problem('token-expired', 'Access token expired.'))
    }
    // A page that shows one person never writes as another, whatever token it holds.
    if (isSomebodyElse(claims.userId, expectedUserOf(headers))) return fail(userChanged())
    return actorOf(needs, claims, { address: ip, viewAs: impersonatedUserOf(headers) })
  }
}

type AuthRequest = { readonly address: string; readonly viewAs: UserId | undefined }

async function actorOf(
  needs: AuthenticatorDeps,
  claims: AccessClaims,
  { address, viewAs }: AuthRequest,
): Promise<Result<Actor, Problem>> {
  const { database, rightsOf } = needs
  const now = needs.clock()
  const session = await findSession(database.readByKey, claims.sessionId)
  if (session === undefined || session.userId !== claims.userId || !isUsable(session, now)) {
    return fail(new Problem('session-ended', 'This session has ended. Sign in again.'))
  }
  await recordSessionUse(database, session, { claims, now, address })
  const self = await sessionActor(rightsOf, session)
  if (self.lacksSecondFactor && (await userHasSecondFactor(database.read, self.userId))) {
    return fail(new Problem('session-ended', 'Sign in again with your second factor.'))
  }
  return viewAs === undefined || self.lacksSecondFactor
    ? ok(self)
    : createImpersonatedActor(needs, self, { wanted: viewAs, begun: session.viewAs })
}

/** The user of a session with what they hold at this moment. */
export async function sessionActor(
  rightsOf: RightsOf,
  { id: sessionId, user, methods }: Pick<StoredSession, 'id' | 'methods' | 'user'>,
): Promise<UserActor> {
  const { requiresSecondFactor, ...rights } = await rightsOf(user)
  const self: UserActor = { type: 'user', userId: user.id, sessionId, name: user.name, ...rights }
  return requiresSecondFactor && !includesSecondFactor(methods) ? { ...self, lacksSecondFactor: true } : self
}

type SessionUse = { readonly claims: AccessClaims; readonly now: Date; readonly address: string }

/** Writes down what a request tells about its session, where that is news; most requests write nothing. */
async function recordSessionUse(
  database: Database,
  session: StoredSession,
  { claims, now, address }: SessionUse,
): Promise<void> {
  const isArrival = !session.isSuccessorSeen && claims.generation === session.counter
  const isLater = shouldRecordUse(session.usedAt, now)
  if (!isArrival && !isLater) return
  await database.write(async ({ db }) => {
    if (isArrival) await markSuccessorSeen(db, session.id, session.counter)
    if (isLater) await saveSessionUse(db, session.id, { now, address })
  })
}

/** Whether whoever holds a session may still come in with it. */
export const isUsable = (session: StoredSession, now: Date): boolean =>
  isAlive(session, now) && !session.user.isDisabled
