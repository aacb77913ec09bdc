import { delayAfterTries } from './retry-delays.ts'

type ConnectionDeps = { readonly ping: () => Promise<boolean> }

/** A server that does not say within this time how it is, in ms, is asked anew. */
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
    /** No answer came, or one from somebody in its place. */
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
