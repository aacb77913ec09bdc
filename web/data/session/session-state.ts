import type { SessionUser, TokenResponse } from '#api/sessions.ts'
import type { CallError } from '#web/data/api/call-error.ts'
import { tokenEndMs } from './token-claims.ts'
import { SESSION } from '#domain/specification.ts'

/** Why the last session of this tab ended; the sign-in page says it. */
export type SessionEnding = 'signed-out' | 'signed-out-elsewhere' | 'expired' | 'user-missing' | 'ended-for-safety'

/** What the session handling itself failed at. */
export type SessionFailure = {
  readonly method: 'login' | 'fetchUser' | 'refreshToken' | 'logout'
  readonly error: CallError
}

/** The public state of the session. */
export type SessionSnapshot = {
  /** `restoring`: a session may exist, and the server has not said yet. */
  readonly status: 'restoring' | 'signed-out' | 'signed-in'
  /** While a sign-in is under way. */
  readonly isBusy: boolean
  readonly user: SessionUser | null
  readonly ending: SessionEnding | null
  /** The last session error, shown once; the next sign-in clears it. */
  readonly failure: SessionFailure | null
}

/** The access token; kept only in this closure and never stored. */
export type AccessToken = {
  readonly value: string
  /** By this device's clock: the moment of receipt plus the token's lifetime. */
  readonly expiresAtMs: number
  readonly sessionId: string
}

/** The token of an answer that came at `receivedAtMs`. */
export const accessTokenOf = (answer: TokenResponse, receivedAtMs: number): AccessToken => ({
  value: answer.token,
  expiresAtMs: tokenEndMs(answer.token, receivedAtMs),
  sessionId: answer.session_id,
})

const START: SessionSnapshot = { status: 'restoring', isBusy: false, user: null, ending: null, failure: null }

/**
 * Who is signed in, and with which token. Every sign-in, sign-out and reset begins a new epoch; what was begun in an
 * earlier one can no longer change anything, so that a late answer never brings a session back to life.
 */
export function createSessionState() {
  let snapshot = START
  let token: AccessToken | undefined
  let epoch = 0
  let ended = new AbortController()
  const listeners = new Set<() => void>()

  function change(part: Partial<SessionSnapshot>) {
    snapshot = { ...snapshot, ...part }
    for (const listener of listeners) listener()
  }

  function beginEpoch() {
    epoch += 1
    token = undefined
    ended.abort()
    ended = new AbortController()
    return epoch
  }

  return {
    snapshot: () => snapshot,
    token: () => token,
    epoch: () => epoch,
    /** Aborts when this epoch ends: reads of a former user are canceled. */
    epochEnd: () => ended.signal,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    /** Starts a sign-in: the former user is signed out here. */
    beginSignIn() {
      const begun = beginEpoch()
      change({ status: 'signed-out', isBusy: true, user: null, ending: null, failure: null })
      return begun
    },
    /** A sign-in is over, however it went. */
    endSignIn() {
      change({ isBusy: false })
    },
    /** The server is asked for a session that may exist. */
    beginRestoring() {
      const begun = beginEpoch()
      change({ status: 'restoring', user: null, ending: null })
      return begun
    },
    /** Holds a token, unless its epoch is over. */
    keepToken(of: number, next: AccessToken): boolean {
      if (of !== epoch) return false
      token = next
      return true
    },
    /** Somebody is signed in, unless the epoch is over. */
    keepUser(of: number, user: SessionUser): boolean {
      if (of !== epoch) return false
      change({ status: 'signed-in', user, ending: null })
      return true
    },
    /** The session handling failed at something; each failure is told here, and once. */
    fail(method: SessionFailure['method'], error: CallError) {
      change({ failure: { method, error } })
    },
    /** Nobody is signed in any more. */
    reset(ending: SessionEnding | null) {
      beginEpoch()
      change({ status: 'signed-out', user: null, ending })
    },
  }
}

/**
 * Whether whoever was here signed out, in this tab or in another: they leave nothing behind. A session that died is
 * come back to.
 */
export const hasSignedOut = ({ ending }: SessionSnapshot): boolean =>
  ending === 'signed-out' || ending === 'signed-out-elsewhere'

/** The session of a tab. */
export type SessionState = ReturnType<typeof createSessionState>

/** The session of this tab. */
export const sessionState: SessionState = createSessionState()

/** Waits until it is known whether somebody is signed in. */
export function whenSettled(state: SessionState): Promise<SessionSnapshot> {
  return new Promise((resolve) => {
    const now = state.snapshot()
    if (now.status !== 'restoring') return resolve(now)
    const stop = state.subscribe(() => {
      const then = state.snapshot()
      if (then.status === 'restoring') return
      stop()
      resolve(then)
    })
  })
}

/** The four routes of the session. Their names may be others than these; the types know the usual ones. */
type SessionRoutes = typeof SESSION.routes

/** What of the session handling can be set. */
type SessionConfig = { readonly routes: SessionRoutes; readonly scopeField: string }

/** Reads what the server wrote into the page; nothing, where another server gave it, means the usual ones. */
export function readSessionConfig(text: string): SessionConfig {
  if (text === '') return SESSION
  // Written by the server, which refused to start with settings that make no sense.
  return JSON.parse(text) as SessionConfig
}

const settingsInPage = (): string =>
  typeof document === 'undefined'
    ? ''
    : (document.querySelector<HTMLMetaElement>('meta[name="session-settings"]')?.content ?? '')

/** THE ONLY PLACE where the browser knows its session routes and the field of the user that holds the scopes. */
export const sessionConfig: SessionConfig = readSessionConfig(settingsInPage())

/**
 * Another user is signed in than the one this page shows: drops their data, stops all requests and reloads the page.
 */
export function reloadPage(state: SessionState): void {
  state.beginRestoring()
  window.location.reload()
}

/** Who is really signed in: whoever looks at the product as somebody else is still themselves to the session. */
export const signedInUserId = ({ id, view_as: view }: SessionUser): string => (view?.is_on === true ? view.by.id : id)
