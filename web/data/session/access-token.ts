import { tokenAge } from '#domain/sessions/token-lifetime.ts'
import { SESSION_ERRORS } from '#domain/specification.ts'
import { t } from '#web/i18n/t.ts'
import { CallError } from '#web/data/api/call-error.ts'
import { EXPECTED_USER, VIEW_AS } from '#web/data/api/send-request.ts'
import type { RefreshOutcome } from './refresh-session.ts'

import { hasSignedOut, type SessionSnapshot, type SessionState, signedInUserId, whenSettled } from './session-state.ts'

/** What a request bears of the session: the token, and whom the page shows. */
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

/** The failure of whatever was begun before somebody came or went. */
export const supersededError = (): CallError =>
  new CallError('session-changed', t('Your session changed during the request.'))

/** Makes the ways to the token that the next request bears. */
export function createAccessToken({ state, refresh, now }: AccessTokenDeps) {
  async function renewedToken(): Promise<string> {
    const outcome = await refresh()
    if (outcome === 'refused') throw sessionExpired()
    if (outcome === 'unreachable') throw unreachable()
    if (outcome === 'overtaken') throw supersededError()
    return presentToken()
  }

  /** The token there is; nothing is sent without one, for the session it was meant for is over. */
  function presentToken(): string {
    const token = state.token()?.value
    if (token !== undefined) return token
    throw hasSignedOut(state.snapshot()) ? supersededError() : sessionExpired()
  }

  const isExpired = (): boolean => tokenAge(state.token()?.expiresAtMs, now()) === 'expired'

  /** A token that is good for the next request, renewed first where it must be; throws when nobody is signed in. */
  const freshToken = async (): Promise<string> => (isExpired() ? renewedToken() : presentToken())

  /** After the server refused a token: renews it, unless somebody else has done so meanwhile. */
  const tokenAfter = async (refused: string): Promise<string> =>
    state.token()?.value === refused ? renewedToken() : presentToken()

  function headersWith(token: string): SignedHeaders {
    const { user } = state.snapshot()
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
    /** For what sends by itself, such as an upload: what its next request must bear. */
    signedHeaders: async (): Promise<SignedHeaders> => headersWith(await freshToken()),
    /** For what sends by itself: whether there is a newer token after the one in these headers was refused. */
    renewSigned: async ({ authorization }: SignedHeaders): Promise<boolean> => {
      const refused = authorization?.replace(/^Bearer /, '')
      if (refused === undefined) return false
      await tokenAfter(refused)
      return true
    },
    /** Makes sure that whoever seems to be signed in still is, as far as that can be known now. */
    confirmSession: async (): Promise<SessionSnapshot> => {
      await whenSettled(state)
      if (isExpired()) await refresh()
      return whenSettled(state)
    },
  }
}
