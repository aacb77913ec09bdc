/**
 * Where a call that needs a fresh proof of who one is waits for it. Calls that come while somebody is being asked wait
 * for the same answer, so that one dialog serves them all.
 */
export function createReauthenticationGate() {
  let asked: { readonly answer: Promise<boolean>; readonly settle: (isProven: boolean) => void } | undefined
  const listeners = new Set<() => void>()

  function change(next: typeof asked) {
    asked = next
    for (const listener of listeners) listener()
  }

  return {
    isAsked: () => asked !== undefined,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    /** Asks; true once it was proven, false when they will not, or when nobody is there to ask. */
    ask(): Promise<boolean> {
      if (asked) return asked.answer
      if (listeners.size === 0) return Promise.resolve(false)
      const { promise, resolve } = Promise.withResolvers<boolean>()
      change({ answer: promise, settle: resolve })
      return promise
    },
    settle(isProven: boolean) {
      asked?.settle(isProven)
      if (asked) change(undefined)
    },
  }
}

/** The gate of this page; the dialog of the session feature answers it. */
export const reauthenticationGate: ReturnType<typeof createReauthenticationGate> = createReauthenticationGate()
