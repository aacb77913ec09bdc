import { type Field, type NumberOptions } from '#domain/fields/field.ts'
import { parseValue } from '#domain/fields/kinds.ts'
import type { ValueFault } from '#domain/fields/field-kind.ts'
import { fail, ok, type Result } from '#domain/shared/result.ts'
import { LOCALE } from '#web/i18n/locale.ts'

export type NumberSymbols = { readonly decimal: string; readonly group: string }

export function numberSymbols(locale: string = LOCALE): NumberSymbols {
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(1_234_567.8)
  const signOf = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return { decimal: signOf('decimal') || '.', group: signOf('group') }
}

/** Without grouping, with a decimal point. */
export function plainNumber(typed: string, { decimal, group }: NumberSymbols): string {
  const bare = typed
    .trim()
    .replaceAll(/[\s'’\u00a0\u202f]/g, '')
    .replace('−', '-')
  const ungrouped = group.trim() === '' ? bare : ungroup(bare, { decimal, group })
  return decimal === '.' ? ungrouped : ungrouped.replace(decimal, '.')
}

/** Removes valid groups only: `1,234,567.5`; `1,5` is no number in English. */
function ungroup(text: string, { decimal, group }: NumberSymbols): string {
  const [whole = '', ...rest] = text.split(decimal)
  const digits = whole.replace(/^[+-]/, '').split(group)
  const areGroups = digits.every((part, at) => (at === 0 ? /^\d{1,3}$/ : /^\d{3}$/).test(part))
  return areGroups && digits.length > 1 ? [whole.replaceAll(group, ''), ...rest].join(decimal) : text
}

export function parseTypedNumber(
  typed: string,
  signs: NumberSymbols,
  options: NumberOptions,
): Result<number | null, ValueFault> {
  const plain = plainNumber(typed, signs)
  if (plain === '') return ok(null)
  const read = parseValue({ ...ANY_NUMBER, options }, plain)
  if (!read.ok) return fail(read.fault)
  return ok(typeof read.value === 'number' ? read.value : null)
}

const ANY_NUMBER: Field<'number'> = {
  id: '',
  name: '',
  label: '',
  kind: 'number',
  required: false,
  unique: false,
  default: null,
  options: {},
}
