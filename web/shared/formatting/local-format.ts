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
    // Browsers on systems without a time zone report names that aren't supported.
    timeZone: findTimeZone(date.resolvedOptions().timeZone) ?? 'UTC',
  }
}

/** The reader's format. */
export const LOCAL_FORMAT = localFormat()

/** A typed number; undefined if it isn't one. */
export function readLocalNumber(text: string): number | undefined {
  const plain = readNumberText(text.trim(), LOCAL_FORMAT.decimal)
  return plain === undefined ? undefined : Number(plain)
}

/** In a format that `readLocalNumber` can parse. */
export const typedNumber = (value: number): string => String(value).replace('.', LOCAL_FORMAT.decimal)
