import { sendRequest } from '#web/data/api/send-request.ts'
import { sessionState } from '#web/data/session/session-state.ts'
import { versionState } from '#web/data/connection/connection-state.ts'

/** For a visible page without other requests. */
const POLL_INTERVAL_MS = 5 * 60_000

const checkVersion = () => sendRequest({ method: 'GET', path: '/api/health', answer: 'json' })

/**
 * Detects server updates: from any response; for signed-in users on return to the page and every few minutes; and
 * when a chunk is missing although the server responds.
 */
export function pollServerVersion(): () => void {
  const look = () => {
    if (document.visibilityState === 'visible' && sessionState.snapshot().status === 'signed-in') void checkVersion()
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
