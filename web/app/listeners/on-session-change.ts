import type { QueryClient } from '@tanstack/react-query'
import { sessionActions } from '#web/data/session/session-actions.ts'
import { onHintChange } from '#web/data/session/session-tabs.ts'
import { sessionState } from '#web/data/session/session-state.ts'
import { notify } from '#web/ui/toast/notify.ts'

/**
 * Checks the session when a page becomes visible: it may have slept past the token's expiry, or other tabs may have
 * changed the session.
 */
export function recheckSessionOnWake(): () => void {
  const wake = () => {
    if (document.visibilityState === 'visible') void sessionActions.wake()
  }
  document.addEventListener('visibilitychange', wake)
  window.addEventListener('pageshow', wake)
  window.addEventListener('online', wake)
  const stop = onHintChange(sessionActions.hearHint)
  return () => {
    stop()
    document.removeEventListener('visibilitychange', wake)
    window.removeEventListener('pageshow', wake)
    window.removeEventListener('online', wake)
  }
}

type Guarded = { readonly invalidate: () => Promise<void> }

/** When the user changes, drops cached data and messages, and runs the guards of the page again. */
export function resetOnUserChange(queryClient: QueryClient, router: Guarded): () => void {
  let before: string | null | undefined
  return sessionState.subscribe(() => {
    const { status, user } = sessionState.snapshot()
    if (status === 'restoring') return
    const now = user?.id ?? null
    const isFirst = before === undefined
    if (now === before) return
    before = now
    // The guards wait for the first status themselves.
    if (isFirst) return
    queryClient.clear()
    if (now === null) notify.clear()
    void router.invalidate()
  })
}
