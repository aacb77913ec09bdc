import type { FastifyReply, FastifyRequest } from 'fastify'
import * as api from '#api/sessions.ts'
import type { Profile } from '#domain/access/actor.ts'
import { heldPermissions } from '#domain/access/decide.ts'
import { PERMISSIONS } from '#domain/access/permission.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { SignInOutcome } from '#server/identity/factors/finish-first-step.ts'
import { allowWhileImpersonated, open, signedIn, actingUser } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { scopesAs, type SessionSettings } from '#server/platform/config/session-settings.ts'
import { showImpersonation } from '#server/identity/impersonation/begin-impersonation.ts'
import { bearerOf, expectedUserOf } from './authenticate.ts'
import { login, type LoginDeps } from './login.ts'
import { refresh, type RefreshDeps, refreshProblem } from '#server/identity/session-tokens/refresh-session.ts'
import type { RefreshCookie } from '#server/identity/session-tokens/refresh-cookie.ts'
import {
  type EndScope,
  endSessions,
  findAccount,
  findMethods,
  findSession,
  type StoredSession,
} from '#server/identity/sessions/store.ts'
import { type Device, type SessionDeps, sessionOfRefreshToken } from '#server/identity/sessions/session-deps.ts'
import type { Tokens } from '#server/identity/sessions/start-session.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import { readAccessToken } from '#server/identity/session-tokens/access-token.ts'

type LogoutAttempt = {
  readonly bearer: string | undefined
  readonly cookie: string | undefined
  readonly scope: 'this' | 'others' | 'all'
  readonly address: string
}

/**
 * Signs out; always succeeds. Returns whether to delete the cookie, which is kept if it belongs to another active
 * session.
 */
async function logout(
  deps: SessionDeps,
  { bearer, cookie, scope, address }: LogoutAttempt,
): Promise<{ readonly clearsCookie: boolean }> {
  const ofCookie = cookie === undefined ? undefined : await sessionOfRefreshToken(deps, cookie)
  const ofBearer = bearer === undefined ? undefined : await sessionOfBearer(deps, bearer)
  const session = ofBearer ?? ofCookie
  // A token of an ended session must not affect other sessions.
  if (session !== undefined && !session.isEnded) {
    await deps.database.write(async ({ db }) => {
      const ended = await endSessions(db, scopeOf(session, scope), 'signed-out', deps.clock())
      if (ended === 0) return
      const details = { scope, ended: String(ended) }
      await writeAudit(db, deps, { kind: 'signed-out', userId: session.userId, address, details })
    })
  }
  const isOwnCookie = ofCookie === undefined || session === undefined || ofCookie.id === session.id
  return { clearsCookie: isOwnCookie && scope !== 'others' }
}

