import { t } from '#web/i18n/t.ts'

/** What is remembered of how fast bytes go. */
export type SpeedMeter = {
  /** When bytes were last counted in, ms. */
  readonly atMs: number
  readonly bytes: number
  /** Smoothed; 0 until there was time to measure. */
  readonly bytesPerSecond: number
}

/** Shorter spans than this say more about buffers than about the line, in ms. */
const MIN_SPAN_MS = 500

/** After this many ms, half of what is told comes from what was measured since. */
const HALF_LIFE_MS = 3000

/** A meter that begins now, with bytes that are there already. */
export const startMeter = (bytes: number, nowMs: number): SpeedMeter => ({ atMs: nowMs, bytes, bytesPerSecond: 0 })

/** Counts bytes in. A line that stalls slows down bit by bit; a single burst does not make it fast. */
export function countBytes(meter: SpeedMeter, bytes: number, nowMs: number): SpeedMeter {
  const spanMs = nowMs - meter.atMs
  // What is sent once more begins at an earlier byte, and a clock may be set back.
  if (bytes < meter.bytes || spanMs < 0) return { ...startMeter(bytes, nowMs), bytesPerSecond: meter.bytesPerSecond }
  if (spanMs < MIN_SPAN_MS) return meter
  const measured = ((bytes - meter.bytes) / spanMs) * 1000
  const kept = meter.bytesPerSecond === 0 ? 0 : 0.5 ** (spanMs / HALF_LIFE_MS)
  return { atMs: nowMs, bytes, bytesPerSecond: meter.bytesPerSecond * kept + measured * (1 - kept) }
}

const MINUTE = 60
const HOUR = 60 * MINUTE

/** How long it takes still, in plain words; rounded up, for being early pleases more than being late. */
export function timeLeftText(seconds: number): string {
  if (seconds < 10) return t('a few seconds left')
  if (seconds < 55) return t('{seconds} s left', { seconds: Math.ceil(seconds / 10) * 10 })
  if (seconds < HOUR) return t('{seconds} min left', { seconds: Math.ceil(seconds / MINUTE) })
  if (seconds >= 24 * HOUR) return t('more than a day left')
  const minutes = Math.ceil((seconds % HOUR) / MINUTE / 5) * 5
  const hours = Math.floor(seconds / HOUR) + (minutes === 60 ? 1 : 0)
  return minutes === 0 || minutes === 60
    ? t('{hours} h left', { hours })
    : t('{hours} h {minutes} min left', { hours, minutes })
}
