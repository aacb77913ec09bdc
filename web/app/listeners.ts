import type { QueryClient } from '@tanstack/react-query'
import { LANGUAGE } from '#web/i18n/locale.ts'
import { sessionActions } from '#web/data/session/session-actions.ts'
import { onHintChange } from '#web/data/session/session-tabs.ts'
import { sessionState } from '#web/data/session/session-state.ts'
import { loadBranding, onBranding } from '#web/data/session/branding.ts'
import { drawTitle } from '#web/shared/navigation/app-link.tsx'
import { notify } from '#web/ui/toast/notify.ts'
import { sendRequest } from '#web/data/api/send-request.ts'
import { connectionState, versionState } from '#web/data/connection/connection-state.ts'
import { forgetFailures } from '#web/data/session/refresh-session.ts'

/** Checks the session when a page becomes visible: the token may have expired, or other tabs changed it. */
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
    const { status, user } = sessionState.get()
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

type Navigating = {
  readonly subscribe: (
    event: 'onBeforeNavigate',
    listener: (to: { readonly pathChanged: boolean }) => void,
  ) => () => void
}

/** Toasts don't follow onto another page. */
export const leaveToastsBehind = (router: Navigating): (() => void) =>
  router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && notify.leavePage())

/** Names the browser tab and gives it the workspace's icon. */
export function showBranding(): () => void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  const product = { href: icon?.getAttribute('href') ?? '', type: icon?.type ?? '' }
  void loadBranding()
  return onBranding((logo) => {
    drawTitle()
    if (icon) Object.assign(icon, logo === null ? product : { href: logo, type: 'image/webp' })
  })
}

/** Without a drop target, the browser would open dropped files and unsaved edits would be lost. */
export function blockStrayDrops(): () => void {
  const stop = (event: DragEvent) => {
    const isFileInput = event.target instanceof HTMLInputElement && event.target.type === 'file'
    if (event.defaultPrevented || isFileInput || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  }
  window.addEventListener('dragover', stop)
  window.addEventListener('drop', stop)
  return () => {
    window.removeEventListener('dragover', stop)
    window.removeEventListener('drop', stop)
  }
}

/** For a visible page without other requests. */
const POLL_INTERVAL_MS = 5 * 60_000

const checkVersion = () => sendRequest({ method: 'GET', path: '/api/health', answer: 'json' })

/**
 * Detects server updates: from any response; for signed-in users on return to the page and every few minutes; and
 * when a chunk is missing although the server responds.
 */
export function pollServerVersion(): () => void {
  const look = () => {
    if (document.visibilityState === 'visible' && sessionState.get().status === 'signed-in') void checkVersion()
  }
  const missing = () =>
    void checkVersion().then(({ ok }) => {
      if (ok) versionState.partIsMissing()
    })
  const timer = setInterval(look, POLL_INTERVAL_MS)
  document.addEventListener('visibilitychange', look)
  // Emitted by Vite for failed imports.
  window.addEventListener('vite:preloadError', missing)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('vite:preloadError', missing)
  }
}

/** Time in ms after a sign-in until the files for a start without the server are kept: what is open comes first. */
const KEEP_FILES_AFTER_MS = 5000

/** Keeps the app's files and what the user sees, so that it starts without the server. */
export function prepareForOffline(queryClient: QueryClient): void {
  // Browsers provide it only over HTTPS and on localhost; the development server has no built files.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const keepData = async () => (await import('#web/data/offline/offline-copies.ts')).keepCopies(queryClient)
  const keepFiles = async () => {
    await navigator.serviceWorker.register('/service-worker.js')
    const { active } = await navigator.serviceWorker.ready
    const files = await fetch(`/offline-files.${LANGUAGE}.json`)
    if (files.ok) active?.postMessage({ files: await files.json() })
  }
  const stop = sessionState.subscribe(() => {
    if (sessionState.get().status !== 'signed-in') return
    stop()
    // Without either the app works as before.
    void keepData().then(undefined, () => undefined)
    setTimeout(() => void keepFiles().then(undefined, () => undefined), KEEP_FILES_AFTER_MS)
  })
}

/** Sends a missed sign-out and refetches visible data once the server is back. */
export function refetchOnReconnect(queryClient: QueryClient): () => void {
  window.addEventListener('online', connectionState.tryNow)
  const stop = connectionState.reachable.subscribe(() => {
    if (!connectionState.reachable.get()) return
    forgetFailures()
    void sessionActions.serverIsBack()
    void queryClient.invalidateQueries()
  })
  return () => {
    window.removeEventListener('online', connectionState.tryNow)
    stop()
  }
}
