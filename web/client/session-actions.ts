import type { z } from 'zod'
import { login, logout, setUp } from '#api/sessions.ts'
import { forget, keep, readKept } from './browser-storage.ts'
import { callOpenly } from './call.ts'
import { type Exchange, exchange } from './exchange.ts'
import { createReadUser, type ReadUser } from './read-session-user.ts'
import { type RefreshOutcome, refreshSession } from './refresh-session.ts'
import { delayAfterTries } from './retry-delays.ts'
import { type SessionState, sessionState } from './session-state.ts'
import { joinTabs, type TabNews } from './session-tabs.ts'
import { createSignIn, type SignIn } from './sign-in.ts'

/**
 * What is remembered about the cookie that scripts cannot see: `maybe` there is a session to restore; `leaving`: a
 * sign-out has not reached the server yet, so nothing may be restored. Nothing of it is secret.
 */
export type SessionHint = 'maybe' | 'leaving' | null

type Needs = {
  readonly state: SessionState
  readonly exchange: Exchange
  readonly refresh: () => Promise<RefreshOutcome>
  readonly readUser: ReadUser
  readonly signIn: SignIn
  readonly wait: (ms: number) => Promise<void>
  readonly hint: { readonly read: () => SessionHint; readonly keep: (hint: SessionHint) => void }
  readonly tell: (news: TabNews) => void
  readonly reloadPage: () => void
}

/** Makes what a person can do with the session of one tab: restore it, sign in, sign out. */
export function createSessionActions({ state, hint, tell, signIn, ...needs }: Needs) {
  /** Tells the server that this browser leaves; true once it knows. */
  async function leaveServer(token: string | undefined): Promise<boolean> {
    const { method, path } = logout
    const exchanged = await needs.exchange({ method, path, token, answer: 'empty', keepalive: true })
    if (exchanged.ok && hint.read() === 'leaving') hint.keep(null)
    return exchanged.ok
  }

  async function restoreUser(epoch: number): Promise<void> {
    const token = state.token()?.value
    if (token === undefined) return
    const found = await needs.readUser(token, Number.POSITIVE_INFINITY)
    if (found.ok) state.keepUser(epoch, found.user)
    else if (epoch === state.epoch()) state.reset('expired')
  }

  /** Renews the session, then reads its user; while the server is away it asks again and again. */
  async function restoreFromCookie(): Promise<void> {
    const epoch = state.beginRestoring()
    for (let tries = 0; epoch === state.epoch(); tries += 1) {
      const outcome = await needs.refresh()
      if (outcome === 'renewed') return restoreUser(epoch)
      if (outcome === 'refused') return hint.keep(null)
      if (outcome === 'overtaken') return
      await needs.wait(delayAfterTries(tries))
    }
  }

  return {
    /** Called once when the page starts. Without a hint nothing is asked, so that a stranger's visit fails nowhere. */
    async restoreSession(): Promise<void> {
      const known = hint.read()
      if (known === 'maybe') return restoreFromCookie()
      state.reset(null)
      if (known === 'leaving') await leaveServer(undefined)
    },
    logIn: (email: string, password: string) =>
      signIn(() => callOpenly(login, { body: { email, password, client: 'browser' } })),
    /** The way in for every other answer that carries a token: second step, passkey, provider, invitation. */
    signInWith: signIn,
    setUpOwner: (owner: z.input<typeof setUp.body>) => signIn(() => callOpenly(setUp, { body: owner })),
    /** Signs out at once in this browser, then on the server; offline, the server is told at the next start. */
    logOut(): Promise<boolean> {
      const token = state.token()?.value
      hint.keep('leaving')
      state.reset('signed-out')
      tell({ type: 'signed-out' })
      return leaveServer(token)
    },
    /** What another tab did, done here too. */
    hearTab(news: TabNews): void {
      const { status, user } = state.snapshot()
      if (news.type === 'signed-out') {
        if (status !== 'signed-out') state.reset('signed-out-elsewhere')
      } else if (status === 'signed-out') void restoreFromCookie()
      // Somebody else is signed in now: what is on the screen is not theirs.
      else if (user && user.id !== news.userId) needs.reloadPage()
    },
  }
}

const HINT_KEY = 'session'

function readHint(): SessionHint {
  const kept = readKept(HINT_KEY)
  return kept === 'maybe' || kept === 'leaving' ? kept : null
}

const hint = {
  read: readHint,
  keep: (next: SessionHint) => (next === null ? forget(HINT_KEY) : keep(HINT_KEY, next)),
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const tabs = joinTabs((news) => sessionActions.hearTab(news))

const readUser = createReadUser({ exchange, wait })

const signIn = createSignIn({
  state: sessionState,
  readUser,
  now: () => Date.now(),
  onSignedIn(user) {
    hint.keep('maybe')
    tabs.tell({ type: 'signed-in', userId: user.id })
  },
})

/** What a person can do with the session of this tab. */
export const sessionActions: ReturnType<typeof createSessionActions> = createSessionActions({
  state: sessionState,
  exchange,
  refresh: refreshSession,
  readUser,
  signIn,
  wait,
  hint,
  tell: tabs.tell,
  reloadPage: () => window.location.reload(),
})
