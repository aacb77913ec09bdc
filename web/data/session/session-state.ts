import type { SessionUser, TokenResponse } from '#api/sessions.ts'
import type { CallError } from '#web/data/api/call-error.ts'
import { createStore } from '#web/ui/store.ts'
import { tokenEndMs } from './token-claims.ts'
import { SESSION } from '#domain/specification.ts'

/** Why the last session in this tab ended, for display on the sign-in page. */
export type SessionEnding = 'signed-out' | 'signed-out-elsewhere' | 'expired' | 'user-missing' | 'ended-for-safety'

export type SessionFailure = {
  readonly method: 'login' | 'fetchUser' | 'refreshToken' | 'logout'
  readonly error: CallError
}

export type SessionSnapshot = {
  /** `restoring`: there may be a session, but the server hasn't responded yet. */
  readonly status: 'restoring' | 'signed-out' | 'signed-in'
  readonly isBusy: boolean
  readonly user: SessionUser | null
  readonly ending: SessionEnding | null
  /** The latest session error, which is shown once and cleared by the next sign-in. */
  readonly failure: SessionFailure | null
}

/** The access token, held only in this closure and never stored. */
export type AccessToken = {
  readonly value: string
  /** Expiry time by this device's clock: the time the token was received plus its lifetime. */
  readonly expiresAtMs: number
  readonly sessionId: string
}

export const accessTokenOf = (answer: TokenResponse, receivedAtMs: number): AccessToken => ({
  value: answer.token,
  expiresAtMs: tokenEndMs(answer.token, receivedAtMs),
  sessionId: answer.session_id,
})

const START: SessionSnapshot = { status: 'restoring', isBusy: false, user: null, ending: null, failure: null }

/**
 * The signed-in user and the access token. Every sign-in, sign-out and reset starts a new epoch; work from an earlier
 * epoch can't change the state, so a late response can't revive a session.
 */
export function createSessionState() {
  const { get, set, subscribe } = createStore(START)
  let token: AccessToken | undefined
  let epoch = 0
  let ended = new AbortController()

  const change = (part: Partial<SessionSnapshot>) => set({ ...get(), ...part })

  function beginEpoch() {
    epoch += 1
    token = undefined
    ended.abort()
    ended = new AbortController()
    return epoch
  }

  return {
    get,
    subscribe,
    token: () => token,
    epoch: () => epoch,
    /** Aborted when this epoch ends, to cancel read requests of the previous user. */
    epochEnd: () => ended.signal,
    beginSignIn() {
      const begun = beginEpoch()
      change({ status: 'signed-out', isBusy: true, user: null, ending: null, failure: null })
      return begun
    },
    endSignIn() {
      change({ isBusy: false })
    },
    beginRestoring() {
      const begun = beginEpoch()
      change({ status: 'restoring', user: null, ending: null })
      return begun
    },
    /** Stores a token, unless its epoch has ended. */
    keepToken(of: number, next: AccessToken): boolean {
      if (of !== epoch) return false
      token = next
      return true
    },
    /** Stores the user, unless the epoch has ended. */
    keepUser(of: number, user: SessionUser): boolean {
      if (of !== epoch) return false
      change({ status: 'signed-in', user, ending: null })
      return true
    },
    /** Reports each session error once. */
    fail(method: SessionFailure['method'], error: CallError) {
      change({ failure: { method, error } })
    },
    reset(ending: SessionEnding | null) {
      beginEpoch()
      change({ status: 'signed-out', user: null, ending })
    },
  }
}

/**
 * Whether the previous user signed out in this or another tab; if so, local data is deleted, unlike after session
 * expiry.
 */
export const hasSignedOut = ({ ending }: SessionSnapshot): boolean =>
  ending === 'signed-out' || ending === 'signed-out-elsewhere'

export type SessionState = ReturnType<typeof createSessionState>

export const sessionState: SessionState = createSessionState()

export function whenSettled(state: SessionState): Promise<SessionSnapshot> {
  return new Promise((resolve) => {
    const now = state.get()
    if (now.status !== 'restoring') return resolve(now)
    const stop = state.subscribe(() => {
      const then = state.get()
      if (then.status === 'restoring') return
      stop()
      resolve(then)
    })
  })
}

/** The four session routes. They are configurable; the type uses the default values. */
type SessionRoutes = typeof SESSION.routes

type SessionConfig = { readonly routes: SessionRoutes; readonly scopeField: string }

/** Parses the settings that the server embedded in the page; falls back to the defaults. */
export function readSessionConfig(text: string): SessionConfig {
  if (text === '') return SESSION
  // The server validates the settings at startup.
  return JSON.parse(text) as SessionConfig
}

const settingsInPage = (): string =>
  typeof document === 'undefined'
    ? ''
    : (document.querySelector<HTMLMetaElement>('meta[name="session-settings"]')?.content ?? '')

/** The only place where the browser defines its session routes and the user field that contains the scopes. */
export const sessionConfig: SessionConfig = readSessionConfig(settingsInPage())

/** Drops all data and reloads the page, because it shows a different user's data. */
export function reloadPage(state: SessionState): void {
  state.beginRestoring()
  window.location.reload()
}

/** The ID of the user who signed in, even during impersonation. */
export const signedInUserId = ({ id, view_as: view }: SessionUser): string => (view?.is_on === true ? view.by.id : id)
