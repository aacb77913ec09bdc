import { useEffect, useState } from 'react'
import { t } from '#web/i18n/t.ts'
import { toCallError } from '#web/data/api/call-error.ts'

/** How often the wait is looked at; a second that is shown is never more than this late. */
const TICK_MS = 250

/** The seconds still to wait after a refusal that named a wait; 0: try again now. */
export function useCountdown(error: unknown): number {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    const seconds = toCallError(error)?.retryAfterSeconds ?? 0
    setLeft(seconds)
    if (seconds === 0) return undefined
    const untilMs = Date.now() + seconds * 1000
    const timer = setInterval(() => {
      const next = Math.max(0, Math.ceil((untilMs - Date.now()) / 1000))
      setLeft(next)
      if (next === 0) clearInterval(timer)
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [error])
  return left
}

/** A wait as people say it: “45 s”, “3 min”. */
export const formatWait = (seconds: number): string =>
  seconds < 90 ? `${seconds} s` : t('{seconds} min', { seconds: Math.ceil(seconds / 60) })
