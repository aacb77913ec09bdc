/** How long to wait before each next try while the server is away, in ms; the last one repeats. */
const RETRY_DELAYS_MS = [1000, 2000, 4000, 8000, 15_000] as const

/** The wait after this many tries in vain. */
export const delayAfterTries = (tries: number): number =>
  RETRY_DELAYS_MS[Math.min(tries, RETRY_DELAYS_MS.length - 1)] ?? 0

type ConnectionDeps = { readonly ping: () => Promise<boolean> }

/** A ping without response within this time, in ms, is sent again. */
const LONGEST_PING_MS = 10_000

/** Knows whether the server can be reached, by what calls report and, once it is lost, by asking again and again. */
export function createConnectionState({ ping }: ConnectionDeps) {
  let isReachable = true
  let tries = 0
  let nextTryAtMs = 0
  let isAsking = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()

  function change(next: boolean) {
    if (isReachable === next) return
    isReachable = next
    for (const listener of listeners) listener()
  }

  function tryAgainLater() {
    clearTimeout(timer)
    const delayMs = delayAfterTries(tries)
    nextTryAtMs = Date.now() + delayMs
    timer = setTimeout(ask, delayMs)
    tries += 1
  }

  /** One question at a time, so that there is never more than one that would be asked again. */
  function ask() {
    if (isAsking) return
    isAsking = true
    void ping().then((isBack) => {
      isAsking = false
      if (isBack) reached()
      else if (!isReachable) tryAgainLater()
    })
  }

  function reached() {
    clearTimeout(timer)
    timer = undefined
    tries = 0
    change(true)
  }

  return {
    isReachable: () => isReachable,
    /** When it will be asked again, while it is out of reach. */
    nextTryAtMs: () => nextTryAtMs,
    /** An answer came from the server itself. */
    reached,
    /** No response, or one from a proxy. */
    lost() {
      change(false)
      if (timer === undefined) tryAgainLater()
    },
    /** There is reason to think that it is back, such as a network: asks at once. */
    tryNow: () => {
      if (isReachable) return
      clearTimeout(timer)
      tries = 0
      nextTryAtMs = 0
      ask()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** Whether the server can be reached, and who wants to know. */
export type ConnectionState = ReturnType<typeof createConnectionState>

/** The connection of this page. */
export const connectionState: ConnectionState = createConnectionState({
  ping: () =>
    fetch('/api/health', { cache: 'no-store', signal: AbortSignal.timeout(LONGEST_PING_MS) }).then(
      ({ ok }) => ok,
      () => false,
    ),
})

/** The header in which the server tells its version with every answer. */
export const VERSION_HEADER = 'dossier-version'

/** Knows whether the server was updated since this page came from it. */
export function createVersionState() {
  let own: string | undefined
  let latest: string | undefined
  let isPartMissing = false
  let dismissed: string | undefined
  const listeners = new Set<() => void>()
  const isOutdated = () => isPartMissing || (latest !== own && latest !== dismissed)

  function change(by: () => void) {
    const before = isOutdated()
    by()
    if (isOutdated() !== before) for (const listener of listeners) listener()
  }

  return {
    isOutdated,
    /** The version of an answer. The first is that of this page: it came from the same server a moment ago. */
    heard: (version: string | null): void =>
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
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The version of this page and of its server. */
export const versionState = createVersionState()

/**
 * How many values were changed in this tab and wait to be sent, told by whatever holds them. What was refused does not.
 */
export function createPendingChanges() {
  const counts = new Map<string, number>()
  const listeners = new Set<() => void>()
  let total = 0
  return {
    snapshot: (): number => total,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** `source` names what holds them: it tells anew whenever there are more or fewer. */
    tell: (source: string, count: number): void => {
      if (count === 0) counts.delete(source)
      else counts.set(source, count)
      const next = [...counts.values()].reduce((sum, one) => sum + one, 0)
      if (next === total) return
      total = next
      for (const listener of listeners) listener()
    },
  }
}

/** Those of this tab. */
export const pendingChanges = createPendingChanges()
