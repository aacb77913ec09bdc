import { dateText, LOCALE } from '#web/i18n/locale.ts'
import { createEmitter, useStore } from '#web/ui/store.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** For older times, a date is more useful than a number of weeks. */
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

/** Update interval in ms; the smallest displayed unit is a minute. */
const TICK_MS = 30_000

/**
 * Uses the system clock, so that the first paint is correct; rounded to seconds, so that the value is stable during a
 * render.
 */
const currentSecondMs = (): number => Math.floor(Date.now() / 1000) * 1000

const ticks = createEmitter<void>()
const tick = () => ticks.emit()
let timer: ReturnType<typeof setInterval> | undefined

/** The clock runs only while a time is displayed; browsers throttle it in hidden tabs. */
function subscribe(listener: () => void) {
  const unsubscribe = ticks.subscribe(listener)
  if (timer === undefined) {
    timer = setInterval(tick, TICK_MS)
    document.addEventListener('visibilitychange', tick)
  }
  return () => {
    unsubscribe()
    if (ticks.hasListeners()) return
    clearInterval(timer)
    timer = undefined
    document.removeEventListener('visibilitychange', tick)
  }
}

const runningClock = { get: currentSecondMs, subscribe }

export function RelativeTime({ at }: { at: string }) {
  const nowMs = useStore(runningClock)
  const instant = new Date(at)
  // Prevents times from being shown in the future if the server's clock is slightly ahead.
  const now = new Date(Math.max(nowMs, Math.min(instant.getTime(), nowMs + TICK_MS)))
  const exact = dateText(instant, { dateStyle: 'long', timeStyle: 'short' })

  return (
    // In print, the title replaces the relative time.
    <time className="relative-time" dateTime={at} title={exact}>
      <span>{relativeTimeText(instant, now)}</span>
    </time>
  )
}
