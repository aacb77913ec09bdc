import { tokenAge } from '#domain/sessions/session.ts'
import { SESSION_ERRORS } from '#domain/specification.ts'
import { t } from '#web/i18n/t.ts'
import { CallError } from '#web/data/api/call-error.ts'
import { EXPECTED_USER, VIEW_AS } from '#web/data/api/send-request.ts'
import type { RefreshOutcome } from './refresh-session.ts'
import { hasSignedOut, type SessionSnapshot, type SessionState, signedInUserId, whenSettled } from './session-state.ts'

export type SignedHeaders = { readonly [name: string]: string }

type AccessTokenDeps = {
  readonly state: SessionState
  readonly refresh: () => Promise<RefreshOutcome>
  readonly now: () => number
}

const sessionExpired = () => new CallError('session-expired', SESSION_ERRORS.bothExpired, { status: 401 })
const unreachable = () =>
  new CallError(
    'unreachable',
    t('Couldn’t renew your session, but you’re still signed in. Check your connection and try again.'),
  )

export const supersededError = (): CallError =>
  new CallError('session-changed', t('Your session changed during the request.'))

export function createAccessToken({ state, refresh, now }: AccessTokenDeps) {
  async function renewedToken(): Promise<string> {
    const outcome = await refresh()
    if (outcome === 'refused') throw sessionExpired()
    if (outcome === 'unreachable') throw unreachable()
    if (outcome === 'overtaken') throw supersededError()
    return presentToken()
  }

  /** The current access token; throws if there is none, because the session has ended. */
  function presentToken(): string {
    const token = state.token()?.value
    if (token !== undefined) return token
    throw hasSignedOut(state.get()) ? supersededError() : sessionExpired()
  }

  const isExpired = (): boolean => tokenAge(state.token()?.expiresAtMs, now()) === 'expired'

  /** A valid access token, refreshed if necessary; throws if signed out. */
  const freshToken = async (): Promise<string> => (isExpired() ? renewedToken() : presentToken())

  /** Refreshes a rejected token, unless it has already been refreshed. */
  const tokenAfter = async (refused: string): Promise<string> =>
    state.token()?.value === refused ? renewedToken() : presentToken()

  function headersWith(token: string): SignedHeaders {
    const { user } = state.get()
    return {
      authorization: `Bearer ${token}`,
      ...(user && { [EXPECTED_USER]: signedInUserId(user) }),
      ...(user?.view_as?.is_on === true && { [VIEW_AS]: user.id }),
    }
  }

  return {
    freshToken,
    tokenAfter,
    headersWith,
    /** Authorization headers for code that sends its own requests, such as uploads. */
    signedHeaders: async (): Promise<SignedHeaders> => headersWith(await freshToken()),
    /** Refreshes the rejected token in these headers; returns whether a newer one is available. */
    renewSigned: async ({ authorization }: SignedHeaders): Promise<boolean> => {
      const refused = authorization?.replace(/^Bearer /, '')
      if (refused === undefined) return false
      await tokenAfter(refused)
      return true
    },
    confirmSession: async (): Promise<SessionSnapshot> => {
      await whenSettled(state)
      if (isExpired()) await refresh()
      return whenSettled(state)
    },
  }
}
