import { ok } from '../shared/result.ts'
import { type KindRules, fault } from './field-kind.ts'
import { WITHOUT_OPTIONS } from './field-options.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** A date without a time zone, `YYYY-MM-DD`, years 0001 to 9999. */
export const dateRules: KindRules<'date'> = {
  ...WITHOUT_OPTIONS,
  check: (value) => {
    if (typeof value !== 'string' || !DAY.test(value)) {
      return fault('not-date', 'Must be a date in the format YYYY-MM-DD.')
    }
    return isDay(value) ? ok(value) : fault('not-date', `${value} isn’t a valid date.`)
  },
  parse: (text) => {
    const plain = text.trim()
    if (isDay(plain)) return ok(plain)
    // Many programs export dates as date-times at midnight.
    const day = plain.replace(/[T ]00:00(?::00(?:\.0+)?)?Z?$/, '')
    return isDay(day) ? ok(day) : fault('not-date', `“${plain.slice(0, 40)}” isn’t a date in the format YYYY-MM-DD.`)
  },
  print: (value) => value,
  canBeUnique: true,
}

/** Whether text of the right form names an existing day. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))]
  return year >= 1 && day >= 1 && day <= daysIn(year, month)
}

/** 0 for an invalid month. */
function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && isLeap ? 29 : (DAYS_OF_MONTHS[month - 1] ?? 0)
}

const DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
