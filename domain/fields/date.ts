import { ok } from '../shared/result.ts'
import { hasDayForm, isDay } from '../shared/time.ts'
import { type KindRules, fault } from './field-kind.ts'
import { WITHOUT_OPTIONS } from './field-options.ts'
import { readDayText } from './date-text.ts'

/** A date without a time zone, `YYYY-MM-DD`, years 0001 to 9999. */
export const dateRules: KindRules<'date'> = {
  ...WITHOUT_OPTIONS,
  check: (value) => {
    if (typeof value !== 'string' || !hasDayForm(value)) {
      return fault('not-date', 'Must be a date in the format YYYY-MM-DD.')
    }
    return isDay(value) ? ok(value) : fault('not-date', `${value} isn’t a valid date.`)
  },
  parse: (text, _, { dayOrder } = {}) => {
    const plain = text.trim()
    const day = isDay(plain) ? plain : readDayText(plain, dayOrder)
    return day === undefined ? fault('not-date', `“${plain.slice(0, 40)}” isn’t a date such as 2026-03-31.`) : ok(day)
  },
  print: (value) => value,
  canBeUnique: true,
}
