import { ok } from '../shared/result.ts'
import { type KindRules, fault } from './field-kind.ts'

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/

/** A calendar day without a zone, `YYYY-MM-DD`, years 0001 to 9999. */
export const dateRules: KindRules<'date'> = {
  check: (value) => {
    if (typeof value !== 'string' || !DAY.test(value)) {
      return fault('not-date', 'It must be a day in the form YYYY-MM-DD.')
    }
    return isDay(value) ? ok(value) : fault('not-date', `${value} is not in the calendar.`)
  },
  parse: (text) => {
    const plain = text.trim()
    // A date-time whose clock stands at midnight is how many programs export a day.
    const day = plain.replace(/[T ]00:00(?::00(?:\.0+)?)?Z?$/, '')
    return DAY.test(day) && isDay(day)
      ? ok(day)
      : fault('not-date', `“${plain.slice(0, 40)}” is not a day in the form YYYY-MM-DD.`)
  },
  print: (value) => value,
  canBeUnique: true,
}

/** Whether a text of the right form names a day that exists. */
export function isDay(text: string): boolean {
  const [, year = '', month = '', day = ''] = DAY.exec(text) ?? []
  if (Number(year) < 1) return false
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}
