import { readYesNo } from '../fields/checkbox.ts'
import { dateTimeRules } from '../fields/date.ts'
import { type DayOrder, DAY_ORDERS, dayPartOf, dayReadings } from '../fields/date-text.ts'
import { normalEmail } from '../fields/email.ts'
import type { Field, FieldKind, NumberOptions } from '../fields/field.ts'
import type { TextFormat } from '../fields/field-kind.ts'
import { type Decimal, numberReadings, unitOf } from '../fields/number-text.ts'
import { significantDigits } from '../fields/number.ts'
import { normalPhone } from '../fields/phone.ts'
import { normalUrl } from '../fields/url.ts'
import { isDay as isPlainDay } from '../shared/time.ts'
import { addToOptions, createOptionsProfiles, detectOptions, type OptionsProfile } from './detect-options.ts'

/** Column statistics, updated cell by cell. */
export type ColumnProfile = {
  filledCount: number
  emptyCount: number
  /** Number of invalid cells for each kind. */
  readonly misfits: { [Each in KindTest]: number }
  /** Whether the column has numbers whose digits must be preserved, such as `0049`. */
  hasCodes: boolean
  readonly units: Set<string>
  /** Number of cells that can be parsed with only one of the decimal separators or date orders. */
  readonly votes: { [Each in Decimal | DayOrder]: number }
  hasLineBreak: boolean
  longestLength: number
  /** Option counts for unsplit cells, and for cells split by each separator. */
  readonly options: readonly OptionsProfile[]
  readonly samples: string[]
}

export type DetectedColumn = {
  readonly kind: Extract<
    FieldKind,
    | 'text'
    | 'long-text'
    | 'number'
    | 'checkbox'
    | 'date'
    | 'date-time'
    | 'select'
    | 'multi-select'
    | 'email'
    | 'url'
    | 'phone'
  >
  readonly options: Pick<NumberOptions, 'format' | 'currency'> & {
    readonly choices?: readonly { readonly name: string }[]
  }
  /** Detected text format; properties that couldn't be detected are absent. */
  readonly format: TextFormat
  /** Number of cells that aren't valid for this kind. */
  readonly misfitCount: number
}

/** Length limit in characters; columns with longer texts become long-text fields. */
const MAX_LINE_LENGTH = 200
const SAMPLES_SHOWN = 5
const SAMPLE_LENGTH = 120

/**
 * Matches numbers in plain notation. Leading zeros and plus signs indicate codes and phone numbers, which remain text.
 */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,2})?$/
const WHOLE_NUMBER = /^-?[1-9]\d{0,14}$/
/** Fast path, because most files contain such numbers. */
const PLAIN_AMOUNT = /^-?(?:0|[1-9]\d{0,8})\.(?:\d{1,2}|\d{4,6})$/
const CODE = /^(?:\+|-?0\d|\d{3} \d{3} \d{3}$)/
/** Numbers with more digits would lose precision. */
const MAX_DIGITS = 15

export const createColumnProfile = (): ColumnProfile => ({
  filledCount: 0,
  emptyCount: 0,
  misfits: { number: 0, date: 0, dateTime: 0, email: 0, url: 0, phone: 0 },
  hasCodes: false,
  units: new Set(),
  votes: { '.': 0, ',': 0, dmy: 0, mdy: 0, ymd: 0 },
  hasLineBreak: false,
  longestLength: 0,
  options: createOptionsProfiles(),
  samples: [],
})

export function profileCell(profile: ColumnProfile, cell: string): void {
  const text = cell.trim()
  if (text === '') {
    profile.emptyCount += 1
    return
  }
  profile.filledCount += 1
  for (const [test, fits] of KIND_TESTS) {
    if (isHopeless(profile, test) || !fits(text, profile)) profile.misfits[test] += 1
  }
  if (text.length > profile.longestLength) profile.longestLength = text.length
  if (!profile.hasLineBreak) profile.hasLineBreak = text.includes('\n') || text.includes('\r')
  if (profile.samples.length < SAMPLES_SHOWN) profile.samples.push(text.slice(0, SAMPLE_LENGTH))
  for (const options of profile.options) addToOptions(options, text)
}

type KindTest = 'number' | 'date' | 'dateTime' | 'email' | 'url' | 'phone'

