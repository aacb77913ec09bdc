import { checkVersion } from '#web/data/api/send-request.ts'
import { queryClient } from '#web/data/queries/query-client.ts'
import { LANGUAGE } from '#web/i18n/locale.ts'

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

/** Detects server updates on return to the page and every few minutes; any other response tells them too. */
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

/** Time in ms until the files for a start without the server are kept: what is open comes first. */
const KEEP_FILES_AFTER_MS = 5000

let isPrepared = false

/** Keeps the app's files and what the user sees, so that it starts without the server. */
export function prepareOffline(): void {
  // Browsers provide it only over HTTPS and on localhost; the development server has no built files.
  if (isPrepared || !import.meta.env.PROD || !('serviceWorker' in navigator)) return
  isPrepared = true
  const keepData = async () => (await import('#web/data/offline/offline-copies.ts')).keepCopies(queryClient)
  const keepFiles = async () => {
    await navigator.serviceWorker.register('/service-worker.js')
    const { active } = await navigator.serviceWorker.ready
    const files = await fetch(`/offline-files.${LANGUAGE}.json`)
    if (files.ok) active?.postMessage({ files: await files.json() })
  }
  // Without either the app works as before.
  void keepData().then(undefined, () => undefined)
  setTimeout(() => void keepFiles().then(undefined, () => undefined), KEEP_FILES_AFTER_MS)
}
