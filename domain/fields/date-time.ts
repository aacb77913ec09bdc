import { type Result, ok } from '../shared/result.ts'
import { isDay } from './date.ts'
import { type KindRules, type ValueFault, fault } from './field-kind.ts'
import { WITHOUT_OPTIONS } from './field-options.ts'

const STORED_FORM = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/
const INSTANT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2})?$/

/** An instant in UTC with milliseconds; the fixed length makes text order equal time order. */
export const dateTimeRules: KindRules<'date-time'> = {
  ...WITHOUT_OPTIONS,
  check: (value) =>
    typeof value === 'string' ? readInstant(value, false) : fault('not-date-time', 'Must be a date and time.'),
  // CSV times without a zone are read as UTC, so an import means the same everywhere.
  parse: (text) => (isStoredForm(text) ? ok(text) : readInstant(text.trim(), true)),
  print: (value) => value,
  canBeUnique: true,
}

const isStoredForm = (text: string): boolean => STORED_FORM.test(text) && isDay(text.slice(0, 10))

function readInstant(text: string, zoneMayBeMissing: boolean): Result<string, ValueFault> {
  const [, day = '', clock = '', seconds = ':00', zone] = INSTANT.exec(text) ?? []
  if (!isDay(day) || (zone === undefined && !zoneMayBeMissing)) return notInstant(text)

  const instant = new Date(`${day}T${clock}${seconds.slice(0, 7)}${spellZone(zone ?? 'Z')}`)
  if (Number.isNaN(instant.getTime()) || instant.getUTCFullYear() < 1 || instant.getUTCFullYear() > 9999)
    return notInstant(text)
  return ok(instant.toISOString())
}

const spellZone = (zone: string): string => (/^[+-]\d{4}$/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone)

const notInstant = (text: string) =>
  fault('not-date-time', `“${text.slice(0, 40)}” isn’t a date and time such as 2026-03-01T14:30:00Z.`)
