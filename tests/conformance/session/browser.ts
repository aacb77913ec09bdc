import { createCaller } from '#web/data/api/call.ts'
import { CallError } from '#web/data/api/call-error.ts'
import type { SendRequest, HttpRequest } from '#web/data/api/send-request.ts'
import { createReadUser, createSignIn } from '#web/data/session/sign-in.ts'
import { createRefreshSession } from '#web/data/session/refresh-session.ts'
import { createSessionActions } from '#web/data/session/session-actions.ts'
import { createSessionState, type SessionFailure } from '#web/data/session/session-state.ts'
import type { SessionHint, TabMessage } from '#web/data/session/session-tabs.ts'
import { type Clock, type CookieJar, memoryServer, type MemoryServer, type Network, PASSWORD } from './memory-server.ts'

export type Server = Pick<MemoryServer, 'send'>

/** State shared by all tabs of a browser: cookies, storage, channel, clock and network. */
type Shared = {
  readonly server: Server
  readonly clock: Clock
  readonly jar: CookieJar
  hint: SessionHint
  network: Network
  /** Simulated duration of a wait in ms; zero unless set by a test. */
  wait: () => Promise<void>
  readonly tabs: Tab[]
}

/** One tab that runs the product's own modules and exposes its requests and results. */
export type Tab = ReturnType<typeof makeTab>

function makeTab(shared: Shared) {
  const state = createSessionState()
  const sent: HttpRequest[] = []
  const failures: SessionFailure[] = []
  let startedAnew = 0
  const exchange: SendRequest = async (wire) => {
    if (wire.signal?.aborted === true) return { ok: false, failure: new CallError('aborted', 'given up') }
    sent.push(wire)
    return shared.server.send(wire, shared.jar, () => shared.network)
  }
  state.subscribe(() => {
    const { failure } = state.get()
    if (failure && failures.at(-1) !== failure) failures.push(failure)
  })
  const now = () => shared.clock.nowMs
  const onOtherUser = () => {
    state.beginRestoring()
    startedAnew += 1
  }
  const tell = (news: TabMessage) => {
    for (const other of shared.tabs) if (other.state !== state) other.actions.hearTab(news)
  }
  const keepHint = (next: SessionHint) => {
    shared.hint = next
  }
  const { refreshSession, forgetFailures } = createRefreshSession({
    state,
    exchange,
    now,
    oneTabAtATime: (work) => work(),
    onOtherUser,
  })
  const caller = createCaller({ state, exchange, refresh: refreshSession, now, onOtherUser })
  const readUser = createReadUser({ exchange, wait: async () => undefined })
  const signIn = createSignIn({
    state,
    readUser,
    now,
    onSignedIn({ id }) {
      keepHint({ userId: id })
      tell({ type: 'signed-in', userId: id })
    },
    onAbandoned: (token) => void actions.abandon(token),
  })
  const actions: ReturnType<typeof createSessionActions> = createSessionActions({
    state,
    exchange,
    refresh: refreshSession,
    readUser,
    signIn,
    wait: () => shared.wait(),
    callOpenly: caller.callOpenly,
    hint: { read: () => shared.hint, keep: keepHint },
    tell,
    forgetWork: () => undefined,
    forgetCopies: () => undefined,
    offlineUser: async () => undefined,
    onOtherUser,
    confirm: caller.confirmSession,
  })
  return {
    ...caller,
    state,
    actions,
    refresh: refreshSession,
    forgetFailures,
    sent,
    failures,
    startedAnew: () => startedAnew,
    paths: () => sent.map(({ path }) => path),
    logIn: (name = 'ada', password = PASSWORD) => actions.logIn(`${name}@example.org`, password),
  }
}

/** A browser on a separate device; its clock starts in sync with the server's. */
export function openBrowserAt(server: Server, nowMs: number) {
  const shared: Shared = {
    server,
    clock: { nowMs },
    jar: { refresh: undefined },
    hint: null,
    network: 'up',
    wait: async () => undefined,
    tabs: [],
  }
  return {
    shared,
    /** Opens a tab in which the page has just loaded. */
    openTab: (): Tab => {
      const tab = makeTab(shared)
      shared.tabs.push(tab)
      return tab
    },
  }
}

/** A browser connected to an in-memory server. */
export function openBrowser() {
  const serverClock: Clock = { nowMs: Date.UTC(2026, 0, 1) }
  const server = memoryServer(serverClock)
  const browser = openBrowserAt(server, serverClock.nowMs)
  return {
    ...browser,
    server,
    serverClock,
    pass: (ms: number) => {
      browser.shared.clock.nowMs += ms
      serverClock.nowMs += ms
    },
  }
}

/** A browser with one tab and a signed-in user; the recorded requests are cleared. */
export async function signedInTab(name = 'ada') {
  const browser = openBrowser()
  const tab = browser.openTab()
  await tab.logIn(name)
  tab.sent.length = 0
  return { ...browser, tab }
}
