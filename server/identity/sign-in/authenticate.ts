import type { Logger } from 'pino'
import { type Actor, GUEST } from '#domain/access/actor.ts'
import { checkApiToken, looksLikeApiToken, shouldRecordUse } from '#domain/sessions/tokens.ts'
import { hasSecondFactor, includesSecondFactor } from '#domain/sessions/second-factors.ts'
import { isAlive, tokenAge } from '#domain/sessions/session.ts'
import { Problem } from '#domain/shared/problem.ts'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import type { UserId } from '#domain/shared/ids.ts'
import type { Database, Reader, Transaction } from '#server/platform/database/database.ts'
import { type Authenticate, secondFactorRequired } from '#server/platform/http/guard.ts'
import type { RightsOf } from '#server/access/rights/rights.ts'
import {
  createImpersonatedActor,
  impersonatedUserOf,
  tokenCannotImpersonate,
  type UserActor,
} from '#server/identity/impersonation/impersonated-actor.ts'
import { type AccessClaims, createTokenReader } from '#server/identity/session-tokens/access-token.ts'
import { findSession, markSuccessorSeen, saveSessionUse, type StoredSession } from '#server/identity/sessions/store.ts'
import type { SessionDeps } from '#server/identity/sessions/session-deps.ts'
import { findEnrolledFactors } from '#server/identity/factors/store.ts'
import { type Grant, type Scope, narrowGrants, parseScope } from '#domain/access/grant.ts'
import type { Clock } from '#domain/shared/time.ts'
import { hashSecret } from '#server/platform/crypto/hashed-secret.ts'
import { findToken, recordTokenUse } from '#server/identity/api-tokens/store.ts'
import type { IncomingHttpHeaders } from 'node:http'

/** Header that contains the ID of the user shown on the page, so that the page never acts as another user. */
const EXPECTED_USER = 'x-dossier-user'

export function expectedUserOf(headers: IncomingHttpHeaders): string | undefined {
  const given = headers[EXPECTED_USER]
  return typeof given === 'string' ? given : undefined
}

export const userChanged = (): Problem =>
  new Problem('user-changed', 'Another user has signed in with this browser. Reload the page to continue as them.')

export const isSomebodyElse = (userId: UserId, expected: string | undefined): boolean =>
  expected !== undefined && expected !== userId

/** Limits writes and warnings while the database rejects writes, for example because the disk is full. */
const RETRY_USE_MS = 60_000

/** Records that a session or token was used. */
type RecordUse = (id: string, store: (transaction: Transaction) => Promise<void>) => void

/**
 * Records uses in the background, with one write at a time per session or token, so that requests don't wait for a busy
 * writer.
 */
function createUseRecorder({ database, log }: Pick<AuthenticatorDeps, 'database' | 'log'>): RecordUse {
  const pending = new Set<string>()
  return (id, store) => {
    if (pending.has(id)) return
    pending.add(id)
    database.write(store).then(
      () => pending.delete(id),
      (error: unknown) => {
        log.warn({ err: error }, 'last use not stored')
        setTimeout(() => pending.delete(id), RETRY_USE_MS).unref()
      },
    )
  }
}

type TokenActorDeps = { readonly database: Database; readonly clock: Clock; readonly rightsOf: RightsOf }

/**
 * The user of an API token with their current permissions, limited to the token's scopes. Doesn't count as interactive.
 */
async function findTokenActor(
  { database, clock, rightsOf }: TokenActorDeps,
  bearer: string,
  recordUse: RecordUse,
): Promise<Result<Actor, Problem>> {
  const token = await findToken(database.readByKey, hashSecret(bearer))
  const now = clock()
  const outcome = token === undefined || token.user.isDisabled ? 'revoked' : checkApiToken(token, now)
  if (token === undefined || outcome === 'revoked') {
    return fail(new Problem('token-invalid', 'This API token is invalid or was revoked.'))
  }
  if (outcome === 'expired') return fail(new Problem('token-expired', 'This API token has expired. Create a new one.'))

  if (shouldRecordUse(token.usedAt, now)) recordUse(token.id, ({ db }) => recordTokenUse(db, token.id, now))
  const { id, name } = token.user
  const scopes = token.scopes.flatMap((scope) => parseScope(scope) ?? [])
  const { requiresSecondFactor, ...rights } = await rightsOf(token.user)
  if (requiresSecondFactor && !token.user.hasSecondFactor) return fail(secondFactorRequired())
  const grants = narrowedGrants(rights.grants, scopes)
  return ok({ type: 'user', userId: id, sessionId: null, name, ...rights, grants, scopes, tokenId: token.id })
}

