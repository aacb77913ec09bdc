/** Decimal separator, used to parse ambiguous texts such as `1.234` and `1,234`. */
export const DECIMALS = ['.', ','] as const

export type Decimal = (typeof DECIMALS)[number]

/**
 * Parsed number for each decimal separator, as plain digits with a point; most texts are valid with only one separator.
 */
export type NumberReadings = { readonly [Each in Decimal]?: string }

/** Longer texts can't be amounts; limits parsing time. */
const MAX_LENGTH = 64

const UNIT = String.raw`\p{Sc}|EUR|USD|GBP|CHF|CZK|PLN|HUF|SEK|NOK|DKK|RON|JPY|CNY|CAD|AUD|Euro|kr\.?|zł|Kč|Ft|%`
const UNIT_BEFORE = new RegExp(String.raw`^([+-]?)\s*(${UNIT})\s*(?=[+\-\d.,])`, 'iu')
const UNIT_BEHIND = new RegExp(String.raw`(?<=[\d.,-])\s*(${UNIT})$`, 'iu')

/** Numbers without a unit or spaces, which most columns consist of. */
const DIGITS_AND_POINTS = /^[+-]?[\d.,]*\d$/
const DIGITS_AND_SEPARATORS = /^[+-]?[\d., ]+$/
const GROUPED_BY_SPACES = /^[+-]?\d{1,3}(?: \d{3})+(?:[.,]\d*)?$/

/** Symbols used by only one currency, unlike `kr`. */
const SIGNS: { readonly [sign: string]: string } = {
  '€': 'EUR',
  EURO: 'EUR',
  $: 'USD',
  '£': 'GBP',
  KČ: 'CZK',
  ZŁ: 'PLN',
  FT: 'HUF',
}

/**
 * Percent sign or currency symbol next to the digits, if there is one; known symbols are converted to currency codes.
 */
export function unitOf(text: string): string | undefined {
  const amount = text.length > MAX_LENGTH ? '' : text.trim()
  const unit = (UNIT_BEFORE.exec(amount)?.[2] ?? UNIT_BEHIND.exec(amount)?.[1])?.toUpperCase()
  return unit === undefined ? undefined : (SIGNS[unit] ?? unit)
}

/**
 * Parses numbers such as `1.234,50`, `1,234.50`, `1 234,5`, `1’234.50`, `30,00 €`, `$ 3`, `12 %`, `(3.50)`, `7,-` and
 * `12,50-`.
 */
export function numberReadings(text: string): NumberReadings {
  if (text.length > MAX_LENGTH) return {}
  if (DIGITS_AND_POINTS.test(text)) return readSeparators(text, true)
  const digits = bareDigits(text)
  if (!DIGITS_AND_SEPARATORS.test(digits) || !/\d/.test(digits)) return {}
  if (digits.includes(' ')) return GROUPED_BY_SPACES.test(digits) ? readSeparators(digits.replaceAll(' ', '')) : {}
  return readSeparators(digits, true)
}

/** Amount without its unit, with a leading minus sign, and with spaces and apostrophes normalized to spaces. */
function bareDigits(text: string): string {
  const trimmed = text
    .replaceAll(/[\s'’]/g, ' ')
    .replaceAll(/[−–—]/g, '-')
    .trim()
  const inParentheses = /^\((.+)\)$/.exec(trimmed)?.[1]
  const bare = (inParentheses ?? trimmed)
    .replace(UNIT_BEFORE, '$1')
    .replace(UNIT_BEHIND, '')
    .replace(/[.,]-{1,2}$/, '')
  const isOwed = inParentheses !== undefined || /\d-$/.test(bare)
  return isOwed ? `-${bare.replace(/-$/, '').trim()}` : bare.replace(/^([+-])\s+/, '$1')
}

/** `mayGroup`: whether points and commas can be thousands separators. */
function readSeparators(digits: string, mayGroup = false): NumberReadings {
  const [point, comma] = [withDecimal(digits, '.', mayGroup), withDecimal(digits, ',', mayGroup)]
  return { ...(point !== undefined && { '.': point }), ...(comma !== undefined && { ',': comma }) }
}

/** Digit groups have three digits, or two in Indian notation, except that the last always has three. */
const GROUPS = { '.': /^[+-]?[1-9]\d{0,2}(?:\.\d{2,3})*\.\d{3}$/, ',': /^[+-]?[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}$/ }

function withDecimal(digits: string, decimal: Decimal, mayGroup: boolean): string | undefined {
  const group = decimal === '.' ? ',' : '.'
  const [whole = '', fraction, ...more] = digits.split(decimal)
  if (more.length > 0 || fraction?.includes(group)) return undefined
  if (whole.includes(group) && !(mayGroup && GROUPS[group].test(whole))) return undefined
  return `${whole.replaceAll(group, '')}${fraction === undefined ? '' : `.${fraction}`}`
}

/**
 * Parses a number into plain digits. `decimal` is used only if both separators are possible; without it, a point is the
 * decimal separator, as in program output, and a comma is ambiguous.
 */
export function readNumberText(text: string, decimal?: Decimal): string | undefined {
  const { '.': point, ',': comma } = numberReadings(text)
  if (decimal !== undefined) return decimal === '.' ? (point ?? comma) : (comma ?? point)
  return point === undefined || comma === undefined || point === comma || !text.includes(',')
    ? (point ?? comma)
    : undefined
}
