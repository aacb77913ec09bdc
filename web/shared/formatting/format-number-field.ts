import type { NumberOptions } from '#domain/fields/field.ts'
import { formatOf, printDuration, topOf } from '#domain/fields/number-format.ts'
import { LOCALE } from '#web/i18n/locale.ts'

/** More digits than a number can have. */
const ALL_DIGITS = 20

/** Decimal places of a currency field if none are set. */
const CENTS = 2

const formatters = new WeakMap<NumberOptions, Intl.NumberFormat>()

function formatterOf(options: NumberOptions): Intl.NumberFormat {
  const known = formatters.get(options)
  if (known) return known
  const { currency, grouping = true } = options
  const format = formatOf(options)
  const decimals = options.decimals ?? (format === 'currency' ? CENTS : undefined)
  const made = new Intl.NumberFormat(LOCALE, {
    useGrouping: grouping,
    minimumFractionDigits: decimals ?? 0,
    maximumFractionDigits: ALL_DIGITS,
    ...(format === 'currency' && currency && { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }),
    ...((format === 'percent' || format === 'progress') && { style: 'unit', unit: 'percent' }),
  })
  formatters.set(options, made)
  return made
}

/** Formats a number field's value for the reader: `1,234.50`, `€30.00`, `25%`, `12 kg`, `1:30:00`, `★★★☆☆`. */
export function formatNumberField(value: number, options: NumberOptions): string {
  switch (formatOf(options)) {
    case 'duration':
      return printDuration(value)
    case 'rating':
      return starsText(value, topOf(options))
    case 'unit':
      return `${formatterOf(options).format(value)}\u00A0${options.unit}`
    default:
      return formatterOf(options).format(value)
  }
}

function starsText(value: number, top: number): string {
  const full = Math.max(0, Math.min(Math.round(value), top))
  return '★'.repeat(full) + '☆'.repeat(top - full)
}
