import type { ChallengeAnswer, SessionUser, TokenAnswer } from '#api/sessions.ts'
import { t } from '#web/i18n/t.ts'
import { toCallError, CallError } from '#web/data/api/call-error.ts'
import type { ReadUser } from './read-session-user.ts'
import { accessTokenOf, type SessionState } from './session-state.ts'

type SignInDeps = {
  readonly state: SessionState
  readonly readUser: ReadUser
  readonly now: () => number
  readonly onSignedIn: (user: SessionUser) => void
  /** The server has begun a session that this page could not take up; it has to be ended. */
  readonly onAbandoned: (token: string) => void
}

/** A sign-in does not wait for ever for a user who may never come. */
const MAX_RETRIES = 3

const supersededError = () => new CallError('session-changed', t('The signed-in user changed. Try again.'))
const tokenMissing = () =>
  new CallError('unreadable-answer', t('Sign-in succeeded, but the server sent no token. Try again.'))

/** Asks for the token; a challenge comes in its place where a second factor is still missing. */
type RequestToken = () => Promise<TokenAnswer | ChallengeAnswer>

/** Makes the one way in, wherever the token comes from; a second click joins the first. */
export function createSignIn({ state, readUser, now, onSignedIn, onAbandoned }: SignInDeps) {
  async function takeUp(epoch: number, answer: TokenAnswer): Promise<SessionUser> {
    if (!state.keepToken(epoch, accessTokenOf(answer, now()))) throw supersededError()
    const found = await readUser(answer.token, MAX_RETRIES)
    if (!found.ok) {
      if (epoch === state.epoch()) state.fail('fetchUser', found.failure)
      throw found.failure
    }
    if (!state.keepUser(epoch, found.user)) throw supersededError()
    return found.user
  }

  async function askForTokens(epoch: number, askForToken: RequestToken): Promise<TokenAnswer | ChallengeAnswer> {
    const answer = await askForToken().then(undefined, (error: unknown) => {
      const failure = toCallError(error)
      if (failure && failure.code !== 'aborted' && epoch === state.epoch()) state.fail('login', failure)
      throw error
    })
    if ('challenge' in answer || typeof answer.token === 'string') return answer
    state.fail('login', tokenMissing())
    throw tokenMissing()
  }

  async function signIn(askForToken: RequestToken): Promise<SessionUser | ChallengeAnswer> {
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
      // No half of a session is left behind: a token without its user is forgotten, here and on the server.
      if (epoch === state.epoch() && state.snapshot().status !== 'signed-in') state.reset(null)
      if (abandoned !== undefined) onAbandoned(abandoned)
      state.endSignIn()
    }
  }

  let underWay: Promise<SessionUser | ChallengeAnswer> | undefined

  return function signInOnce(askForToken: RequestToken): Promise<SessionUser | ChallengeAnswer> {
    underWay ??= signIn(askForToken).finally(() => (underWay = undefined))
    return underWay
  }
}

/** The one way in. */
export type SignIn = ReturnType<typeof createSignIn>
