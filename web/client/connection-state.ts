import { delayAfterTries } from './retry-delays.ts'

type Needs = { readonly ping: () => Promise<boolean> }

/** Knows whether the server can be reached, by what calls report and, once it is lost, by asking again and again. */
export function createConnectionState({ ping }: Needs) {
  let isReachable = true
  let tries = 0
  let nextTryAtMs = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()

  function change(next: boolean) {
    if (isReachable === next) return
    isReachable = next
    for (const listener of listeners) listener()
  }

  function tryAgainLater() {
    const delayMs = delayAfterTries(tries)
    nextTryAtMs = Date.now() + delayMs
    timer = setTimeout(() => void ping().then((isBack) => (isBack ? reached() : tryAgainLater())), delayMs)
    tries += 1
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
      void ping().then((isBack) => (isBack ? reached() : tryAgainLater()))
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
    fetch('/api/health', { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    ),
})