/** Returns the same grant objects for every request, because caches compare them by identity. */
const narrowed = new WeakMap<readonly Grant[], Map<string, readonly Grant[]>>()

function narrowedGrants(grants: readonly Grant[], scopes: readonly Scope[]): readonly Grant[] {
  const byScopes = narrowed.get(grants) ?? new Map<string, readonly Grant[]>()
  narrowed.set(grants, byScopes)
  const key = scopes.map(({ permission, collection }) => `${permission}@${collection ?? ''}`).join(' ')
  const left = byScopes.get(key) ?? narrowGrants(grants, scopes)
  byScopes.set(key, left)
  return left
}

const userHasSecondFactor = async (db: Reader, userId: UserId): Promise<boolean> =>
  hasSecondFactor(await findEnrolledFactors(db, userId))

export const bearerOf = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : /^Bearer ([\w.~+/=-]+)$/i.exec(header)?.[1]

export type AuthenticatorDeps = Pick<SessionDeps, 'database' | 'keys' | 'clock'> & {
  readonly rightsOf: RightsOf
  readonly log: Logger
}

/** Authenticates a request: the token identifies the user; the session determines whether it is still valid. */
export function authenticator(deps: AuthenticatorDeps): Authenticate {
  const readToken = createTokenReader(deps.keys)
  const recordUse = createUseRecorder(deps)
  return async ({ headers, ip }) => {
    if (headers.authorization === undefined) return ok(GUEST)
    const token = bearerOf(headers.authorization)
    if (token !== undefined && looksLikeApiToken(token)) {
      return impersonatedUserOf(headers) === undefined
        ? findTokenActor(deps, token, recordUse)
        : fail(tokenCannotImpersonate())
    }
    const claims = token === undefined ? undefined : await readToken(token)
    if (claims === undefined) return fail(new Problem('token-invalid', 'Invalid access token.'))
    if (tokenAge(claims.expiresAtMs, deps.clock().getTime()) === 'expired') {
      return fail(new Problem('token-expired', 'Access token expired.'))
    }
    // A page that shows one user must never act as another, whichever token it sends.
    if (isSomebodyElse(claims.userId, expectedUserOf(headers))) return fail(userChanged())
    return actorOf(deps, claims, { address: ip, viewAs: impersonatedUserOf(headers), recordUse })
  }
}

type AuthRequest = { readonly address: string; readonly viewAs: UserId | undefined; readonly recordUse: RecordUse }

async function actorOf(
  deps: AuthenticatorDeps,
  claims: AccessClaims,
  { address, viewAs, recordUse }: AuthRequest,
): Promise<Result<Actor, Problem>> {
  const { database, rightsOf } = deps
  const now = deps.clock()
  const session = await findSession(database.readByKey, claims.sessionId)
  if (session === undefined || session.userId !== claims.userId || !isUsable(session, now)) {
    return fail(new Problem('session-ended', 'This session has ended. Sign in again.'))
  }
  // Using a token of the latest generation ends the previous refresh token's grace period.
  if (!session.isSuccessorSeen && claims.generation === session.counter)
    await database.write(({ db }) => markSuccessorSeen(db, session.id, session.counter))
  if (shouldRecordUse(session.usedAt, now))
    recordUse(session.id, ({ db }) => saveSessionUse(db, session.id, { now, address }))
  const self = await sessionActor(rightsOf, session)
  if (self.lacksSecondFactor && (await userHasSecondFactor(database.read, self.userId))) {
    return fail(new Problem('session-ended', 'Sign in again with your second factor.'))
  }
  return viewAs === undefined || self.lacksSecondFactor
    ? ok(self)
    : createImpersonatedActor(deps, self, { wanted: viewAs, begun: session.viewAs })
}

export async function sessionActor(
  rightsOf: RightsOf,
  { id: sessionId, user, methods }: Pick<StoredSession, 'id' | 'methods' | 'user'>,
): Promise<UserActor> {
  const { requiresSecondFactor, ...rights } = await rightsOf(user)
  const self: UserActor = { type: 'user', userId: user.id, sessionId, name: user.name, ...rights }
  return requiresSecondFactor && !includesSecondFactor(methods) ? { ...self, lacksSecondFactor: true } : self
}

export const isUsable = (session: StoredSession, now: Date): boolean =>
  isAlive(session, now) && !session.user.isDisabled
