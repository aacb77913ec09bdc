import { checkVersion } from '#web/data/api/send-request.ts'

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
