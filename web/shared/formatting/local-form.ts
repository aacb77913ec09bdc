import type { WrittenForm } from '#domain/fields/field-kind.ts'
import { DAY_ORDERS, type DayOrder } from '#domain/fields/written-date.ts'
import { type Decimal, readNumberText } from '#domain/fields/written-number.ts'
import { LOCALE } from '#web/i18n/locale.ts'

type LocalForm = WrittenForm & { readonly decimal: Decimal; readonly dayOrder: DayOrder; readonly timeZone: string }

/** How people of a locale write numbers and dates. */
export function localForm(locale: string = LOCALE): LocalForm {
  const number = new Intl.NumberFormat(locale).formatToParts(1.5)
  const format = new Intl.DateTimeFormat(locale)
  const letters = format.formatToParts(0).map(({ type }) => type.charAt(0))
  return {
    decimal: number.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.',
    dayOrder:
      DAY_ORDERS.find((order) => order === letters.filter((letter) => order.includes(letter)).join('')) ?? 'dmy',
    timeZone: format.resolvedOptions().timeZone,
  }
}

/** Of the reader. */
export const LOCAL_FORM = localForm()

/** A typed number; undefined if it isn't one. */
export function readLocalNumber(text: string): number | undefined {
  const plain = readNumberText(text.trim(), LOCAL_FORM.decimal)
  return plain === undefined ? undefined : Number(plain)
}

/** As `readLocalNumber` reads it back. */
export const typedNumber = (value: number): string => String(value).replace('.', LOCAL_FORM.decimal)
