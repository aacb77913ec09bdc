import type { FastifyRequest } from 'fastify'
import { type Actor, GUEST } from '#domain/access/actor.ts'
import { hasPermission } from '#domain/access/decide.ts'
import { isImpersonated } from '#domain/access/impersonation.ts'
import { Problem } from '#domain/shared/problem.ts'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import { findTimeZone } from '#domain/shared/time.ts'
import type { Access } from './access.ts'

/** Finds out who asks. No credentials at all: the guest; credentials that are no good: why. */
export type Authenticate = (request: FastifyRequest) => Promise<Result<Actor, Problem>>

/** What the guard found at an open door: who came in, and what was wrong with the token they showed. */
const tokenProblems = new WeakMap<FastifyRequest, Problem>()

/** Why the token of this request was refused, if it had one and that was no good. */
export const tokenProblemOf = (request: FastifyRequest): Problem | undefined => tokenProblems.get(request)

/** Who came to a door, also where they were turned away. */
const requestActors = new WeakMap<FastifyRequest, Actor>()

/** Who asks, as far as it was found out; for the log. */
export const actorOfRequest = (request: FastifyRequest): Actor | undefined => requestActors.get(request)

/** Lets an actor through a route's door, or throws why not. Never looks at the body: a guest's is not even read. */
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

/** Who asks: by their token, or by an address that was signed for their browser where the door takes those. */
async function identify(access: Access, authenticate: Authenticate, request: FastifyRequest) {
  const found = await authenticate(request)
  const isNobody = found.ok && found.value.type === 'guest'
  if (!isNobody || access.type !== 'can' || access.byAddress === undefined) return found
  return (await access.byAddress(request)) ?? found
}

/** The actor with the calendar they live by, which their browser names in `Time-Zone`. */
function withTimeZone(actor: Actor, named: string | readonly string[] | undefined): Actor {
  if (actor.type !== 'user' || named === undefined) return actor
  const timeZone = findTimeZone(String(named))
  if (timeZone !== undefined) return { ...actor, timeZone }
  const shown = String(named).slice(0, 80)
  throw new Problem('time-zone-unknown', `Unknown time zone “${shown}”. Use a name such as Europe/Vienna.`, {
    errors: [{ path: 'Time-Zone', code: 'time-zone-unknown', message: 'Not the name of a time zone.' }],
  })
}

const isApiToken = (actor: Actor): boolean => actor.type === 'user' && actor.sessionId === null

/** Of the doors of signing in, the open ones are no business of a token: it must never become a session. */
function requiresSession(access: Access, request: FastifyRequest): boolean {
  if (access.type !== 'open') return access.byHand === true
  return isSignInPath(request.routeOptions.url)
}

/** Whether an address is about signing in. */
export const isSignInPath = (path = ''): boolean => path.startsWith('/api/auth/')

/** Until a demanded second factor is set up, only doors to the own account open. */
function requireSecondFactor(access: Access, actor: Actor, request: FastifyRequest): void {
  if (actor.type !== 'user' || actor.lacksSecondFactor !== true || access.type === 'open') return
  if (!isOwnAccountPath(request.routeOptions.url)) throw secondFactorRequired()
}

/** What stays open without a demanded second factor: to set one up, to see who one is, and to sign out. */
const isOwnAccountPath = (path = ''): boolean => isSignInPath(path) || path.startsWith('/api/account/')

/** The workspace demands a second factor that this user does not have yet. */
export const secondFactorRequired = (): Problem =>
  new Problem('second-factor-needed', 'This workspace requires a second factor. Set one up to continue.')

/** What only reads. */
export const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whoever looks as somebody else reads records and nothing more: no write, no export, nothing of accounts and sessions. */
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

const tokenNotAllowed = (): Problem => new Problem('forbidden', 'API tokens can’t do this. Sign in with a browser.')

function decideAccess(access: Access, actor: Actor): Result<true, Problem> {
  if (access.type === 'open') return ok(true)
  if (actor.type === 'guest') return fail(new Problem('token-missing', 'Sign in to do this.'))
  if (access.type === 'signed-in' || hasPermission(actor, access.permission)) return ok(true)
  return fail(new Problem('forbidden', `This requires the permission “${access.permission}”. Ask an owner for it.`))
}