/** An expired token is still accepted for signing out. */
async function sessionOfBearer(deps: SessionDeps, token: string): Promise<StoredSession | undefined> {
  const claims = await readAccessToken(deps.keys, token)
  return claims && findSession(deps.database.read, claims.sessionId)
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

type RequestOrigin = 'own-page' | 'foreign-page' | 'no-page'

function isOwnOrigin(origin: string, request: FastifyRequest, publicUrl: URL): boolean {
  if (origin === publicUrl.origin) return true
  const url = URL.parse(origin)
  // If the server was reached under a name other than the public one (127.0.0.1 instead of localhost, or a LAN
  // address), the page and the request must have the same host. For the public host, the scheme must also match; see
  // above.
  return url !== null && url.host === request.host && url.host !== publicUrl.host
}

/** Browsers always send the origin, and scripts can't change it; other clients don't send one. */
function originOf(request: FastifyRequest, publicUrl: URL): RequestOrigin {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  if (origin === undefined && site === undefined) return 'no-page'
  const isOwnSite = site === undefined || site === 'same-origin'
  const isOwn = isOwnSite && (origin === undefined || isOwnOrigin(origin, request, publicUrl))
  return isOwn ? 'own-page' : 'foreign-page'
}

export type SessionRouteDeps = LoginDeps &
  RefreshDeps & { readonly cookie: RefreshCookie; readonly session: SessionSettings }

export type SendDeps = Pick<SessionRouteDeps, 'cookie' | 'clock'>

/** A header that scripts on other sites can't send. */
const OWN_SCRIPT = { name: 'x-requested-with', value: 'dossier' } as const

export const deviceOf = (request: FastifyRequest): Device => ({
  userAgent: request.headers['user-agent'] ?? '',
  address: request.ip,
})

const originNotAllowed = (detail: string): Problem => new Problem('origin-refused', detail)

/** Rejects API sign-ins from any page, even our own, because pages must use the cookie. */
export function assertNotFromPage(request: FastifyRequest, publicUrl: URL): void {
  if (originOf(request, publicUrl) === 'no-page') return
  throw originNotAllowed('Only API clients can send this request. In a browser, use the cookie.')
}

export function assertNotFromForeignPage(request: FastifyRequest, publicUrl: URL): void {
  if (originOf(request, publicUrl) !== 'foreign-page') return
  throw originNotAllowed('Requests from other origins aren’t allowed.')
}

const isOwnScript = (request: FastifyRequest, publicUrl: URL): boolean =>
  request.headers[OWN_SCRIPT.name] === OWN_SCRIPT.value && originOf(request, publicUrl) === 'own-page'

/**
 * Sends the refresh token to a browser as a cookie and marks the browser as known; other clients get the token in the
 * response body.
 */
export function sendTokens(
  deps: SendDeps,
  reply: FastifyReply,
  tokens: Tokens & { readonly isHeldAlready?: boolean },
): api.TokenResponse {
  const isBrowser = tokens.answer.refresh_token === undefined
  if (isBrowser) {
    // Doesn't send the current cookie again, because a late response could overwrite a newer one.
    if (tokens.isHeldAlready !== true) deps.cookie.write(reply, tokens, deps.clock())
    deps.cookie.knownDevices.remember(reply, tokens.userId)
  }
  return tokens.answer
}

const sendOutcome = (
  deps: SendDeps,
  reply: FastifyReply,
  outcome: SignInOutcome,
): api.TokenResponse | api.ChallengeResponse =>
  outcome.type === 'signed-in' ? sendTokens(deps, reply, outcome.tokens) : outcome.answer

const loginRoute = (deps: SessionRouteDeps): Route =>
  route(api.login, open('sign-in'), async ({ body, request, reply }) => {
    const { email, password, client, remember: isRemembered } = body
    if (client === 'api') assertNotFromPage(request, deps.publicUrl)
    else assertNotFromForeignPage(request, deps.publicUrl)
    const replaces = client === 'browser' ? deps.cookie.read(request) : undefined
    const knownDevice = client === 'browser' ? deps.cookie.knownDevices.read(request) : undefined
    const device = deviceOf(request)
    const attempt = { email, password, kind: client, device, isRemembered, replaces, knownDevice }
    const outcome = await login(deps, attempt)
    return sendOutcome(deps, reply, outcome)
  })

/** The two transports are never mixed: cookie for our own page, body for API clients. */
const refreshRoute = (deps: SessionRouteDeps): Route =>
  route(
    api.refresh,
    allowWhileImpersonated(open('the refresh token identifies the user')),
    async ({ body, request, reply }) => {
      const fromCookie = deps.cookie.read(request)
      const fromBody = body?.refresh_token
      if (fromCookie !== undefined && fromBody !== undefined) {
        throw new Problem('invalid-request', 'Send the refresh token in the cookie or in the body, not both.')
      }
      if (fromBody !== undefined) {
        assertNotFromPage(request, deps.publicUrl)
        const refreshed = await refresh(deps, { token: fromBody, kind: 'api', address: request.ip })
        if (!refreshed.ok) throw refreshProblem(refreshed.fault)
        return sendTokens(deps, reply, refreshed.value)
      }
      if (fromCookie === undefined) throw new Problem('refresh-invalid', 'There is no session to refresh. Sign in.')
      if (!isOwnScript(request, deps.publicUrl)) throw originNotAllowed('Requests from other origins aren’t allowed.')
      return refreshByCookie(deps, fromCookie, request, reply)
    },
  )

async function refreshByCookie(
  deps: SessionRouteDeps,
  token: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<api.TokenResponse> {
  const refreshed = await refresh(deps, {
    token,
    kind: 'browser',
    expectedUserId: expectedUserOf(request.headers),
    address: request.ip,
  })
  if (refreshed.ok) return sendTokens(deps, reply, refreshed.value)
  // Deletes the cookie only if its session has ended; after any other error, the browser may have a newer cookie.
  if (refreshed.fault === 'ended' || refreshed.fault === 'reused') deps.cookie.clear(reply)
  throw refreshProblem(refreshed.fault)
}

const logoutRoute = (deps: SessionRouteDeps): Route =>
  route(api.logout, allowWhileImpersonated(open('signing out always succeeds')), async ({ body, request, reply }) => {
    // Ignores the cookie unless the request has our own pages' header, so that other sites can't sign users out.
    const cookie = isOwnScript(request, deps.publicUrl) ? deps.cookie.read(request) : undefined
    const bearer = bearerOf(request.headers.authorization)
    const { clearsCookie } = await logout(deps, { bearer, cookie, scope: body?.scope ?? 'this', address: request.ip })
    if (clearsCookie && originOf(request, deps.publicUrl) !== 'foreign-page') deps.cookie.clear(reply)
  })

const attributesOf = (profile: Profile = {}) =>
  Object.fromEntries(
    Object.entries(profile).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]] as const),
  )

const userRoute = ({ database, rules, session: { scopeField } }: SessionRouteDeps): Route =>
  route(api.readSessionUser, signedIn, async ({ actor }) => {
    const { userId, sessionId } = actingUser(actor)
    const account = await findAccount(database.read, userId)
    if (account === undefined) throw new Problem('session-ended', 'This session has ended. Sign in again.')
    const methods = (sessionId === null ? undefined : await findMethods(database.read, sessionId)) ?? []
    const { id, email, name, language } = account
    const held = actor.type === 'user' ? (actor.roles ?? []) : []
    const known = (await rules.current()).roles
    const roles = held.map((role) => ({ id: role, name: known.get(role)?.name ?? '' }))
    const scope = heldPermissions(actor, PERMISSIONS)
    const profile = actor.type === 'user' ? attributesOf(actor.profile) : {}
    const view_as = await showImpersonation(database.read, actor)
    const needs_second_factor = actor.type === 'user' && actor.lacksSecondFactor === true
    const about = { id, email, name, language, scope, roles, profile, methods, needs_second_factor }
    return { user: { ...scopesAs(scopeField, scope), ...about, session_id: sessionId, view_as } }
  })

export const sessionRoutes = (deps: SessionRouteDeps): readonly Route[] => [
  loginRoute(deps),
  refreshRoute(deps),
  logoutRoute(deps),
  userRoute(deps),
]
