/** The pages of links that open an account: an invitation, or the choice of a new password. */
export const LINK_PAGES = ['/invitation', '/reset-password'] as const

/** A link from a letter, opened in a browser where somebody is signed in. */
export type OpenedLink = { readonly page: (typeof LINK_PAGES)[number]; readonly code: string }

/**
 * Makes the place where such a link waits for its answer: sign out and go on with it, or stay. It stands in the memory of
 * this tab alone, so that no address, history or storage holds its code; the letter still does.
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
    /** The link that waits for an answer. */
    waiting: () => (isWanted ? null : opened),
    /** Keeps a link that somebody opened, unless it has done its work in this tab. */
    keep(page: string, code: string | undefined) {
      const known = LINK_PAGES.find((one) => one === page)
      if (known && code !== undefined && code !== '' && !served.has(code)) change({ page: known, code })
    },
    /** A link has done its work here; whoever is signed in by it has not opened it once more. */
    markServed: (code: string) => {
      served.add(code)
    },
    stay: () => change(null),
    /** They want to go on with it; once nobody is signed in, it is taken. */
    want() {
      isWanted = true
      for (const listener of listeners) listener()
    },
    /** The link to go on with; serves once. */
    takeWanted(): OpenedLink | null {
      const taken = isWanted ? opened : null
      if (taken) change(null)
      return taken
    },
  }
}

/** The link that was opened in this tab. */
export const openedLinks: ReturnType<typeof createOpenedLinks> = createOpenedLinks()
