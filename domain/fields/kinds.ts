import type { Result } from '../shared/result.ts'
import { autoNumberRules } from './auto-number.ts'
import { checkboxRules } from './checkbox.ts'
import { dateTimeRules } from './date-time.ts'
import { dateRules } from './date.ts'
import { emailRules } from './email.ts'
import { type Field, type FieldKind, type FieldValue, type FilledValue, holdsList } from './field.ts'
import type { KindRules, ValueFault } from './field-kind.ts'
import { filesRules } from './files.ts'
import { jsonRules } from './json.ts'
import { longTextRules } from './long-text.ts'
import { multiSelectRules } from './multi-select.ts'
import { numberRules } from './number.ts'
import { phoneRules } from './phone.ts'
import { relationRules } from './relation.ts'
import { richTextRules } from './rich-text.ts'
import { selectRules } from './select.ts'
import { stateRules } from './state.ts'
import { textRules } from './text.ts'
import { urlRules } from './url.ts'
import { userRules } from './user.ts'

/** The rules of every kind; complete by type. */
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
  user: userRules,
  files: filesRules,
  'auto-number': autoNumberRules,
  json: jsonRules,
}

/** The value a field has when nothing was said: false for a checkbox, `[]` for a list, else null. */
export function emptyValue(field: Field): FieldValue {
  if (field.kind === 'checkbox') return false
  return holdsList(field) ? [] : null
}

/** The value a new record begins with: the field's default; a state never begins empty. */
export function startingValue(field: Field): FieldValue {
  if (field.default !== null) return field.default
  return field.kind === 'state' ? (field.options.choices[0]?.id ?? null) : emptyValue(field)
}

/** Whether a value counts as empty: what `required` refuses and `is empty` finds. A checkbox is never empty. */
export function isEmptyValue(value: FieldValue): boolean {
  if (value === null || value === '') return true
  return Array.isArray(value) && value.length === 0
}

/** Turns what came from outside into a value of the field, or says why not. null, '' and [] mean empty. */
export function checkValue(field: Field, value: unknown): Result<FieldValue, ValueFault> {
  return saysNothing(field, value) ? { ok: true, value: emptyValue(field) } : rulesOf(field).check(value, field)
}

/** An empty text and an empty list are JSON like any other. */
function saysNothing({ kind }: Field, value: unknown): boolean {
  if (value === null) return true
  return kind !== 'json' && (value === '' || (Array.isArray(value) && value.length === 0))
}

/** The same for the text of a CSV cell or of the clipboard. */
export function parseValue(field: Field, text: string): Result<FieldValue, ValueFault> {
  return text.trim() === '' ? { ok: true, value: emptyValue(field) } : rulesOf(field).parse(text, field)
}

/** A value as plain text; the inverse of `parseValue`. */
export function printValue(field: Field, value: FieldValue): string {
  return value === null ? '' : rulesOf(field).print(value, field)
}

/** Whether fields of this kind may be unique. */
export const canBeUnique = (kind: FieldKind): boolean => KINDS[kind].canBeUnique

type LooseRules = {
  readonly check: (value: unknown, field: Field) => Result<FieldValue, ValueFault>
  readonly parse: (text: string, field: Field) => Result<FieldValue, ValueFault>
  readonly print: (value: FilledValue, field: Field) => string
}

// The table pairs each kind with its own rules, which the compiler cannot follow through an index by a union.
const rulesOf = (field: Field): LooseRules => KINDS[field.kind] as unknown as LooseRules
