import type { QueryClient } from '@tanstack/react-query'
import { connectionState } from '#web/data/connection/connection-state.ts'
import { forgetFailures } from '#web/data/session/refresh-session.ts'
import { sessionActions } from '#web/data/session/session-actions.ts'

/** Once the server is back, it hears of a sign-out it has missed, and what is on screen is read again. */
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
