import { LOCALE, numberText } from '#web/i18n/locale.ts'

const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' })
const INSTANT = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' })
const LONG_INSTANT = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'medium' })
const NUMBER = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 20 })

const isDate = (date: Date): boolean => !Number.isNaN(date.getTime())

/** A date without a time has no time zone. */
export function formatDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  return isDate(date) ? DAY.format(date) : day
}

export function formatInstant(instant: string, form: 'short' | 'long' = 'short'): string {
  const date = new Date(instant)
  if (!isDate(date)) return instant
  return form === 'long' ? LONG_INSTANT.format(date) : INSTANT.format(date)
}

export const formatNumber = (value: number): string => NUMBER.format(value)

export const formatCount = (count: number): string => numberText(count)

/** For example “1 record” or “3,201 records”. */
export const countOf = (count: number, one: string, many: string): string =>
  `${numberText(count)} ${count === 1 ? one : many}`

const two = (part: number) => String(part).padStart(2, '0')

/** Local time in the `datetime-local` format, such as `2026-03-01T14:30`. */
export function localOfInstant(instant: string): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return ''
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  const seconds = date.getSeconds() === 0 ? '' : `:${two(date.getSeconds())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}${seconds}`
}

/** UTC with milliseconds; null while the input is incomplete. */
export function instantOfLocal(local: string): string | null {
  if (local === '') return null
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
