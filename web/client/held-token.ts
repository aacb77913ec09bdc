import { judgeTokenAge } from '#domain/sessions/token-lifetime.ts'
import { SESSION_ERRORS } from '#domain/specification.ts'
import { t } from '#web/language/t.ts'
import { CallFailed } from './call-failed.ts'
import { EXPECTED_USER, VIEW_AS } from './own-headers.ts'
import type { RefreshOutcome } from './refresh-session.ts'
import { signedInId } from './signed-in-id.ts'
import { type SessionSnapshot, type SessionState, whenSettled } from './session-state.ts'

/** What a request bears of the session: the token, and whom the page shows. */
export type SignedHeaders = { readonly [name: string]: string }

type Needs = {
  readonly state: SessionState
  readonly refresh: () => Promise<RefreshOutcome>
  readonly now: () => number
}

const sessionExpired = () => new CallFailed('session-expired', SESSION_ERRORS.bothExpired, { status: 401 })
const unreachable = () =>
  new CallFailed(
    'unreachable',
    t('Your session could not be renewed, but it is kept. Check your connection and try again.'),
  )

/** The failure of whatever was begun before somebody came or went. */
export const overtaken = (): CallFailed =>
  new CallFailed('session-changed', t('The session changed while this was under way.'))

/** Makes the ways to the token that the next request bears. */
export function createHeldToken({ state, refresh, now }: Needs) {
  async function renewedToken(): Promise<string | undefined> {
    const outcome = await refresh()
    if (outcome === 'refused') throw sessionExpired()
    if (outcome === 'unreachable') throw unreachable()
    if (outcome === 'overtaken') throw overtaken()
    return state.token()?.value
  }

  const isExpired = (): boolean => judgeTokenAge(state.token()?.expiresAtMs, now()) === 'expired'

  /** A token that is good for the next request, renewed first where it must be; undefined when nobody is signed in. */
  const freshToken = async (): Promise<string | undefined> => (isExpired() ? renewedToken() : state.token()?.value)

  /** After the server refused a token: renews it, unless somebody else has done so meanwhile. */
  const tokenAfter = async (refused: string): Promise<string | undefined> =>
    state.token()?.value === refused ? renewedToken() : state.token()?.value

  function headersWith(token: string | undefined): SignedHeaders {
    const { user } = state.snapshot()
    if (token === undefined) return {}
    return {
      authorization: `Bearer ${token}`,
      ...(user && { [EXPECTED_USER]: signedInId(user) }),
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
      return refused !== undefined && (await tokenAfter(refused)) !== undefined
    },
    /** Makes sure that whoever seems to be signed in still is, as far as that can be known now. */
    confirmSession: async (): Promise<SessionSnapshot> => {
      await whenSettled(state)
      if (isExpired()) await refresh()
      return whenSettled(state)
    },
  }
}
