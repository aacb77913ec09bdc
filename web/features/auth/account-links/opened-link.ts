import { createStore } from '#web/ui/store.ts'

const LINK_PAGES = ['/invitation', '/reset-password'] as const

export type OpenedLink = { readonly page: (typeof LINK_PAGES)[number]; readonly code: string }

/**
 * Holds an opened link in this tab's memory until the user decides whether to use it; its code isn't stored anywhere
 * else.
 */
export function createOpenedLinks() {
  /** The link for which a decision is pending. */
  const waiting = createStore<OpenedLink | null>(null)
  let wanted: OpenedLink | null = null
  const served = new Set<string>()

  function change(next: OpenedLink | null) {
    wanted = null
    waiting.set(next)
  }

  return {
    get: waiting.get,
    subscribe: waiting.subscribe,
    /** Holds an opened link, unless it was already used in this tab. */
    keep(page: string, code: string | undefined) {
      const known = LINK_PAGES.find((one) => one === page)
      if (known && code !== undefined && code !== '' && !served.has(code)) change({ page: known, code })
    },
    /** Marks a link as used, so that signing in with it doesn't trigger the prompt. */
    markServed: (code: string) => {
      served.add(code)
    },
    stay: () => change(null),
    /** The user chose to continue: the link is used after signing out. */
    want() {
      wanted = waiting.get() ?? wanted
      waiting.set(null)
    },
    /** Returns the link to use, only to the first caller. */
    takeWanted(): OpenedLink | null {
      const taken = wanted
      wanted = null
      return taken
    },
  }
}

export const openedLinks: ReturnType<typeof createOpenedLinks> = createOpenedLinks()
