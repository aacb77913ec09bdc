import { createStore } from '#web/ui/store.ts'

/** Delays in ms between pings while the server is unreachable; the last one repeats. */
const RETRY_DELAYS_MS = [1000, 2000, 4000, 8000, 15_000] as const

export const delayAfterTries = (tries: number): number =>
  RETRY_DELAYS_MS[Math.min(tries, RETRY_DELAYS_MS.length - 1)] ?? 0

type ConnectionDeps = { readonly ping: () => Promise<boolean> }

/** Ping timeout in ms, after which the ping is retried. */
const LONGEST_PING_MS = 10_000

/** Tracks whether the server is reachable, based on call results and, while it is unreachable, on pings. */
export function createConnectionState({ ping }: ConnectionDeps) {
  const reachable = createStore(true)
  let tries = 0
  let nextTryAtMs = 0
  let isAsking = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function tryAgainLater() {
    clearTimeout(timer)
    const delayMs = delayAfterTries(tries)
    nextTryAtMs = Date.now() + delayMs
    timer = setTimeout(ask, delayMs)
    tries += 1
  }

  /** Only one ping runs at a time, so that retries are scheduled only once. */
  function ask() {
    if (isAsking) return
    isAsking = true
    void ping().then((isBack) => {
      isAsking = false
      if (isBack) reached()
      else if (!reachable.get()) tryAgainLater()
    })
  }

  function reached() {
    clearTimeout(timer)
    timer = undefined
    tries = 0
    reachable.set(true)
  }

  return {
    reachable,
    nextTryAtMs: () => nextTryAtMs,
    reached,
    lost() {
      reachable.set(false)
      if (timer === undefined) tryAgainLater()
    },
    /** Pings immediately after an event such as a network change, because the server may be reachable again. */
    tryNow: () => {
      if (reachable.get()) return
      clearTimeout(timer)
      tries = 0
      nextTryAtMs = 0
      ask()
    },
  }
}

export type ConnectionState = ReturnType<typeof createConnectionState>

export const connectionState: ConnectionState = createConnectionState({
  ping: () =>
    fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(LONGEST_PING_MS) }).then(
      ({ ok }) => ok,
      () => false,
    ),
})

export const VERSION_HEADER = 'dossier-version'

export function createVersionState() {
  let own: string | undefined
  let latest: string | undefined
  let isPartMissing = false
  let dismissed: string | undefined
  const outdated = createStore(false)

  function change(by: () => void) {
    by()
    outdated.set(isPartMissing || (latest !== own && latest !== dismissed))
  }

  return {
    outdated,
    /**
     * Processes the server version in a response. The first one is the page's version, because the same server
     * delivered the page.
     */
    onVersion: (version: string | null): void =>
      change(() => {
        if (version === null) return
        own ??= version
        latest = version
      }),
    /** Reports that a chunk of this page is missing although the server responds. */
    partIsMissing: (): void =>
      change(() => {
        isPartMissing = true
      }),
    /** Hides the notice until the version changes again. */
    dismiss: (): void =>
      change(() => {
        isPartMissing = false
        dismissed = latest
      }),
  }
}

export const versionState = createVersionState()

/** Number of unsent changes in this tab, excluding rejected changes. */
export function createPendingChanges() {
  const counts = new Map<string, number>()
  const { get, set, subscribe } = createStore(0)
  return {
    get,
    subscribe,
    /** Called by each component when its number of pending changes is updated; `source` identifies the component. */
    tell: (source: string, count: number): void => {
      if (count === 0) counts.delete(source)
      else counts.set(source, count)
      set([...counts.values()].reduce((sum, one) => sum + one, 0))
    },
  }
}

export const pendingChanges = createPendingChanges()
