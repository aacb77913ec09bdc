import type { QueryClient } from '@tanstack/react-query'
import { sessionActions } from '#web/data/session/session-actions.ts'
import { onHintChange } from '#web/data/session/session-tabs.ts'
import { sessionState } from '#web/data/session/session-state.ts'
import { notify } from '#web/ui/toast/notify.ts'

/**
 * A page that is looked at again may have slept: through the end of its token, or through what other tabs did. It finds
 * out at once, and not only when it next asks for something.
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

/**
 * When another user signs in, or none: drops cached data and messages, and runs the guards of the current page again.
 */
export function resetOnUserChange(queryClient: QueryClient, router: Guarded): () => void {
  let before: string | null | undefined
  return sessionState.subscribe(() => {
    const { status, user } = sessionState.snapshot()
    if (status === 'restoring') return
    const now = user?.id ?? null
    const isFirst = before === undefined
    if (now === before) return
    before = now
    // The very first answer is awaited by the guards themselves.
    if (isFirst) return
    queryClient.clear()
    if (now === null) notify.clear()
    void router.invalidate()
  })
}
