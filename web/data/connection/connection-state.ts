import { createStore } from '#web/ui/store.ts'

/** Delays between pings while the server is unreachable, in ms; the last one repeats. */
const RETRY_DELAYS_MS = [1000, 2000, 4000, 8000, 15_000] as const

export const delayAfterTries = (tries: number): number =>
  RETRY_DELAYS_MS[Math.min(tries, RETRY_DELAYS_MS.length - 1)] ?? 0

type ConnectionDeps = { readonly ping: () => Promise<boolean> }

/** A ping is repeated if there is no response within this time, in ms. */
const LONGEST_PING_MS = 10_000

/**
 * Tracks whether the server is reachable, based on the results of calls and, while it is unreachable, on repeated
 * pings.
 */
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

  /** One ping at a time, so that only one sequence is scheduled. */
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
    /** An event such as a new network suggests that the server is reachable again: pings immediately. */
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
    /** The server version in a response. The first one is the page's version, because the same server delivered it. */
    onVersion: (version: string | null): void =>
      change(() => {
        if (version === null) return
        own ??= version
        latest = version
      }),
    /** A chunk of this page is missing on a server that responds. */
    partIsMissing: (): void =>
      change(() => {
        isPartMissing = true
      }),
    /** Hides the notice until the next version. */
    dismiss: (): void =>
      change(() => {
        isPartMissing = false
        dismissed = latest
      }),
  }
}

export const versionState = createVersionState()

/** The number of unsent changes in this tab. Rejected changes don't count. */
export function createPendingChanges() {
  const counts = new Map<string, number>()
  const { get, set, subscribe } = createStore(0)
  return {
    get,
    subscribe,
    /** `source` identifies the reporting component, which calls this whenever its number changes. */
    tell: (source: string, count: number): void => {
      if (count === 0) counts.delete(source)
      else counts.set(source, count)
      set([...counts.values()].reduce((sum, one) => sum + one, 0))
    },
  }
}

export const pendingChanges = createPendingChanges()
