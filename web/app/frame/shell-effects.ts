import { checkVersion } from '#web/data/api/send-request.ts'
import { queryClient } from '#web/data/queries/query-client.ts'
import { LANGUAGE } from '#web/i18n/locale.ts'

/** Without a drop target, the browser would open dropped files and lose unsaved edits. */
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

/** Interval in ms at which a visible page without other requests checks the server version. */
const POLL_INTERVAL_MS = 5 * 60_000

/**
 * Checks for server updates when the user returns to the page and every few minutes; other responses also contain the
 * version.
 */
export function pollServerVersion(): () => void {
  const look = () => {
    if (document.visibilityState === 'visible') void checkVersion()
  }
  const timer = setInterval(look, POLL_INTERVAL_MS)
  document.addEventListener('visibilitychange', look)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
  }
}

/** Delay in ms before files are cached for offline startup, so that the current page loads first. */
const KEEP_FILES_AFTER_MS = 5000

let isPrepared = false

/** Caches the app's files and the displayed data for offline startup. */
export function prepareOffline(): void {
  // Service workers require HTTPS or localhost; the development server has no built files to cache.
  if (isPrepared || !import.meta.env.PROD || !('serviceWorker' in navigator)) return
  isPrepared = true
  const keepData = async () => (await import('#web/data/offline/offline-copies.ts')).keepCopies(queryClient)
  const keepFiles = async () => {
    await navigator.serviceWorker.register('/service-worker.js')
    const { active } = await navigator.serviceWorker.ready
    const files = await fetch(`/offline-files.${LANGUAGE}.json`)
    if (files.ok) active?.postMessage({ files: await files.json() })
  }
  // If caching fails, only offline startup is unavailable.
  void keepData().then(undefined, () => undefined)
  setTimeout(() => void keepFiles().then(undefined, () => undefined), KEEP_FILES_AFTER_MS)
}
