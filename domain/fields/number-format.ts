import { type PartProblem, partProblem } from '../shared/problem.ts'
import type { NumberFormat, NumberOptions } from './field.ts'

export const formatOf = ({ format = 'number' }: NumberOptions): NumberFormat => format

export const DEFAULT_STARS = 5
const MAX_STARS = 10

export const DEFAULT_CURRENCY = 'EUR'

/** Number of stars in a rating, or the maximum of a progress bar. */
export const topOf = (options: NumberOptions): number =>
  options.max ?? (formatOf(options) === 'rating' ? DEFAULT_STARS : 100)

const CURRENCY_CODE = /^[A-Z]{3}$/

type FormatDraft = { readonly [Name in keyof NumberOptions]: NumberOptions[Name] | undefined }

/** Drops options that don't apply to the chosen format. */
export function formatOptions(draft: FormatDraft): FormatDraft {
  const { format, currency, unit, grouping } = draft
  return {
    ...(format !== undefined && format !== 'number' && { format }),
    ...(format === 'currency' && { currency }),
    ...(format === 'unit' && { unit: unit?.trim() }),
    ...(format === 'rating' && { min: 0, max: draft.max ?? DEFAULT_STARS, decimals: 0 }),
    ...(grouping === false && { grouping }),
  }
}

export function formatProblems({ format, currency, unit, max }: FormatDraft): readonly PartProblem[] {
  if (format === 'currency' && !CURRENCY_CODE.test(currency ?? ''))
    return [partProblem('options.currency', 'invalid', 'Use a three-letter currency code, such as EUR.')]
  if (format === 'unit' && !unit?.trim()) return [partProblem('options.unit', 'required', 'Enter a unit, such as kg.')]
  if (format === 'rating' && max !== undefined && !(Number.isInteger(max) && max >= 1 && max <= MAX_STARS))
    return [partProblem('options.max', 'invalid', `The number of stars must be from 1 to ${MAX_STARS}.`)]
  return []
}

/** Parses durations such as `1:30` (hours and minutes), `1:30:15`, `2h 15m`, `90 min` and `45s`. */
const CLOCK = /^([+-]?)(\d+):([0-5]?\d)(?::([0-5]?\d(?:[.,]\d+)?))?$/
const NAMED = /^([+-]?)(?:(\d+(?:[.,]\d+)?)h[a-z]*)?(?:(\d+(?:[.,]\d+)?)m[a-z]*)?(?:(\d+(?:[.,]\d+)?)s[a-z]*)?$/i

const amount = (digits = '0'): number => Number(digits.replace(',', '.'))

const MAX_DURATION_LENGTH = 40

function readDuration(given: string): string | undefined {
  const text = given.length > MAX_DURATION_LENGTH ? '' : given.replaceAll(/\s/g, '')
  const [, sign, hours, minutes, seconds] = CLOCK.exec(text) ?? NAMED.exec(text) ?? []
  if (hours === undefined && minutes === undefined && seconds === undefined) return undefined
  const total = amount(hours) * 3600 + amount(minutes) * 60 + amount(seconds)
  return String(sign === '-' ? -total : total)
}

const STARS = /^(★*)☆*$/

/** Converts formatted text to a plain number; returns other texts unchanged. */
export function withoutFormat(text: string, options: NumberOptions): string {
  switch (formatOf(options)) {
    case 'duration':
      return readDuration(text) ?? text
    case 'rating':
      return text === '' ? text : String(STARS.exec(text)?.[1]?.length ?? text)
    case 'unit':
      return withoutUnit(text, options.unit ?? '')
    default:
      return text
  }
}

function withoutUnit(text: string, unit: string): string {
  const folded = text.toLowerCase()
  const end = unit.toLowerCase()
  if (end === '') return text
  if (folded.endsWith(end)) return text.slice(0, -end.length).trim()
  return folded.startsWith(end) ? text.slice(end.length).trim() : text
}

const two = (part: number): string => String(part).padStart(2, '0')

/** Formats a duration as `1:30:00`, or as a plain number if that would lose digits. */
export function printDuration(value: number): string {
  const text = clockText(value)
  return Number(readDuration(text)) === value ? text : String(value)
}

function clockText(value: number): string {
  const total = Math.abs(value)
  const [hours, minutes] = [Math.floor(total / 3600), Math.floor((total % 3600) / 60)]
  const [whole = '', fraction] = String(Number((total % 60).toFixed(6))).split('.')
  const seconds = `${whole.padStart(2, '0')}${fraction === undefined ? '' : `.${fraction}`}`
  return `${value < 0 ? '-' : ''}${hours}:${two(minutes)}:${seconds}`
}

/** Export format, without currency or unit symbols, because spreadsheets wouldn't recognize the values as numbers. */
export function printNumber(value: number, options: NumberOptions): string {
  switch (formatOf(options)) {
    case 'duration':
      return printDuration(value)
    case 'percent':
      return String(value).includes('e') ? String(value) : `${value}%`
    default:
      return String(value)
  }
}
