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
 * Checks the session when a page becomes visible: the token may have expired, or another tab may have changed the
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

/** When the user changes, drops cached data and messages, and reruns the page's guards. */
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
    // The guards wait for the initial status themselves.
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

/** Toasts are cleared on navigation to another page. */
export const leaveToastsBehind = (router: Navigating): (() => void) =>
  router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && notify.leavePage())

/** Sets the tab title and the workspace's icon. */
export function showBranding(): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  const product = { href: icon?.getAttribute('href') ?? '', type: icon?.type ?? '' }
  void loadBranding()
  onBranding((logo) => {
    drawTitle()
    if (icon) Object.assign(icon, logo === null ? product : { href: logo, type: 'image/webp' })
  })
}

/** Assumes that the server was updated if a chunk is missing although the server responds. */
export function reportMissingChunks(): void {
  // Emitted by Vite for failed imports.
  window.addEventListener(
    'vite:preloadError',
    () => void checkVersion().then(({ ok }) => ok && versionState.partIsMissing()),
  )
}

/** Sends a pending sign-out and refetches visible data once the server is reachable again. */
export function refetchOnReconnect(queryClient: QueryClient): void {
  window.addEventListener('online', connectionState.tryNow)
  connectionState.reachable.subscribe(() => {
    if (!connectionState.reachable.get()) return
    forgetFailures()
    void sessionActions.serverIsBack()
    void queryClient.invalidateQueries()
  })
}
