import type { z } from 'zod'
import { login, logout, type SessionUser, setUp } from '#api/sessions.ts'
import { callOpenly, confirmSession } from '#web/data/api/call.ts'
import { connectionState, delayAfterTries } from '#web/data/connection/connection-state.ts'
import { queryClient } from '#web/data/queries/query-client.ts'
import { clearDrafts, clearOffline, clearUploads } from '#web/data/storage/clear-databases.ts'
import { CSRF_HEADER, type SendRequest, sendRequest } from '#web/data/api/send-request.ts'
import { createReadUser, createSignIn, isUserMissing, type ReadUser, type SignIn } from './sign-in.ts'
import { type RefreshOutcome, refreshSession } from './refresh-session.ts'
import { hasSignedOut, reloadPage, type SessionState, sessionState, signedInUserId } from './session-state.ts'
import { joinTabs, readHint, type SessionHint, setTransient, storeHint, type TabMessage } from './session-tabs.ts'

type SessionActionsDeps = {
  readonly state: SessionState
  readonly callOpenly: typeof callOpenly
  readonly exchange: SendRequest
  readonly refresh: () => Promise<RefreshOutcome>
  readonly readUser: ReadUser
  readonly signIn: SignIn
  readonly wait: (ms: number) => Promise<void>
  readonly hint: { readonly read: () => SessionHint; readonly keep: (hint: SessionHint) => void }
  readonly tell: (news: TabMessage) => void
  readonly forgetWork: () => void
  /** Deletes the cached data for offline startup. */
  readonly forgetCopies: () => void
  /** The user whose data this browser has cached for offline startup. */
  readonly offlineUser: (userId: string) => Promise<SessionUser | undefined>
  readonly onOtherUser: () => void
  readonly confirm: () => Promise<unknown>
}

/** Maximum time in ms that a sign-in waits for a pending sign-out, whose response would delete the new cookie. */
const SIGN_OUT_TIMEOUT_MS = 3000

