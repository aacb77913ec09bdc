import { LOCALE, numberText } from '#web/i18n/locale.ts'

const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' })
const INSTANT = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' })
const LONG_INSTANT = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'medium' })
const NUMBER = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 20 })

const isDate = (date: Date): boolean => !Number.isNaN(date.getTime())

/** A calendar day in the reader's language; a day has no zone, so none may move it. */
export function formatDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  return isDate(date) ? DAY.format(date) : day
}

/** An instant in the reader's language and zone. */
export function formatInstant(instant: string, form: 'short' | 'long' = 'short'): string {
  const date = new Date(instant)
  if (!isDate(date)) return instant
  return form === 'long' ? LONG_INSTANT.format(date) : INSTANT.format(date)
}

/** A number with every digit it has. */
export const formatNumber = (value: number): string => NUMBER.format(value)

/** How many there are of something. */
export const formatCount = (count: number): string => numberText(count)

/** “1 record”, “3,201 records”. */
export const countOf = (count: number, one: string, many: string): string =>
  `${numberText(count)} ${count === 1 ? one : many}`