const KIND_TESTS: readonly (readonly [KindTest, (text: string, profile: ColumnProfile) => boolean])[] = [
  ['number', (text, profile) => WHOLE_NUMBER.test(text) || isNumber(text, profile)],
  ['date', (text, { votes }) => hasDigit(text) && isDay(text, votes)],
  ['dateTime', (text, { votes }) => hasDigit(text) && isInstant(text, votes)],
  ['email', (text) => text.includes('@') && normalEmail(text) !== undefined],
  ['url', (text) => /^https?:\/\//i.test(text) && normalUrl(text) !== undefined],
  ['phone', (text) => isPhone(text)],
]

const hasDigit = (text: string): boolean => /\d/.test(text)

const MISFITS_TO_GIVE_UP = 20

/** Whether so many cells are invalid that the kind can be ruled out without testing the rest. */
const isHopeless = ({ misfits, filledCount }: ColumnProfile, test: KindTest): boolean =>
  misfits[test] > MISFITS_TO_GIVE_UP && misfits[test] * 4 > filledCount

const MIN_CELLS_WITH_MISFITS = 20

/**
 * A small share of cells may be invalid, such as “on request” among prices; the user can review them before importing.
 */
const fits = ({ misfits, filledCount }: ColumnProfile, test: KindTest): boolean =>
  misfits[test] === 0 || (filledCount >= MIN_CELLS_WITH_MISFITS && misfits[test] * 20 <= filledCount)

function isNumber(text: string, profile: ColumnProfile): boolean {
  if (!hasDigit(text)) return false
  if (PLAIN_AMOUNT.test(text)) {
    profile.votes['.'] += 1
    return true
  }
  if (CODE.test(text)) {
    profile.hasCodes = true
    return false
  }
  const { '.': point, ',': comma } = numberReadings(text)
  const plain = point ?? comma ?? (PLAIN_NUMBER.test(text) ? text : undefined)
  if (plain === undefined) return false
  if (significantDigits(plain) > MAX_DIGITS) {
    profile.hasCodes = true
    return false
  }
  if (point === undefined && comma !== undefined) profile.votes[','] += 1
  if (comma === undefined && point !== undefined) profile.votes['.'] += 1
  const unit = unitOf(text)
  if (unit !== undefined) profile.units.add(unit)
  return true
}

function isDay(text: string, votes: ColumnProfile['votes']): boolean {
  if (isPlainDay(text)) {
    votes.ymd += 1
    return true
  }
  const readings = dayReadings(text)
  const orders = DAY_ORDERS.filter((order) => readings[order] !== undefined)
  const [only, ...others] = orders
  if (only !== undefined && others.length === 0) votes[only] += 1
  return orders.length > 0
}

// Date parsing uses only the text, not the field.
const ANY_DATE_TIME = {} as Field<'date-time'>

function isInstant(text: string, votes: ColumnProfile['votes']): boolean {
  const isRead = DAY_ORDERS.some((dayOrder) => dateTimeRules.parse(text, ANY_DATE_TIME, { dayOrder }).ok)
  const day = dayPartOf(text)
  // A date without a time has already been counted as a date.
  if (isRead && day !== undefined) isDay(day, votes)
  return isRead
}

export type DetectionContext = {
  /**
   * Whether every cell was read. Options are proposed only then, because values missing from the options would be
   * rejected.
   */
  readonly isWhole: boolean
  /** Cell separator of the file. */
  readonly separator: string
}

/**
 * Detects the kind and format that are valid for nearly all cells; ambiguous formats are resolved using other columns.
 */
export function detectColumns(profiles: readonly ColumnProfile[], context: DetectionContext): DetectedColumn[] {
  const fallback = sharedFormat(profiles, context)
  return profiles.map((profile) => {
    const found = detectKind(profile, context)
    const format = formatOf(profile, found.kind, fallback)
    return { ...found, format: { ...found.format, ...format } }
  })
}

function sharedFormat(profiles: readonly ColumnProfile[], { separator }: DetectionContext): TextFormat {
  const sum = (vote: Decimal | DayOrder) => profiles.reduce((count, { votes }) => count + votes[vote], 0)
  const decimal = majority(sum('.'), sum(',')) ?? (separator === ';' ? ',' : '.')
  const dayOrder = sum('dmy') > 0 ? 'dmy' : sum('mdy') > 0 ? 'mdy' : decimal === ',' ? 'dmy' : undefined
  return { decimal, dayOrder }
}

function majority(points: number, commas: number): Decimal | undefined {
  if (points === commas) return undefined
  return points > commas ? '.' : ','
}

function formatOf({ votes }: ColumnProfile, kind: FieldKind, fallback: TextFormat): TextFormat {
  if (kind === 'number') return { decimal: majority(votes['.'], votes[',']) ?? fallback.decimal }
  if (kind !== 'date' && kind !== 'date-time') return {}
  const [best] = DAY_ORDERS.filter((order) => votes[order] > 0).toSorted((one, other) => votes[other] - votes[one])
  return { dayOrder: best === undefined || best === 'ymd' ? (fallback.dayOrder ?? best) : best }
}

/** Kinds in order of preference. */
const TYPED_KINDS: readonly (readonly [KindTest, DetectedColumn['kind']])[] = [
  ['number', 'number'],
  ['date', 'date'],
  ['dateTime', 'date-time'],
  ['email', 'email'],
  ['url', 'url'],
  ['phone', 'phone'],
]

/** Sets the proposed field's format to the column's currency or to percent. */
function unitOptions({ units }: ColumnProfile): DetectedColumn['options'] {
  const [unit = ''] = units
  if (unit === '%') return { format: 'percent' }
  return /^[A-Z]{3}$/.test(unit) ? { format: 'currency', currency: unit } : {}
}

/** A number field can't store mixed currencies, or a code's leading zeros. */
const isQuantity = ({ hasCodes, units }: ColumnProfile): boolean => !hasCodes && units.size < 2

function detectKind(profile: ColumnProfile, { isWhole }: DetectionContext): DetectedColumn {
  if (profile.filledCount === 0) return plain('text')
  const typed = TYPED_KINDS.find(([test]) => fits(profile, test) && (test !== 'number' || isQuantity(profile)))
  if (typed) {
    const found = plain(typed[1], profile.misfits[typed[0]])
    return found.kind === 'number' ? { ...found, options: unitOptions(profile) } : found
  }
  if (isCheckbox(profile)) return plain('checkbox')
  const found = isWhole && !profile.hasLineBreak ? detectOptions(profile.options, profile.filledCount) : undefined
  if (found?.separator === null) return withOptions('select', found.names)
  if (found) return { ...withOptions('multi-select', found.names), format: { separator: found.separator } }
  return plain(profile.hasLineBreak || profile.longestLength > MAX_LINE_LENGTH ? 'long-text' : 'text')
}

const plain = (kind: DetectedColumn['kind'], misfitCount = 0): DetectedColumn => ({
  kind,
  options: {},
  format: {},
  misfitCount,
})

const withOptions = (kind: 'select' | 'multi-select', names: readonly string[]): DetectedColumn => ({
  ...plain(kind),
  options: { choices: names.map((name) => ({ name })) },
})

/** Matches only unambiguous phone numbers, which have a country code, or an area code in parentheses. */
const isPhone = (text: string): boolean =>
  /^(?:\+|\(\+?\d+\))/.test(text) && text.replaceAll(/\D/g, '').length >= 7 && normalPhone(text) !== undefined

/**
 * Detects columns with yes or no in every row, or a mark in some rows. A mix of yes, no and empty isn't a checkbox but
 * three values, and 1 and 0 can be counts.
 */
function isCheckbox({ options: [whole], emptyCount }: ColumnProfile): boolean {
  if (!whole?.names) return false
  const words = [...whole.names.keys()].map((value) => value.toLowerCase())
  if (emptyCount === 0) return words.every((word) => readYesNo(word) !== undefined)
  return words.every((word) => word === 'x' || word === '✓' || word === '☑')
}

/** Whether a cell is a number, date or date-time, and therefore not a column name. */
export function looksTyped(cell: string): boolean {
  const text = cell.trim()
  if (!hasDigit(text)) return false
  const profile = createColumnProfile()
  return isNumber(text, profile) || isDay(text, profile.votes) || isInstant(text, profile.votes)
}
