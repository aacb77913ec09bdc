import { type Actor, GUEST } from '#domain/access/actor.ts'
import { isUseNews, looksLikeApiToken } from '#domain/sessions/api-token.ts'
import { includesSecondFactor } from '#domain/sessions/second-factor-policy.ts'
import { isAlive } from '#domain/sessions/session.ts'
import { judgeTokenAge } from '#domain/sessions/token-lifetime.ts'
import { Problem } from '#domain/shared/problem.ts'
import { no, ok, type Result } from '#domain/shared/result.ts'
import type { UserId } from '#domain/shared/ids.ts'
import type { Database } from '#server/database/database.ts'
import { holdsSecondFactor } from '#server/factors/holds-second-factor.ts'
import type { Authenticate } from '#server/http/guard.ts'
import type { RightsOf } from '#server/roles/rights.ts'
import { findTokenActor } from '#server/tokens/find-token-actor.ts'
import { notForTokens, seenActor, type UserActor, viewAsOf } from '#server/view-as/seen-actor.ts'
import type { AccessClaims } from './access-token.ts'
import { expectedUserOf, isSomebodyElse, userChanged } from './expected-user.ts'
import { tokenReader } from './known-tokens.ts'
import { noteSessionUse } from './list-store.ts'
import type { SessionNeeds } from './session-needs.ts'
import { findSession, markSuccessorSeen, type StoredSession } from './store.ts'

/** The token of an `Authorization: Bearer` header. */
export const bearerOf = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : /^Bearer ([\w.~+/=-]+)$/i.exec(header)?.[1]

/** What it takes to know who asks and what they are granted. */
export type AuthenticatorNeeds = Pick<SessionNeeds, 'database' | 'keys' | 'clock'> & { readonly rightsOf: RightsOf }

/** Finds out who asks: from the token who they say they are, from the session whether that is still so. */
export function authenticator(needs: AuthenticatorNeeds): Authenticate {
  const readToken = tokenReader(needs.keys)
  return async ({ headers, ip }) => {
    if (headers.authorization === undefined) return ok(GUEST)
    const token = bearerOf(headers.authorization)
    if (token !== undefined && looksLikeApiToken(token)) {
      return viewAsOf(headers) === undefined ? findTokenActor(needs, token) : no(notForTokens())
    }
    const claims = token === undefined ? undefined : await readToken(token)
    if (claims === undefined) return no(new Problem('token-invalid', 'This token is not one of this workspace.'))
    if (judgeTokenAge(claims.expiresAtMs, needs.clock().getTime()) === 'expired') {
      return no(new Problem('token-expired', 'This token is too old. Get a new one by refreshing.'))
    }
    // A page that shows one person never writes as another, whatever token it holds.
    if (isSomebodyElse(claims.userId, expectedUserOf(headers))) return no(userChanged())
    return actorOf(needs, claims, { address: ip, viewAs: viewAsOf(headers) })
  }
}

type Asking = { readonly address: string; readonly viewAs: UserId | undefined }

async function actorOf(
  needs: AuthenticatorNeeds,
  claims: AccessClaims,
  { address, viewAs }: Asking,
): Promise<Result<Actor, Problem>> {
  const { database, rightsOf } = needs
  const now = needs.clock()
  const session = await findSession(database.readByKey, claims.sessionId)
  if (session === undefined || session.userId !== claims.userId || !isUsable(session, now)) {
    return no(new Problem('session-ended', 'This sign-in is over. Sign in again.'))
  }
  await noteUse(database, session, { claims, now, address })
  const self = await ownActor(rightsOf, session)
  if (self.lacksSecondFactor && (await holdsSecondFactor(database.read, self.userId))) {
    return no(new Problem('session-ended', 'Sign in again with your second factor.'))
  }
  return viewAs === undefined || self.lacksSecondFactor
    ? ok(self)
    : seenActor(needs, self, { wanted: viewAs, begun: session.viewAs })
}

/** The user of a session with what they hold at this moment. */
export async function ownActor(
  rightsOf: RightsOf,
  { id: sessionId, user, methods }: Pick<StoredSession, 'id' | 'methods' | 'user'>,
): Promise<UserActor> {
  const { requiresSecondFactor, ...rights } = await rightsOf(user)
  const self: UserActor = { type: 'user', userId: user.id, sessionId, name: user.name, ...rights }
  return requiresSecondFactor && !includesSecondFactor(methods) ? { ...self, lacksSecondFactor: true } : self
}

type Use = { readonly claims: AccessClaims; readonly now: Date; readonly address: string }

/** Writes down what a request tells about its session, where that is news; most requests write nothing. */
async function noteUse(database: Database, session: StoredSession, { claims, now, address }: Use): Promise<void> {
  const isArrival = !session.isSuccessorSeen && claims.generation === session.counter
  const isLater = isUseNews(session.usedAt, now)
  if (!isArrival && !isLater) return
  await database.write(async ({ db }) => {
    if (isArrival) await markSuccessorSeen(db, session.id, session.counter)
    if (isLater) await noteSessionUse(db, session.id, { now, address })
  })
}

/** Whether whoever holds a session may still come in with it. */
export const isUsable = (session: StoredSession, now: Date): boolean =>
  isAlive(session, now) && !session.user.isDisabled
