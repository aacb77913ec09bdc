import { DUPLICATE_WINDOW_MS } from '#domain/sessions/session.ts'
import type { ProblemCode } from '#domain/shared/problem.ts'
import { PROBLEMS } from '#domain/shared/problem.ts'
import { SESSION } from '#domain/specification.ts'
import { CallError } from '#web/data/api/call-error.ts'
import type { RequestResult, HttpRequest } from '#web/data/api/send-request.ts'

/** A manually controlled clock; the server and each device have their own. */
export type Clock = { nowMs: number }

/** The browser's HttpOnly cookies. */
export type CookieJar = { refresh: string | undefined }

type StoredSession = {
  readonly id: string
  readonly userId: string
  counter: number
  rotatedAtMs: number
  isEnded: boolean
}

/** How the network treats a request: `down` drops the request, `lost` drops the response. */
export type Network = 'up' | 'down' | 'lost'

export const PASSWORD = 'seven otters play the violin'

const USERS = ['ada', 'grace'].map((name) => ({
  id: name,
  email: `${name}@example.org`,
  name,
  scope: ['records:read'],
  roles: [],
}))

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token in the server's format with a fake signature, which clients can't verify. */
export const tokenOf = (claims: object): string => `${encoded({ alg: 'HS256' })}.${encoded(claims)}.c2lnbmF0dXJl`

const no = (code: ProblemCode, detail = code): RequestResult => ({
  ok: false,
  failure: new CallError(code, detail, { status: PROBLEMS[code] }),
})

const UNREACHABLE: RequestResult = { ok: false, failure: new CallError('unreachable', 'no network') }

/**
 * The server's session endpoints in memory, with a manual clock. Cookies, rotation and errors must match the real
 * server; `session-client.test.ts` tests the client against it.
 */
export function memoryServer(clock: Clock) {
  const sessions = new Map<string, StoredSession>()
  let made = 0
  let before: ((wire: HttpRequest) => RequestResult | undefined | Promise<RequestResult | undefined>) | undefined

  const userOf = (id: string) => USERS.find((user) => user.id === id)

  function tokens(session: StoredSession, jar: CookieJar): RequestResult {
    const iat = Math.floor(clock.nowMs / 1000)
    made += 1
    jar.refresh = `${session.id}.${session.counter}`
    const exp = iat + SESSION.tokenMaxAgeSeconds
    const token = tokenOf({ sub: session.userId, sid: session.id, iat, exp, jti: made })
    return { ok: true, body: { token, token_type: 'Bearer', expires_in: 1800, expires_at: '', session_id: session.id } }
  }

  const sessionOf = (jar: CookieJar) => sessions.get(jar.refresh?.split('.')[0] ?? '')

  function claimsIn(wire: HttpRequest): { readonly sid: string; readonly exp: number } | undefined {
    const payload = wire.headers?.['authorization']?.split('.')[1]
    // Token payloads are created by `tokens` above.
    return payload === undefined
      ? undefined
      : (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly sid: string; readonly exp: number })
  }

  function login(wire: HttpRequest, jar: CookieJar): RequestResult {
    // The sign-in request body as declared in `api/sessions.ts`.
    const { email, password } = wire.body as { readonly email: string; readonly password: string }
    const user = USERS.find((one) => one.email === email)
    if (!user || password !== PASSWORD) return no('login-refused')
    const replaced = sessionOf(jar)
    if (replaced) replaced.isEnded = true
    const session = {
      id: `s${sessions.size + 1}`,
      userId: user.id,
      counter: 0,
      rotatedAtMs: clock.nowMs,
      isEnded: false,
    }
    sessions.set(session.id, session)
    return tokens(session, jar)
  }

  function refresh(wire: HttpRequest, jar: CookieJar): RequestResult {
    if (wire.headers?.['x-requested-with'] !== 'dossier') return no('origin-refused')
    const session = sessionOf(jar)
    if (!session) return no('refresh-invalid')
    const expected = wire.headers['x-dossier-user']
    if (expected !== undefined && expected !== session.userId) return no('user-changed')
    if (session.isEnded) return no('session-ended')
    const isOld = clock.nowMs - session.rotatedAtMs > DUPLICATE_WINDOW_MS
    if (isOld && jar.refresh === `${session.id}.${session.counter}`) {
      session.counter += 1
      session.rotatedAtMs = clock.nowMs
    }
    return tokens(session, jar)
  }

  function logout(wire: HttpRequest, jar: CookieJar): RequestResult {
    const isOwnScript = wire.headers?.['x-requested-with'] === 'dossier'
    const session = sessions.get(claimsIn(wire)?.sid ?? '') ?? (isOwnScript ? sessionOf(jar) : undefined)
    if (session) session.isEnded = true
    if (sessionOf(jar)?.isEnded !== false) jar.refresh = undefined
    return { ok: true, body: undefined }
  }

  function asUser(wire: HttpRequest): RequestResult {
    const claims = claimsIn(wire)
    const session = sessions.get(claims?.sid ?? '')
    if (!claims || !session) return no('token-missing')
    if (clock.nowMs >= claims.exp * 1000 - SESSION.expiryMarginMs) return no('token-expired')
    if (session.isEnded) return no('session-ended')
    const expected = wire.headers?.['x-dossier-user']
    if (expected !== undefined && expected !== session.userId) return no('user-changed')
    return { ok: true, body: wire.path === '/api/auth/user' ? { user: userOf(session.userId) } : { path: wire.path } }
  }

  function answer(wire: HttpRequest, jar: CookieJar): RequestResult {
    switch (wire.path) {
      case '/api/auth/login':
        return login(wire, jar)
      case '/api/auth/refresh':
        return refresh(wire, jar)
      case '/api/auth/logout':
        return logout(wire, jar)
      default:
        return asUser(wire)
    }
  }

  return {
    /** Sends a request with this cookie jar over this network. */
    async send(wire: HttpRequest, jar: CookieJar, network: () => Network): Promise<RequestResult> {
      const unseen = { ...jar }
      await Promise.resolve()
      if (network() === 'down') return UNREACHABLE
      const instead = await before?.(wire)
      if (instead) return instead
      const isLost = network() === 'lost'
      const given = answer(wire, isLost ? unseen : jar)
      return isLost ? UNREACHABLE : given
    },
    /** Lets a test replace the response, or run code just before the server responds. */
    beforeAnswer: (hook: typeof before) => {
      before = hook
    },
    endAllSessions: () => {
      for (const session of sessions.values()) session.isEnded = true
    },
    aliveSessions: () => [...sessions.values()].filter(({ isEnded }) => !isEnded),
  }
}

export type MemoryServer = ReturnType<typeof memoryServer>
