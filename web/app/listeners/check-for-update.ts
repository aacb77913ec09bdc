import { sendRequest } from '#web/data/api/send-request.ts'
import { sessionState } from '#web/data/session/session-state.ts'
import { versionState } from '#web/data/connection/connection-state.ts'

/** How often a page that is looked at, and asks for nothing, asks for the version; in ms. */
const POLL_INTERVAL_MS = 5 * 60_000

const checkVersion = () => sendRequest({ method: 'GET', path: '/api/health', answer: 'json' })

/**
 * Detects server updates: from any response; for signed-in users on return to the page and every few minutes; and when
 * a chunk of the page is missing although the server responds.
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
  // Vite tells so of every import that fails.
  window.addEventListener('vite:preloadError', missing)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('vite:preloadError', missing)
  }
}
