import { useEffect, useState } from 'react'
import { t } from '#web/i18n/t.ts'
import { toCallError } from '#web/data/api/call-error.ts'

/** Update interval of the countdown. */
const TICK_MS = 250

/** Seconds until the error allows a retry; 0 if it is allowed now. */
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

/** For example “45 s” or “3 min”. */
export const formatWait = (seconds: number): string =>
  seconds < 90 ? `${seconds} s` : t('{seconds} min', { seconds: Math.ceil(seconds / 60) })
