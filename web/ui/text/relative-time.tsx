import { dateText, LOCALE } from '#web/i18n/locale.ts'
import { createStore, useStore } from '#web/ui/store.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Above this age a date is more useful than a number of weeks. */
const RELATIVE_UNTIL_MS = 7 * DAY_MS

export function relativeTimeText(at: Date, now: Date, locale: string = LOCALE): string {
  const agoMs = now.getTime() - at.getTime()
  const distanceMs = Math.abs(agoMs)
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const ago = (unitMs: number) => -Math.sign(agoMs) * Math.floor(distanceMs / unitMs)

  if (distanceMs < MINUTE_MS) return words.format(0, 'second')
  if (distanceMs < HOUR_MS) return words.format(ago(MINUTE_MS), 'minute')
  if (distanceMs < DAY_MS) return words.format(ago(HOUR_MS), 'hour')
  if (distanceMs < RELATIVE_UNTIL_MS) return words.format(ago(DAY_MS), 'day')
  return dayText(at, now, locale)
}

function dayText(at: Date, now: Date, locale: string): string {
  const isThisYear = at.getFullYear() === now.getFullYear()
  const format: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', ...(!isThisYear && { year: 'numeric' }) }
  return at.toLocaleDateString(locale, format)
}

/** Update interval in ms; the smallest unit shown is the minute. */
const TICK_MS = 30_000

const clock = createStore(Date.now())
let timer: ReturnType<typeof setInterval> | undefined

/** The clock only runs while a time is shown. */
function subscribe(listener: () => void) {
  const unsubscribe = clock.subscribe(listener)
  timer ??= setInterval(() => clock.set(Date.now()), TICK_MS)
  return () => {
    unsubscribe()
    if (clock.hasListeners()) return
    clearInterval(timer)
    timer = undefined
  }
}

const runningClock = { get: clock.get, subscribe }

export function RelativeTime({ at }: { at: string }) {
  const tickMs = useStore(runningClock)
  const instant = new Date(at)
  // A timestamp after the last tick must not appear to be in the future.
  const now = new Date(Math.max(tickMs, Math.min(instant.getTime(), tickMs + TICK_MS)))
  const exact = dateText(instant, { dateStyle: 'long', timeStyle: 'short' })

  return (
    <time dateTime={at} title={exact}>
      {relativeTimeText(instant, now)}
    </time>
  )
}
