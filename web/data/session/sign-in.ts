import { type ChallengeResponse, readSessionUser, type SessionUser, type TokenResponse } from '#api/sessions.ts'
import { SESSION_ERRORS } from '#domain/specification.ts'
import { CallError, toCallError } from '#web/data/api/call-error.ts'
import { type SendRequest, VIEW_AS } from '#web/data/api/send-request.ts'
import { delayAfterTries } from '#web/data/connection/connection-state.ts'
import { t } from '#web/i18n/t.ts'
import { accessTokenOf, type SessionState } from './session-state.ts'

const userMissing = (): CallError => new CallError('unreadable-answer', SESSION_ERRORS.noUserField)

export function userIn({ user }: { readonly user?: SessionUser | undefined }): SessionUser {
  if (user === undefined) throw userMissing()
  return user
}

export const isUserMissing = ({ detail }: CallError): boolean => detail === SESSION_ERRORS.noUserField

type ReadUserDeps = { readonly exchange: SendRequest; readonly wait: (ms: number) => Promise<void> }

type ReadUserResult =
  | { readonly ok: true; readonly user: SessionUser }
  | { readonly ok: false; readonly failure: CallError }

/** Loads the user that a token belongs to; retries a few times while the server is unreachable. */
export function createReadUser({ exchange, wait }: ReadUserDeps) {
  async function ask(token: string, viewAs?: string): Promise<ReadUserResult> {
    const { method, path } = readSessionUser
    const headers = { authorization: `Bearer ${token}`, ...(viewAs !== undefined && { [VIEW_AS]: viewAs }) }
    const exchanged = await exchange({ method, path, headers, answer: 'json' })
    if (!exchanged.ok) return exchanged
    // The server serializes the response with the endpoint's schema, so only the presence of the user is checked.
    const { user } = exchanged.body as { readonly user?: SessionUser }
    return user ? { ok: true, user } : { ok: false, failure: userMissing() }
  }

  /** Loads the signed-in user, or the impersonated user if the session is impersonating and still has permission. */
  async function askAsSeen(token: string): Promise<ReadUserResult> {
    const found = await ask(token)
    const view = found.ok ? found.user.view_as : null
    if (!view || view.is_on) return found
    const seen = await ask(token, view.user.id)
    return seen.ok || seen.failure.isPassing ? seen : found
  }

  return async function readUser(token: string, maxAttempts: number): Promise<ReadUserResult> {
    for (let tries = 1; ; tries += 1) {
      const found = await askAsSeen(token)
      if (found.ok || !found.failure.isPassing || tries >= maxAttempts) return found
      await wait(delayAfterTries(tries - 1))
    }
  }
}

export type ReadUser = ReturnType<typeof createReadUser>

type SignInDeps = {
  readonly state: SessionState
  readonly readUser: ReadUser
  readonly now: () => number
  readonly onSignedIn: (user: SessionUser) => void
  /** Called with the token of a session that this page can't use, so that the server ends the session. */
  readonly onAbandoned: (token: string) => void
}

/** Maximum number of retries, so that a sign-in doesn't wait indefinitely for the user's data. */
const MAX_RETRIES = 3

const supersededError = () => new CallError('session-changed', t('The signed-in user changed. Try again.'))
const tokenMissing = () =>
  new CallError('unreadable-answer', t('Sign-in succeeded, but the server sent no token. Try again.'))

/** Requests a token; returns a challenge if a second factor is required. */
type RequestToken = () => Promise<TokenResponse | ChallengeResponse>

/** Signs in with a token from any source; concurrent calls share one sign-in. */
export function createSignIn({ state, readUser, now, onSignedIn, onAbandoned }: SignInDeps) {
  async function takeUp(epoch: number, answer: TokenResponse): Promise<SessionUser> {
    if (!state.keepToken(epoch, accessTokenOf(answer, now()))) throw supersededError()
    const found = await readUser(answer.token, MAX_RETRIES)
    if (!found.ok) {
      if (epoch === state.epoch()) state.fail('fetchUser', found.failure)
      throw found.failure
    }
    if (!state.keepUser(epoch, found.user)) throw supersededError()
    return found.user
  }

  async function askForTokens(epoch: number, askForToken: RequestToken): Promise<TokenResponse | ChallengeResponse> {
    const answer = await askForToken().then(undefined, (error: unknown) => {
      const failure = toCallError(error)
      if (failure && failure.code !== 'aborted' && epoch === state.epoch()) state.fail('login', failure)
      throw error
    })
    if ('challenge' in answer || typeof answer.token === 'string') return answer
    state.fail('login', tokenMissing())
    throw tokenMissing()
  }

  async function signIn(askForToken: RequestToken): Promise<SessionUser | ChallengeResponse> {
    const epoch = state.beginSignIn()
    let abandoned: string | undefined
    try {
      const answer = await askForTokens(epoch, askForToken)
      if ('challenge' in answer) return answer
      abandoned = answer.token
      const user = await takeUp(epoch, answer)
      abandoned = undefined
      onSignedIn(user)
      return user
    } finally {
      // A token without a user is discarded here and on the server, so that there is never a partial session.
      if (epoch === state.epoch() && state.get().status !== 'signed-in') state.reset(null)
      if (abandoned !== undefined) onAbandoned(abandoned)
      state.endSignIn()
    }
  }

  let underWay: Promise<SessionUser | ChallengeResponse> | undefined

  return function signInOnce(askForToken: RequestToken): Promise<SessionUser | ChallengeResponse> {
    underWay ??= signIn(askForToken).finally(() => (underWay = undefined))
    return underWay
  }
}

export type SignIn = ReturnType<typeof createSignIn>