/** Sends a sign-out to the server. Until the server has processed it, this browser doesn't restore sessions. */
function createSignOut({ state, hint, exchange: send }: Pick<SessionActionsDeps, 'state' | 'hint' | 'exchange'>) {
  let underWay: Promise<unknown> = Promise.resolve()

  async function leave(token: string | undefined): Promise<boolean> {
    const { method, path } = logout
    const headers = { ...CSRF_HEADER, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
    const exchanged = await send({ method, path, headers, answer: 'empty', keepalive: true })
    if (exchanged.ok && hint.read() === 'leaving') hint.keep('left')
    if (!exchanged.ok) state.fail('logout', exchanged.failure)
    return exchanged.ok
  }

  return {
    leaveServer: (token: string | undefined): Promise<boolean> => {
      const left = leave(token)
      underWay = left
      return left
    },
    whenLeft: () => underWay,
  }
}

/** Restores a session from the cookie; retries while the server is unreachable. */
function createSessionRestore({ state, hint, refresh, readUser, wait, offlineUser }: SessionActionsDeps) {
  async function restoreUser(epoch: number): Promise<void> {
    const token = state.token()?.value
    if (token === undefined) return
    const found = await readUser(token, Number.POSITIVE_INFINITY)
    if (epoch !== state.epoch()) return
    if (found.ok) {
      hint.keep({ userId: signedInUserId(found.user) })
      state.keepUser(epoch, found.user)
    } else {
      state.reset(isUserMissing(found.failure) ? 'user-missing' : 'expired')
      state.fail('fetchUser', found.failure)
    }
  }

  /** Shows cached data until the server responds. */
  async function startOffline(epoch: number): Promise<void> {
    const known = hint.read()
    const user = typeof known === 'object' && known && (await offlineUser(known.userId))
    if (user) state.keepUser(epoch, user)
  }

  return async function restoreFromCookie(): Promise<void> {
    const epoch = state.beginRestoring()
    for (let tries = 0; epoch === state.epoch(); tries += 1) {
      const outcome = await refresh()
      if (outcome === 'renewed') return restoreUser(epoch)
      if (outcome === 'refused' || outcome === 'overtaken') return
      if (tries === 0) await startOffline(epoch)
      await wait(delayAfterTries(tries))
    }
  }
}

function createTabListener(
  { state, forgetWork, onOtherUser }: SessionActionsDeps,
  restoreFromCookie: () => Promise<void>,
) {
  function hearTab(news: TabMessage): void {
    const { status, user, isBusy } = state.get()
    // A sign-in in progress broadcasts its own message when it completes.
    if (isBusy) return
    if (news.type === 'signed-out') {
      if (status === 'signed-out') return
      state.reset('signed-out-elsewhere')
      forgetWork()
    } else if (status === 'signed-out') void restoreFromCookie()
    // The page shows another user's data, so it must be reloaded.
    else if (user && signedInUserId(user) !== news.userId) onOtherUser()
  }

  return {
    hearTab,
    /** The stored hint contains other tabs' changes, even if this tab missed their messages. */
    hearHint: (known: SessionHint): void => {
      if (known === null) return
      hearTab(typeof known === 'object' ? { type: 'signed-in', userId: known.userId } : { type: 'signed-out' })
    },
  }
}

/** Clears the stored hint after a session has ended, so that pages don't try to restore it at startup. */
function clearEndedSession({ state, hint, forgetCopies }: SessionActionsDeps): void {
  state.subscribe(() => {
    const { ending } = state.get()
    const isDead = ending !== null && !hasSignedOut(state.get())
    if (!isDead || typeof hint.read() !== 'object') return
    hint.keep(null)
    // The cached data must not outlive the session.
    forgetCopies()
  })
}

export function createSessionActions(deps: SessionActionsDeps) {
  const { state, hint, signIn } = deps
  const { leaveServer, whenLeft } = createSignOut(deps)
  const restoreFromCookie = createSessionRestore(deps)
  const hearing = createTabListener(deps, restoreFromCookie)
  clearEndedSession(deps)

  const signInWith: SignIn = (askForToken) =>
    signIn(async () => {
      await Promise.race([whenLeft(), deps.wait(SIGN_OUT_TIMEOUT_MS)])
      return askForToken()
    })

  return {
    ...hearing,
    /** Called once at page start. Without a stored hint, no request is sent. */
    async restoreSession(): Promise<void> {
      const known = hint.read()
      if (known !== null && typeof known === 'object') return restoreFromCookie()
      state.reset(null)
      if (known === 'leaving') await leaveServer(undefined)
    },
    /** `remember`: whether the session survives closing the browser. */
    logIn: (email: string, password: string, remember = true) => {
      setTransient(!remember)
      return signInWith(() => deps.callOpenly(login, { body: { email, password, client: 'browser', remember } }))
    },
    /** Signs in with a token response from another method: second factor, passkey, provider or invitation. */
    signInWith,
    setUpOwner: (owner: z.input<typeof setUp.body>) => signInWith(() => deps.callOpenly(setUp, { body: owner })),
    /** Signs out immediately in this browser, and on the server as soon as it is reachable. */
    logOut(): Promise<boolean> {
      const token = state.token()?.value
      hint.keep('leaving')
      state.reset('signed-out')
      deps.forgetWork()
      deps.tell({ type: 'signed-out' })
      return leaveServer(token)
    },
    /** Ends a server session that this page doesn't use. */
    abandon: (token: string) => leaveServer(token),
    /**
     * Called when the page becomes visible: other tabs may have changed the session, and the token may have expired.
     */
    async wake(): Promise<void> {
      hearing.hearHint(hint.read())
      if (state.get().status === 'signed-in') await deps.confirm()
    },
    /** Called when the server is reachable again: sends a pending sign-out. */
    async serverIsBack(): Promise<void> {
      if (hint.read() === 'leaving' && state.get().status === 'signed-out') await leaveServer(undefined)
    },
  }
}

/** Resolves after the timeout, or earlier if the server is reachable again. */
function waitForServer(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const stop = connectionState.reachable.subscribe(() => {
      if (connectionState.reachable.get()) done()
    })
    const timer = setTimeout(done, ms)
    function done() {
      clearTimeout(timer)
      stop()
      resolve()
    }
  })
}

const tabs = joinTabs((news) => sessionActions.hearTab(news))

const readUser = createReadUser({ exchange: sendRequest, wait: waitForServer })

const signIn = createSignIn({
  state: sessionState,
  readUser,
  now: () => Date.now(),
  onSignedIn(user) {
    storeHint({ userId: signedInUserId(user) })
    tabs.tell({ type: 'signed-in', userId: signedInUserId(user) })
  },
  onAbandoned: (token) => void sessionActions.abandon(token),
})

export const sessionActions: ReturnType<typeof createSessionActions> = createSessionActions({
  state: sessionState,
  callOpenly,
  exchange: sendRequest,
  refresh: refreshSession,
  readUser,
  signIn,
  wait: waitForServer,
  hint: { read: readHint, keep: storeHint },
  tell: tabs.tell,
  forgetCopies: clearOffline,
  forgetWork: () => {
    clearDrafts()
    clearUploads()
    clearOffline()
  },
  offlineUser: (userId) =>
    import('#web/data/offline/offline-copies.ts')
      .then(({ restoreCopies }) => restoreCopies(queryClient, userId))
      .then(undefined, () => undefined),
  onOtherUser: () => reloadPage(sessionState),
  confirm: confirmSession,
})
