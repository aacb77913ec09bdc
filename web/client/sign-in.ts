import type { ChallengeAnswer, SessionUser, TokenAnswer } from '#api/sessions.ts'
import { t } from '#web/language/t.ts'
import { asCallFailed, CallFailed } from './call-failed.ts'
import type { ReadUser } from './read-session-user.ts'
import { heldTokenOf, type SessionState } from './session-state.ts'

type Needs = {
  readonly state: SessionState
  readonly readUser: ReadUser
  readonly now: () => number
  readonly onSignedIn: (user: SessionUser) => void
  /** The server has begun a session that this page could not take up; it has to be ended. */
  readonly onAbandoned: (token: string) => void
}

/** A sign-in does not wait for ever for a user who may never come. */
const MOST_TRIES = 3

const overtaken = () => new CallFailed('session-changed', t('Somebody signed in or out meanwhile. Try again.'))
const tokenMissing = () =>
  new CallFailed('unreadable-answer', t('The server accepted the sign-in but sent no token. Try again.'))

/** Asks for the token; a challenge comes in its place where a second factor is still missing. */
type AskForToken = () => Promise<TokenAnswer | ChallengeAnswer>

/** Makes the one way in, wherever the token comes from; a second click joins the first. */
export function createSignIn({ state, readUser, now, onSignedIn, onAbandoned }: Needs) {
  async function takeUp(epoch: number, answer: TokenAnswer): Promise<SessionUser> {
    if (!state.keepToken(epoch, heldTokenOf(answer, now()))) throw overtaken()
    const found = await readUser(answer.token, MOST_TRIES)
    if (!found.ok) {
      if (epoch === state.epoch()) state.fail('fetchUser', found.failure)
      throw found.failure
    }
    if (!state.keepUser(epoch, found.user)) throw overtaken()
    return found.user
  }

  async function askForTokens(epoch: number, askForToken: AskForToken): Promise<TokenAnswer | ChallengeAnswer> {
    const answer = await askForToken().then(undefined, (error: unknown) => {
      const failure = asCallFailed(error)
      if (failure && failure.code !== 'aborted' && epoch === state.epoch()) state.fail('login', failure)
      throw error
    })
    if ('challenge' in answer || typeof answer.token === 'string') return answer
    state.fail('login', tokenMissing())
    throw tokenMissing()
  }

  async function signIn(askForToken: AskForToken): Promise<SessionUser | ChallengeAnswer> {
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

  return function signInOnce(askForToken: AskForToken): Promise<SessionUser | ChallengeAnswer> {
    underWay ??= signIn(askForToken).finally(() => (underWay = undefined))
    return underWay
  }
}

/** The one way in. */
export type SignIn = ReturnType<typeof createSignIn>
