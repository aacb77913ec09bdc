import type { QueryClient } from '@tanstack/react-query'
import { connectionState } from '#web/data/connection/connection-state.ts'
import { forgetFailures } from '#web/data/session/refresh-session.ts'
import { sessionActions } from '#web/data/session/session-actions.ts'

/** Sends a missed sign-out and refetches visible data once the server is back. */
export function refetchOnReconnect(queryClient: QueryClient): () => void {
  window.addEventListener('online', connectionState.tryNow)
  const stop = connectionState.subscribe(() => {
    if (!connectionState.isReachable()) return
    forgetFailures()
    void sessionActions.serverIsBack()
    void queryClient.invalidateQueries()
  })
  return () => {
    window.removeEventListener('online', connectionState.tryNow)
    stop()
  }
}
