import type { Field } from '#domain/fields/field.ts'
import { isDay } from '#domain/fields/date.ts'
import { type NumberSymbols, plainNumber } from '#web/shared/formatting/parse-number.ts'
import { instantOfLocal } from '#web/shared/formatting/local-date-time.ts'
import { LOCALE } from '#web/i18n/locale.ts'

/** How the person at this screen writes numbers and days. */
export type LocalFormats = {
  readonly signs: NumberSymbols
  /** The order of day, month and year, such as `['month', 'day', 'year']`. */
  readonly dayOrder: readonly DayPart[]
  /** The months by the first letters of their names, folded. */
  readonly months: readonly string[]
}

type DayPart = 'day' | 'month' | 'year'

const isDayPart = (part: string): part is DayPart => part === 'day' || part === 'month' || part === 'year'

/** The forms of a language. */
export function localFormats(signs: NumberSymbols, locale: string = LOCALE): LocalFormats {
  const parts = new Intl.DateTimeFormat(locale).formatToParts(new Date(2006, 10, 22))
  const month = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' })
  const months = Array.from({ length: 12 }, (_, at) => firstLetters(month.format(Date.UTC(2006, at, 1))))
  return { signs, dayOrder: parts.flatMap(({ type }) => (isDayPart(type) ? [type] : [])), months }
}

const firstLetters = (name: string): string => name.toLocaleLowerCase().replaceAll('.', '').slice(0, 3)

/**
 * A text in the plain form that values are read from, where it is written as people here write it: `1.234,50`,
 * `3/9/2026`, `9 Mar 2026`, `2026-03-09 14:30`. Whatever is not understood stays as it is, to be refused in words.
 */
export function parseLocalText({ kind }: Field, text: string, forms: LocalFormats): string {
  switch (kind) {
    case 'number':
      return plainAmount(text, forms.signs)
    case 'date':
      return dayIn(text.trim(), forms) ?? text
    case 'date-time':
      return instantIn(text.trim(), forms) ?? text
    default:
      return text
  }
}

/** A sum with its currency, `€ 1,234.50`; brackets around it are how accountants write a minus. */
function plainAmount(text: string, signs: NumberSymbols): string {
  const trimmed = text.trim()
  const owed = /^\((.+)\)$/.exec(trimmed)?.[1]
  const bare = (owed ?? trimmed).replace(/^([+−-]?)\s*\p{Sc}\s*/u, '$1').replace(/\s*\p{Sc}$/u, '')
  return plainNumber(owed === undefined ? bare : `-${bare}`, signs)
}

function dayIn(text: string, { dayOrder, months }: LocalFormats): string | undefined {
  const numbers = /^(\d{1,4})[./\s-]+(\d{1,2})[./\s-]+(\d{1,4})\.?$/.exec(text)
  if (numbers) return dayOf(partsInOrder(numbers.slice(1), dayOrder))
  const named = /^(?:(\d{1,2})[.\s-]+(\p{L}+)\.?|(\p{L}+)\.?\s+(\d{1,2}))[,\s-]+(\d{4})$/u.exec(text)
  const [, dayFirst, monthSecond, monthFirst, daySecond, year] = named ?? []
  const month = months.indexOf(firstLetters(monthSecond ?? monthFirst ?? ''))
  return named && month >= 0 ? dayOf({ year, month: String(month + 1), day: dayFirst ?? daySecond }) : undefined
}

type Parts = { readonly [Part in DayPart]?: string | undefined }

/** A year of four digits that stands first is a year, whatever the language. */
function partsInOrder(numbers: readonly string[], order: readonly DayPart[]): Parts {
  const [first = ''] = numbers
  const given = first.length === 4 ? (['year', 'month', 'day'] as const) : order
  return Object.fromEntries(given.map((part, at) => [part, numbers[at]]))
}

function dayOf({ year = '', month = '', day = '' }: Parts): string | undefined {
  const century = year.length === 2 ? '20' : ''
  const text = `${century}${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(text) ? text : undefined
}

const CLOCK = /^(.*?)[,T\s]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*([ap])\.?m\.?)?$/i

/** A day and a clock without a zone are meant where the person is, since that is how the list shows them. */
function instantIn(text: string, forms: LocalFormats): string | undefined {
  const [, day = text, hours = '0', minutes = '00', seconds = '00', half] = CLOCK.exec(text) ?? []
  const plainDay = dayIn(day, forms)
  if (plainDay === undefined) return undefined
  const hour = hoursOf(Number(hours), half?.toLowerCase())
  return instantOfLocal(`${plainDay}T${String(hour).padStart(2, '0')}:${minutes}:${seconds}`) ?? undefined
}

function hoursOf(hours: number, half: string | undefined): number {
  if (half === undefined) return hours
  return (hours % 12) + (half === 'p' ? 12 : 0)
}
