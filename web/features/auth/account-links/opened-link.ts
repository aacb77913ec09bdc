export const LINK_PAGES = ['/invitation', '/reset-password'] as const

export type OpenedLink = { readonly page: (typeof LINK_PAGES)[number]; readonly code: string }

/**
 * Holds such a link until the user chooses. It is only in this tab's memory, so that no URL, history or storage
 * contains its code.
 */
export function createOpenedLinks() {
  let opened: OpenedLink | null = null
  let isWanted = false
  const served = new Set<string>()
  const listeners = new Set<() => void>()

  function change(next: OpenedLink | null) {
    opened = next
    isWanted = false
    for (const listener of listeners) listener()
  }

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    /** The link waiting for an answer. */
    waiting: () => (isWanted ? null : opened),
    /** Stores an opened link unless it was used in this tab. */
    keep(page: string, code: string | undefined) {
      const known = LINK_PAGES.find((one) => one === page)
      if (known && code !== undefined && code !== '' && !served.has(code)) change({ page: known, code })
    },
    /** Marks a link as used, so that its own sign-in doesn't trigger the prompt. */
    markServed: (code: string) => {
      served.add(code)
    },
    stay: () => change(null),
    /** The user continues; the link is used after signing out. */
    want() {
      isWanted = true
      for (const listener of listeners) listener()
    },
    /** Returns the link to use, once. */
    takeWanted(): OpenedLink | null {
      const taken = isWanted ? opened : null
      if (taken) change(null)
      return taken
    },
  }
}

export const openedLinks: ReturnType<typeof createOpenedLinks> = createOpenedLinks()
