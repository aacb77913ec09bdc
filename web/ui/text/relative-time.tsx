import { useSyncExternalStore } from 'react'
import { dateText } from '#web/i18n/locale.ts'
import { relativeTimeText } from './relative-time-text.ts'

/** How often the words are looked at again; the smallest unit that is shown is the minute. */
const TICK_MS = 30_000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let nowMs = Date.now()

/** One clock for all times on the page. */
function listen(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(() => {
    nowMs = Date.now()
    for (const tell of listeners) tell()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** An instant as people say it (“5 minutes ago”), with the exact time when pointed at. `at` is ISO 8601. */
export function RelativeTime({ at }: { at: string }) {
  const tickMs = useSyncExternalStore(listen, () => nowMs)
  const instant = new Date(at)
  // Something made since the last tick is not in the future.
  const now = new Date(Math.max(tickMs, Math.min(instant.getTime(), tickMs + TICK_MS)))
  const exact = dateText(instant, { dateStyle: 'long', timeStyle: 'short' })

  return (
    <time dateTime={at} title={exact}>
      {relativeTimeText(instant, now)}
    </time>
  )
}
