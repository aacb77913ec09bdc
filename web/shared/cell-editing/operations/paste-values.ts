import { type Field, shapeOf } from '#domain/fields/field.ts'
import { type ReferenceField, type RowReader, createRowReader } from '#domain/imports/row-to-values.ts'
import { apiValue } from '#domain/records/named-values.ts'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import { definitionOf } from '#web/shared/conditions/path-fields.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { t } from '#web/i18n/t.ts'
import { isDay } from '#domain/fields/date.ts'
import { type NumberSymbols, plainNumber } from '#web/shared/formatting/parse-number.ts'
import { instantOfLocal } from '#web/shared/formatting/format-value.ts'
import { LOCALE } from '#web/i18n/locale.ts'

export type LocalFormats = {
  readonly signs: NumberSymbols
  /** Such as `['month', 'day', 'year']`. */
  readonly dayOrder: readonly DayPart[]
  /** Folded prefixes of month names. */
  readonly months: readonly string[]
}

type DayPart = 'day' | 'month' | 'year'

const isDayPart = (part: string): part is DayPart => part === 'day' || part === 'month' || part === 'year'

export function localFormats(signs: NumberSymbols, locale: string = LOCALE): LocalFormats {
  const parts = new Intl.DateTimeFormat(locale).formatToParts(new Date(2006, 10, 22))
  const month = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' })
  const months = Array.from({ length: 12 }, (_, at) => firstLetters(month.format(Date.UTC(2006, at, 1))))
  return { signs, dayOrder: parts.flatMap(({ type }) => (isDayPart(type) ? [type] : [])), months }
}

const firstLetters = (name: string): string => name.toLocaleLowerCase().replaceAll('.', '').slice(0, 3)

/** Normalizes locale formats: `1.234,50`, `3/9/2026`, `9 Mar 2026`. Unrecognized text is rejected later. */
function parseLocalText(field: Field, text: string, forms: LocalFormats): string {
  switch (shapeOf(field)) {
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

/** Amounts with a currency; parentheses mean negative. */
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

/** A leading four-digit number is always the year. */
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

/** Without a zone, the local time is meant, as lists display it. */
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

export type NameMatch = { readonly id: string; readonly name: string } | 'none' | 'several'

/** Looks up linked records by title and people by name. */
export type ResolveNames = (field: ReferenceField, names: readonly string[]) => Promise<ReadonlyMap<string, NameMatch>>

export type ParsedText = Result<unknown, string>

/** Parses texts of one field like an import. */
export function textParser(collection: TypedCollection, field: Field, forms: LocalFormats) {
  const reader: RowReader = createRowReader({
    collection: definitionOf({ ...collection, fields: [field] }),
    columns: [{ at: 0, header: field.label, field: field.id }],
    width: 1,
    // Existing records: empty text clears instead of using defaults.
    key: { at: 0, header: '', field: NO_FIELD },
  })
  const read = (text: string) => reader.read([parseLocalText(field, text, forms)])
  return {
    /** Distinct names to look up first. */
    namesIn: (texts: readonly string[]): readonly string[] => {
      if (reader.references.length === 0) return []
      const names = texts.flatMap((text) => {
        const row = read(text)
        return row.ok ? row.titles.flat() : []
      })
      return [...new Set(names)]
    },
    read: (text: string, found: ReadonlyMap<string, NameMatch>): ParsedText => {
      const row = read(text)
      if (!row.ok) return fail(row.faults[0]?.message ?? t('Couldn’t read the value.'))
      const [pointer] = reader.references
      const [value = null] = row.values
      if (!pointer) return ok(apiValue(field, value, { choices: 'name', richText: 'text' }))
      return matchReferences(pointer, row.titles[0] ?? [], found)
    },
  }
}

/** Never a field name: there is no key column. */
const NO_FIELD = ''

function matchReferences(
  field: ReferenceField,
  names: readonly string[],
  found: ReadonlyMap<string, NameMatch>,
): ParsedText {
  const meant: { readonly id: string; readonly name: string }[] = []
  for (const name of names) {
    const one = found.get(name) ?? 'none'
    if (typeof one === 'string') return fail(one === 'none' ? noMatchError(field, name) : ambiguousError(field, name))
    meant.push(one)
  }
  return ok(field.kind === 'user' ? meant : meant.map(({ id, name }) => ({ id, title: name })))
}

const noMatchError = ({ kind }: ReferenceField, name: string): string =>
  kind === 'user' ? t('No person is named “{name}”.', { name }) : t('No record is named “{name}”.', { name })

const ambiguousError = ({ kind }: ReferenceField, name: string): string =>
  kind === 'user'
    ? t('Several people are named “{name}”.', { name })
    : t('Several records are named “{name}”.', { name })

export async function parseTexts(
  collection: TypedCollection,
  field: Field,
  texts: readonly string[],
  { find, forms }: { readonly find: ResolveNames; readonly forms: LocalFormats },
): Promise<readonly ParsedText[]> {
  const reader = textParser(collection, field, forms)
  const names = reader.namesIn(texts)
  const found = names.length > 0 && isPointer(field) ? await find(field, names) : new Map<string, NameMatch>()
  // Texts often repeat.
  const known = new Map<string, ParsedText>()
  return texts.map((text) => {
    const value = known.get(text) ?? reader.read(text, found)
    known.set(text, value)
    return value
  })
}

const isPointer = (field: Field): field is ReferenceField => field.kind === 'relation' || field.kind === 'user'
