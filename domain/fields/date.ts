import { ok, type Result } from '../shared/result.ts'
import { hasDayForm, isDay } from '../shared/time.ts'
import { type KindRules, fault, type ValueFault, type TextFormat } from './field-kind.ts'
import { WITHOUT_OPTIONS } from './field-options.ts'
import { readDayText, readInstantText } from './date-text.ts'

/** Calendar date without a time zone, `YYYY-MM-DD`, years 0001 to 9999. */
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
    return day === undefined
      ? fault('not-date', `“${plain.slice(0, 40)}” isn’t a valid date. Example: 2026-03-31.`)
      : ok(day)
  },
  print: (value) => value,
  canBeUnique: true,
}

const STORED_FORM = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/
const INSTANT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2})?$/

/** UTC timestamp with milliseconds; its fixed length makes string order match time order. */
export const dateTimeRules: KindRules<'date-time'> = {
  ...WITHOUT_OPTIONS,
  check: (value) =>
    typeof value === 'string' ? readInstant(value) : fault('not-date-time', 'Must be a date and time.'),
  parse: (text, _, format) => (isStoredForm(text) ? ok(text) : parseInstant(text.trim(), format)),
  print: (value) => value,
  canBeUnique: true,
}

const isStoredForm = (text: string): boolean => STORED_FORM.test(text) && isDay(text.slice(0, 10))

function readInstant(text: string): Result<string, ValueFault> {
  const [, day = '', clock = '', seconds = ':00', zone] = INSTANT.exec(text) ?? []
  if (!isDay(day) || zone === undefined) return notInstant(text)

  const instant = new Date(`${day}T${clock}${seconds.slice(0, 7)}${spellZone(zone)}`)
  if (Number.isNaN(instant.getTime()) || instant.getUTCFullYear() < 1 || instant.getUTCFullYear() > 9999)
    return notInstant(text)
  return ok(instant.toISOString())
}

/** Texts without a time zone are parsed as UTC unless one is given, so that imports don't depend on the machine. */
function parseInstant(text: string, { dayOrder, timeZone }: TextFormat = {}): Result<string, ValueFault> {
  const withZone = readInstant(text)
  if (withZone.ok) return withZone
  const instant = readInstantText(text, dayOrder, timeZone)
  return instant === undefined ? notInstant(text) : ok(instant)
}

const spellZone = (zone: string): string => (/^[+-]\d{4}$/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone)

const notInstant = (text: string) =>
  fault('not-date-time', `“${text.slice(0, 40)}” isn’t a valid date and time. Example: 2026-03-01T14:30:00Z.`)
