import type { FastifyRequest } from 'fastify'
import { type Actor, GUEST } from '#domain/access/actor.ts'
import { hasPermission } from '#domain/access/decide.ts'
import { isImpersonated } from '#domain/access/impersonation.ts'
import { Problem } from '#domain/shared/problem.ts'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import { findTimeZone } from '#domain/shared/time.ts'
import type { Access } from './access.ts'

/** Authenticates a request. Returns a guest if there are no credentials, or the reason if they are invalid. */
export type Authenticate = (request: FastifyRequest) => Promise<Result<Actor, Problem>>

const tokenProblems = new WeakMap<FastifyRequest, Problem>()

export const tokenProblemOf = (request: FastifyRequest): Problem | undefined => tokenProblems.get(request)

const requestActors = new WeakMap<FastifyRequest, Actor>()

export const actorOfRequest = (request: FastifyRequest): Actor | undefined => requestActors.get(request)

/** Authorizes an actor for a route, or throws. Never reads the request body. */
export async function authorize(access: Access, authenticate: Authenticate, request: FastifyRequest): Promise<Actor> {
  const found = await identify(access, authenticate, request)
  if (found.ok) requestActors.set(request, found.value)
  if (!found.ok && access.type !== 'open') throw found.fault
  if (!found.ok) {
    tokenProblems.set(request, found.fault)
    return GUEST
  }
  requireSecondFactor(access, found.value, request)
  if (requiresSession(access, request) && isApiToken(found.value)) throw tokenNotAllowed()
  if (isImpersonated(found.value) && !isAllowedWhileImpersonated(access, request.method))
    throw impersonationIsReadOnly()
  const outcome = decideAccess(access, found.value)
  if (!outcome.ok) throw outcome.fault
  return withTimeZone(found.value, request.headers['time-zone'])
}

async function identify(access: Access, authenticate: Authenticate, request: FastifyRequest) {
  const found = await authenticate(request)
  const isNobody = found.ok && found.value.type === 'guest'
  if (!isNobody || access.type !== 'can' || access.byAddress === undefined) return found
  return (await access.byAddress(request)) ?? found
}

/** Adds the browser's time zone from the `Time-Zone` header to the actor. */
function withTimeZone(actor: Actor, named: string | readonly string[] | undefined): Actor {
  if (actor.type !== 'user' || named === undefined) return actor
  const timeZone = findTimeZone(String(named))
  if (timeZone !== undefined) return { ...actor, timeZone }
  const shown = String(named).slice(0, 80)
  throw new Problem('time-zone-unknown', `Unknown time zone “${shown}”. Use a name such as Europe/Vienna.`, {
    errors: [{ path: 'Time-Zone', code: 'time-zone-unknown', message: 'Not a valid time zone name.' }],
  })
}

const isApiToken = (actor: Actor): boolean => actor.type === 'user' && actor.sessionId === null

/** Sign-in routes ignore API tokens, so that a token can't be exchanged for a session. */
function requiresSession(access: Access, request: FastifyRequest): boolean {
  if (access.type !== 'open') return access.byHand === true
  return isSignInPath(request.routeOptions.url)
}

export const isSignInPath = (path = ''): boolean => path.startsWith('/api/auth/')

/** Until a required second factor is set up, only account routes are available. */
function requireSecondFactor(access: Access, actor: Actor, request: FastifyRequest): void {
  if (actor.type !== 'user' || actor.lacksSecondFactor !== true || access.type === 'open') return
  if (!isOwnAccountPath(request.routeOptions.url)) throw secondFactorRequired()
}

const isOwnAccountPath = (path = ''): boolean => isSignInPath(path) || path.startsWith('/api/account/')

export const secondFactorRequired = (): Problem =>
  new Problem('second-factor-needed', 'This workspace requires a second factor. Set one up to continue.')

export const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a route is allowed while impersonating: only reading records is; writes, exports, account and session routes
 * are not.
 */
export function isAllowedWhileImpersonated(access: Access, method: string): boolean {
  if (access.type !== 'can' && access.whileSeen !== undefined) return access.whileSeen
  if (!READING_METHODS.has(method)) return false
  if (access.type === 'open') return true
  return access.byHand !== true && (access.type === 'signed-in' || access.permission === 'records:read')
}

const impersonationIsReadOnly = (): Problem =>
  new Problem(
    'view-as-read-only',
    'While you view as another user, you can only read records. Stop viewing to continue as yourself.',
  )

const tokenNotAllowed = (): Problem =>
  new Problem('forbidden', 'You can’t do this with an API token. Sign in with a browser.')

function decideAccess(access: Access, actor: Actor): Result<true, Problem> {
  if (access.type === 'open') return ok(true)
  if (actor.type === 'guest') return fail(new Problem('token-missing', 'Sign in to do this.'))
  if (access.type === 'signed-in' || hasPermission(actor, access.permission)) return ok(true)
  return fail(new Problem('forbidden', `This requires the “${access.permission}” permission. Ask an owner for it.`))
}
