import { dateTimeRules } from '../fields/date-time.ts'
import { dateRules } from '../fields/date.ts'
import { normalEmail } from '../fields/email.ts'
import type { Field, FieldKind } from '../fields/field.ts'
import { foldText } from '../shared/text.ts'
import { significantDigits } from '../fields/number.ts'
import { normalPhone } from '../fields/phone.ts'
import { normalUrl } from '../fields/url.ts'

/** Statistics of a column, updated cell by cell. */
export type ColumnProfile = {
  filledCount: number
  emptyCount: number
  isNumber: boolean
  isDate: boolean
  isDateTime: boolean
  isEmail: boolean
  isUrl: boolean
  isPhone: boolean
  hasLineBreak: boolean
  longestLength: number
  /** Distinct values with their counts; undefined once there are too many for a select. */
  values: Map<string, number> | undefined
  readonly samples: string[]
}

export type DetectedKind = {
  readonly kind: Extract<
    FieldKind,
    'text' | 'long-text' | 'number' | 'checkbox' | 'date' | 'date-time' | 'select' | 'email' | 'url' | 'phone'
  >
  readonly options: { readonly choices?: readonly { readonly name: string }[] }
}

/** More options are hard to scan in a menu. */
const MAX_OPTIONS = 40
const MAX_OPTION_LENGTH = 60
/** Average occurrences per option; fewer are chance. */
const MIN_REPETITIONS = 4
/** Longer texts, in characters, become long text. */
const MAX_LINE_LENGTH = 200
const SAMPLES_SHOWN = 5
const SAMPLE_LENGTH = 120

/**
 * Numbers as programs write them. Leading zeros and plus signs belong to codes and phone numbers, and a comma can
 * separate thousands or decimals, so these stay text.
 */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,2})?$/
/** More digits would lose precision. */
const MAX_DIGITS = 15

export const createColumnProfile = (): ColumnProfile => ({
  filledCount: 0,
  emptyCount: 0,
  isNumber: true,
  isDate: true,
  isDateTime: true,
  isEmail: true,
  isUrl: true,
  isPhone: true,
  hasLineBreak: false,
  longestLength: 0,
  values: new Map(),
  samples: [],
})

export function profileCell(profile: ColumnProfile, cell: string): void {
  const text = cell.trim()
  if (text === '') {
    profile.emptyCount += 1
    return
  }
  profile.filledCount += 1
  for (const [test, passes] of KIND_TESTS) if (profile[test]) profile[test] = passes(text)
  if (text.length > profile.longestLength) profile.longestLength = text.length
  if (!profile.hasLineBreak) profile.hasLineBreak = text.includes('\n') || text.includes('\r')
  if (profile.samples.length < SAMPLES_SHOWN) profile.samples.push(text.slice(0, SAMPLE_LENGTH))
  countValue(profile, text)
}

type KindTest = 'isNumber' | 'isDate' | 'isDateTime' | 'isEmail' | 'isUrl' | 'isPhone'

/** Each test holds for a column as long as it holds for every cell. */
const KIND_TESTS: readonly (readonly [KindTest, (text: string) => boolean])[] = [
  ['isNumber', (text) => isPlainNumber(text)],
  ['isDate', (text) => isDate(text)],
  ['isDateTime', (text) => isDateTime(text)],
  ['isEmail', (text) => text.includes('@') && normalEmail(text) !== undefined],
  ['isUrl', (text) => /^https?:\/\//i.test(text) && normalUrl(text) !== undefined],
  ['isPhone', (text) => isPhone(text)],
]

function countValue(profile: ColumnProfile, text: string): void {
  if (!profile.values) return
  profile.values.set(text, (profile.values.get(text) ?? 0) + 1)
  if (profile.values.size > MAX_OPTIONS || text.length > MAX_OPTION_LENGTH) profile.values = undefined
}

/** The kind that fits all cells. Options are only proposed if every cell was read, because others would be rejected. */
export function detectColumnKind(profile: ColumnProfile, isWhole: boolean): DetectedKind {
  if (profile.filledCount === 0) return plain('text')
  if (profile.isNumber) return plain('number')
  if (profile.isDate) return plain('date')
  if (profile.isDateTime) return plain('date-time')
  const contact = contactKind(profile)
  if (contact) return plain(contact)
  if (isCheckbox(profile)) return plain('checkbox')
  const choices = isWhole ? optionsIn(profile) : undefined
  if (choices) return { kind: 'select', options: { choices: choices.map((name) => ({ name })) } }
  return plain(profile.hasLineBreak || profile.longestLength > MAX_LINE_LENGTH ? 'long-text' : 'text')
}

const plain = (kind: Exclude<DetectedKind['kind'], 'select'>): DetectedKind => ({ kind, options: {} })

function contactKind({ isEmail, isUrl, isPhone: isNumber }: ColumnProfile): 'email' | 'url' | 'phone' | undefined {
  if (isEmail) return 'email'
  if (isUrl) return 'url'
  return isNumber ? 'phone' : undefined
}

/** Only unambiguous numbers: with a country code, or an area code in parentheses. */
const isPhone = (text: string): boolean =>
  /^(?:\+|\(\+?\d+\))/.test(text) && text.replaceAll(/\D/g, '').length >= 7 && normalPhone(text) !== undefined

const YES = new Set(['yes', 'true', 'y', 'on', 'x', '✓', '☑'])
const NO = new Set(['no', 'false', 'n', 'off', '☐'])

/** Yes or no in every row, or a mark in some. Yes, no and empty are three values, and ones and zeros can be counts. */
function isCheckbox({ values, emptyCount }: ColumnProfile): boolean {
  if (!values) return false
  const words = [...values.keys()].map((value) => value.toLowerCase())
  if (emptyCount === 0) return words.every((word) => YES.has(word) || NO.has(word))
  return words.every((word) => word === 'x' || word === '✓' || word === '☑')
}

function optionsIn({ values, filledCount, hasLineBreak }: ColumnProfile): string[] | undefined {
  if (!values || hasLineBreak || filledCount < values.size * MIN_REPETITIONS) return undefined
  const names = [...values.keys()]
  // Options that differ only in case or accents would be merged, which the user should decide.
  const isAmbiguous = new Set(names.map(foldText)).size < names.length
  return isAmbiguous ? undefined : names.toSorted()
}

const isPlainNumber = (text: string): boolean => PLAIN_NUMBER.test(text) && significantDigits(text) <= MAX_DIGITS

// Date rules only read the text, never the field.
const ANY_DATE = {} as Field<'date'>
const ANY_DATE_TIME = {} as Field<'date-time'>
const isDate = (text: string): boolean => startsWithYear(text) && dateRules.parse(text, ANY_DATE).ok
const isDateTime = (text: string): boolean => startsWithYear(text) && dateTimeRules.parse(text, ANY_DATE_TIME).ok

/** A cheap check before the slower ones. */
const startsWithYear = (text: string): boolean => /^\d{4}-\d{2}-\d{2}/.test(text)

/** Whether a cell is a number, date or date-time, which column names are not. */
export function looksTyped(cell: string): boolean {
  const text = cell.trim()
  return isPlainNumber(text) || isDate(text) || isDateTime(text)
}
