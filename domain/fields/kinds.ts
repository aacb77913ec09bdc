import type { Result } from '../shared/result.ts'
import { autoNumberRules, numberRules } from './number.ts'
import { checkboxRules } from './checkbox.ts'
import { dateTimeRules, dateRules } from './date.ts'
import { emailRules } from './email.ts'
import {
  type Field,
  type FieldKind,
  type FieldValue,
  type FilledValue,
  type FormulaResult,
  hasManyEntries,
  type OptionsOf,
} from './field.ts'
import type { KindRules, ValueFault, TextFormat } from './field-kind.ts'
import type { OptionRules } from './field-options.ts'
import { filesRules } from './files.ts'
import { countRules, formulaRules, lookupRules, rollupRules } from './computed.ts'
import { jsonRules } from './json.ts'
import { phoneRules } from './phone.ts'
import { relationRules, reverseRules, userRules } from './relation.ts'
import { richTextRules, longTextRules, textRules } from './text.ts'
import { multiSelectRules, selectRules, stateRules } from './select.ts'
import { urlRules } from './url.ts'

const KINDS: { readonly [Kind in FieldKind]: KindRules<Kind> } = {
  text: textRules,
  'long-text': longTextRules,
  'rich-text': richTextRules,
  number: numberRules,
  checkbox: checkboxRules,
  date: dateRules,
  'date-time': dateTimeRules,
  select: selectRules,
  'multi-select': multiSelectRules,
  state: stateRules,
  email: emailRules,
  url: urlRules,
  phone: phoneRules,
  relation: relationRules,
  reverse: reverseRules,
  user: userRules,
  files: filesRules,
  'auto-number': autoNumberRules,
  json: jsonRules,
  formula: formulaRules,
  lookup: lookupRules,
  count: countRules,
  rollup: rollupRules,
}

/** Empty value: false for checkboxes, `[]` for lists, otherwise null. */
export function emptyValue(field: Field): FieldValue {
  if (field.kind === 'checkbox') return false
  return hasManyEntries(field) ? [] : null
}

/** Default value; a status field defaults to its first option. */
export function startingValue(field: Field): FieldValue {
  if (field.default !== null) return field.default
  return field.kind === 'state' ? (field.options.choices[0]?.id ?? null) : emptyValue(field)
}

/** Whether new records without a value in the field get its default value or the result of its default formula. */
export const hasDefault = (field: Field): boolean => field.default !== null || field.defaultFormula !== undefined

/** Whether new records need a value from their author; a default formula may give one. */
export const needsValue = (field: Field): boolean =>
  field.required &&
  field.kind !== 'auto-number' &&
  field.defaultFormula === undefined &&
  isEmptyValue(startingValue(field))

/** The type of a formula's result that fields accept as a default value; options are given by name. */
export const DEFAULT_RESULTS: { readonly [Kind in FieldKind]?: FormulaResult } = {
  text: 'text',
  'long-text': 'text',
  email: 'text',
  url: 'text',
  phone: 'text',
  select: 'text',
  number: 'number',
  checkbox: 'checkbox',
  date: 'date',
  'date-time': 'date-time',
}

export const canCalculateDefault = (kind: FieldKind): boolean => DEFAULT_RESULTS[kind] !== undefined

/** Used by `required` and `is empty`. A checkbox is never empty. */
export function isEmptyValue(value: FieldValue): boolean {
  if (value === null || value === '') return true
  return Array.isArray(value) && value.length === 0
}

/** Validates an external value; null, '' and [] mean empty. */
export function checkValue(field: Field, value: unknown): Result<FieldValue, ValueFault> {
  return saysNothing(field, value) ? { ok: true, value: emptyValue(field) } : rulesOf(field).check(value, field)
}

/** In JSON fields, '' and [] are valid values, not empty. */
function saysNothing({ kind }: Field, value: unknown): boolean {
  if (value === null) return true
  return kind !== 'json' && (value === '' || (Array.isArray(value) && value.length === 0))
}

/** Parses text from a CSV cell, the clipboard or user input. */
export function parseValue(field: Field, text: string, format?: TextFormat): Result<FieldValue, ValueFault> {
  return text.trim() === '' ? { ok: true, value: emptyValue(field) } : rulesOf(field).parse(text, field, format)
}

/** The inverse of `parseValue`. */
export function printValue(field: Field, value: FieldValue): string {
  return value === null ? '' : rulesOf(field).print(value, field)
}

export const optionRulesOf = (kind: FieldKind): OptionRules<OptionsOf[FieldKind]> => KINDS[kind]

export const canBeUnique = (kind: FieldKind): boolean => KINDS[kind].canBeUnique

type LooseRules = {
  readonly check: (value: unknown, field: Field) => Result<FieldValue, ValueFault>
  readonly parse: (text: string, field: Field, format?: TextFormat) => Result<FieldValue, ValueFault>
  readonly print: (value: FilledValue, field: Field) => string
}

// The compiler can't match a kind with its rules through a union index.
const rulesOf = (field: Field): LooseRules => KINDS[field.kind] as unknown as LooseRules
