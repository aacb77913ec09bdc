import { queryClient } from '#web/data/queries/query-client.ts'
import { LANGUAGE } from '#web/i18n/locale.ts'

/** Time in ms until the files for a start without the server are kept: what is open comes first. */
const KEEP_FILES_AFTER_MS = 5000

let isPrepared = false

/** Keeps the app's files and what the user sees, so that it starts without the server. */
export function prepareOffline(): void {
  // Browsers provide it only over HTTPS and on localhost; the development server has no built files.
  if (isPrepared || !import.meta.env.PROD || !('serviceWorker' in navigator)) return
  isPrepared = true
  const keepData = async () => (await import('./offline-copies.ts')).keepCopies(queryClient)
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
