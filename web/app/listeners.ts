import type { QueryClient } from '@tanstack/react-query'
import { sessionActions } from '#web/data/session/session-actions.ts'
import { onHintChange } from '#web/data/session/session-tabs.ts'
import { takeEarlySignIn } from '#web/data/session/early-sign-in.ts'
import { sessionState } from '#web/data/session/session-state.ts'
import { loadBranding, onBranding } from '#web/data/session/branding.ts'
import { drawTitle } from '#web/shared/navigation/app-link.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { checkVersion } from '#web/data/api/send-request.ts'
import { connectionState, versionState } from '#web/data/connection/connection-state.ts'
import { forgetFailures } from '#web/data/session/refresh-session.ts'

/**
 * Checks the session when the page becomes visible: the token may have expired, or another tab may have changed the
 * session.
 */
export function recheckSessionOnWake(): void {
  const wake = () => {
    if (document.visibilityState === 'visible') void sessionActions.wake()
  }
  document.addEventListener('visibilitychange', wake)
  for (const event of ['pageshow', 'online']) window.addEventListener(event, wake)
  onHintChange(sessionActions.hearHint)
}

type Guarded = { readonly invalidate: () => Promise<void> }

/** When the user changes, clears cached data and notifications and reruns the page's route guards. */
export function resetOnUserChange(queryClient: QueryClient, router: Guarded): () => void {
  let before: string | null | undefined
  return sessionState.subscribe(() => {
    const { status, user } = sessionState.get()
    if (status === 'restoring') return
    if (user) takeEarlySignIn()
    const now = user?.id ?? null
    const isFirst = before === undefined
    if (now === before) return
    before = now
    // The route guards themselves wait for the initial status.
    if (isFirst) return
    queryClient.clear()
    if (now === null) notify.clear()
    void router.invalidate()
  })
}

type Navigating = {
  readonly subscribe: (
    event: 'onBeforeNavigate',
    listener: (to: { readonly pathChanged: boolean }) => void,
  ) => () => void
}

/** Clears toasts when the user navigates to another page. */
export const leaveToastsBehind = (router: Navigating): (() => void) =>
  router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && notify.leavePage())

/** Updates the tab title and the workspace icon. */
export function showBranding(): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  const product = { href: icon?.getAttribute('href') ?? '', type: icon?.type ?? '' }
  void loadBranding()
  onBranding((logo) => {
    drawTitle()
    if (icon) Object.assign(icon, logo === null ? product : { href: logo, type: 'image/webp' })
  })
}

/** A missing chunk means that the server was updated, provided that the server responds. */
export function reportMissingChunks(): void {
  // Vite emits this event when a dynamic import fails.
  window.addEventListener(
    'vite:preloadError',
    () => void checkVersion().then(({ ok }) => ok && versionState.partIsMissing()),
  )
}

/** Once the server is reachable again, sends a pending sign-out and refetches visible data. */
export function refetchOnReconnect(queryClient: QueryClient): void {
  window.addEventListener('online', connectionState.tryNow)
  connectionState.reachable.subscribe(() => {
    if (!connectionState.reachable.get()) return
    forgetFailures()
    void sessionActions.serverIsBack()
    void queryClient.invalidateQueries()
  })
}
