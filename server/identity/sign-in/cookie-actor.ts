import type { FastifyRequest } from 'fastify'
import { type Actor, GUEST } from '#domain/access/actor.ts'
import type { UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import { createImpersonatedActor } from '#server/identity/impersonation/impersonated-actor.ts'
import { type AuthenticatorDeps, isUsable, sessionActor } from './authenticate.ts'
import type { RefreshCookie } from '#server/identity/session-tokens/refresh-cookie.ts'
import { endReusedSession, type EndReusedSessionDeps } from '#server/identity/sessions/end-reused-session.ts'
import { checkRefreshToken, parseRefreshToken } from '#server/identity/session-tokens/refresh-token.ts'
import { findSession } from '#server/identity/sessions/store.ts'

export type CookieActor = (request: FastifyRequest, viewAs: UserId | undefined) => Promise<Result<Actor, Problem>>

type CookieActorDeps = AuthenticatorDeps & EndReusedSessionDeps & { readonly cookie: Pick<RefreshCookie, 'read'> }

/**
 * Authenticates by cookie alone, for requests that can't send a token: images, videos and downloads. Callers must only
 * read data and must also verify that the request came from one of our own pages. Doesn't count as session use and
 * doesn't rotate tokens. A counter that was never issued ends the session.
 */
export function cookieActor(deps: CookieActorDeps): CookieActor {
  const { database, clock, keys, rightsOf, cookie } = deps
  return async (request, viewAs) => {
    const token = cookie.read(request)
    if (token === undefined) return ok(GUEST)
    const presented = parseRefreshToken(token)
    const session = presented && (await findSession(database.readByKey, presented.sessionId))
    // Also accepts the previous cookie, because images may still be loading with it; older cookies are rejected.
    const isAuthentic =
      session?.kind === 'browser' &&
      presented !== undefined &&
      checkRefreshToken(keys, presented, session) === 'authentic'
    if (!isAuthentic || presented.counter < session.counter - 1 || !isUsable(session, clock())) return fail(ended())
    if (presented.counter > session.counter) {
      await database.write((transaction) => endReusedSession(transaction, deps, session, request.ip))
      return fail(ended())
    }
    const self = await sessionActor(rightsOf, session)
    return viewAs === undefined
      ? ok(self)
      : createImpersonatedActor({ database, rightsOf }, self, { wanted: viewAs, begun: session.viewAs })
  }
}

const ended = (): Problem => new Problem('session-ended', 'This session has ended. Sign in again.')
