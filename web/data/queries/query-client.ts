import { QueryClient } from '@tanstack/react-query'
import { toCallError } from '#web/data/api/call-error.ts'
import { delayAfterTries } from '#web/data/connection/retry-delays.ts'

/** How often a read is repeated by itself when the server is away for a moment. */
const MAX_RETRIES = 2

/** What was read, or could not be, stays so for this long; coming back to a page within it asks nothing. */
const STALE_TIME_MS = 15_000

/** The cache of everything read from the server. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_TIME_MS,
      // What comes into the page because something failed does not ask for it again at once: it would go away meanwhile, and come again.
      retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > STALE_TIME_MS,
      retry: (failures, error) => failures < MAX_RETRIES && toCallError(error)?.isPassing === true,
      retryDelay: (failures, error) =>
        Math.max(delayAfterTries(failures), (toCallError(error)?.retryAfterSeconds ?? 0) * 1000),
      // The server may stand on this very machine: no network says nothing about it.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always', retry: false },
  },
})
