import type { QueryClient } from '@tanstack/react-query'
import { connectionState } from '#web/client/connection-state.ts'

/** Once the server is back, what is on screen is read again. */
export function followConnection(queryClient: QueryClient): () => void {
  return connectionState.subscribe(() => {
    if (connectionState.isReachable()) void queryClient.invalidateQueries()
  })
}
