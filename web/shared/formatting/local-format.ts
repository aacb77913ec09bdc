import type { TextFormat } from '#domain/fields/field-kind.ts'
import { DAY_ORDERS, type DayOrder } from '#domain/fields/date-text.ts'
import { type Decimal, readNumberText } from '#domain/fields/number-text.ts'
import { findTimeZone } from '#domain/shared/time.ts'
import { LOCALE } from '#web/i18n/locale.ts'

type LocalFormat = TextFormat & { readonly decimal: Decimal; readonly dayOrder: DayOrder; readonly timeZone: string }

/** How numbers and dates are written in a locale. */
export function localFormat(locale: string = LOCALE): LocalFormat {
  const number = new Intl.NumberFormat(locale).formatToParts(1.5)
  const date = new Intl.DateTimeFormat(locale)
  const letters = date.formatToParts(0).map(({ type }) => type.charAt(0))
  return {
    decimal: number.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.',
    dayOrder:
      DAY_ORDERS.find((order) => order === letters.filter((letter) => order.includes(letter)).join('')) ?? 'dmy',
    // On systems without a time zone, browsers report unsupported names.
    timeZone: findTimeZone(date.resolvedOptions().timeZone) ?? 'UTC',
  }
}

/** The format of the reader's locale. */
export const LOCAL_FORMAT = localFormat()

/** Parses a number in the reader's locale; undefined if invalid. */
export function readLocalNumber(text: string): number | undefined {
  const plain = readNumberText(text.trim(), LOCAL_FORMAT.decimal)
  return plain === undefined ? undefined : Number(plain)
}

/** Formats a number so that `readLocalNumber` can parse it. */
export const typedNumber = (value: number): string => String(value).replace('.', LOCAL_FORMAT.decimal)
