import { checkVersion } from '#web/data/api/send-request.ts'
import { queryClient } from '#web/data/queries/query-client.ts'
import { LANGUAGE } from '#web/i18n/locale.ts'

/** Without a drop target, the browser would open dropped files and discard unsaved edits. */
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

/** Used for a visible page without other requests. */
const POLL_INTERVAL_MS = 5 * 60_000

/**
 * Detects server updates when the user returns to the page and every few minutes; all other responses also contain the
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

/** Delay in ms before files are cached for offline startup, so that the open page loads first. */
const KEEP_FILES_AFTER_MS = 5000

let isPrepared = false

/** Caches the app's files and the data shown to the user for offline startup. */
export function prepareOffline(): void {
  // Browsers provide service workers only over HTTPS and on localhost; the development server has no built files.
  if (isPrepared || !import.meta.env.PROD || !('serviceWorker' in navigator)) return
  isPrepared = true
  const keepData = async () => (await import('#web/data/offline/offline-copies.ts')).keepCopies(queryClient)
  const keepFiles = async () => {
    await navigator.serviceWorker.register('/service-worker.js')
    const { active } = await navigator.serviceWorker.ready
    const files = await fetch(`/offline-files.${LANGUAGE}.json`)
    if (files.ok) active?.postMessage({ files: await files.json() })
  }
  // If either is unavailable, the app works without offline support.
  void keepData().then(undefined, () => undefined)
  setTimeout(() => void keepFiles().then(undefined, () => undefined), KEEP_FILES_AFTER_MS)
}
