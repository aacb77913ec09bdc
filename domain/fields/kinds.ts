import { ok, type Result } from '#domain/shared/result.ts'
import { checkboxRules } from './checkbox.ts'
import { dateTimeRules } from './date-time.ts'
import { dateRules } from './date.ts'
import { emailRules } from './email.ts'
import { type Field, type FieldKind, type FieldValue, type FilledValue, holdsList } from './field.ts'
import { fault, type KindRules, type ValueFault } from './field-kind.ts'
import { jsonRules } from './json.ts'
import { numberRules } from './number.ts'
import { phoneRules } from './phone.ts'
import { isId, relationRules } from './relation.ts'
import { checkOption, optionName, selectRules } from './select.ts'
import { checkText, MAX_LONG_TEXT_LENGTH, textRules } from './text.ts'
import { urlRules } from './url.ts'
import { checkDocument } from '#domain/rich-text/check-document.ts'
import { documentOfText, plainText } from '#domain/rich-text/plain-text.ts'
import type { OptionId } from '#domain/shared/ids.ts'
import { parseList, printList } from '#domain/shared/list-text.ts'

/** The default limit per field and record. */
const MAX_FILES = 1000

/** Finished uploads by ID, in order. The server checks who may attach them and their type. */
const filesRules: KindRules<'files'> = {
  check: (value, field) => {
    if (!Array.isArray(value)) return fault('not-list', 'Must be a list of file IDs.')
    if (!value.every(isId)) return fault('not-file', 'Each item must be the ID of an uploaded file.')
    const ids = [...new Set(value)]
    const max = field.options.max ?? MAX_FILES
    return ids.length <= max ? ok(ids) : fault('too-many', `Contains ${ids.length} files; at most ${max} are allowed.`)
  },
  parse: (text, field) =>
    filesRules.check(
      text
        .split(';')
        .map((part) => part.trim())
        .filter((id) => id !== ''),
      field,
    ),
  print: (value) => value.join('; '),
  canBeUnique: false,
}

/** Larger lists should be modeled differently. */
const MAX_USERS = 1000

/** Users by ID; the server checks whether they can be selected. */
const userRules: KindRules<'user'> = {
  check: (value, field) => {
    if (!field.options.many) return isId(value) ? ok(value) : fault('not-user', 'Must be a user ID.')
    if (!Array.isArray(value)) return fault('not-list', 'Must be a list of user IDs.')
    if (value.length > MAX_USERS) return fault('too-many', `Must contain at most ${MAX_USERS} people.`)
    return value.every(isId) ? ok([...new Set(value)]) : fault('not-user', 'Each item must be a user ID.')
  },
  parse: (text, field) => {
    const ids = text.split(';').map((part) => part.trim())
    return userRules.check(field.options.many ? ids.filter((id) => id !== '') : text.trim(), field)
  },
  print: (value) => (typeof value === 'string' ? value : value.join('; ')),
  canBeUnique: false,
}

/** Distinct options in the given order; by name or ID in the API. */
const multiSelectRules: KindRules<'multi-select'> = {
  check: (value, field) => {
    if (!Array.isArray(value)) return fault('not-list', 'Must be a list of option names.')
    const chosen = new Set<OptionId>()
    for (const item of value) {
      const choice = checkOption(item, field)
      if (!choice.ok) return choice
      chosen.add(choice.value)
    }
    return ok([...chosen])
  },
  parse: (text, field) => multiSelectRules.check(parseList(text), field),
  print: (value, field) => printList(value.flatMap((id) => optionName(field, id) ?? [])),
  canBeUnique: false,
}

/** Every whole number of this many digits is exact in a double. */
const WHOLE_NUMBER = /^\d{1,15}$/

/** Counts from 1, assigned by the server; checked when a field changes to this kind. */
const autoNumberRules: KindRules<'auto-number'> = {
  check: (value) =>
    typeof value === 'number' && Number.isInteger(value) && value > 0 && WHOLE_NUMBER.test(String(value))
      ? ok(value)
      : fault('not-count', 'Must be a whole number of 1 or more.'),
  parse: (text, field) => {
    const plain = text.trim()
    return autoNumberRules.check(WHOLE_NUMBER.test(plain) ? Number(plain) : undefined, field)
  },
  print: (value) => String(value),
  canBeUnique: true,
}

/** A formatted document: the server stores its validated JSON and its plain text. */
const richTextRules: KindRules<'rich-text'> = {
  check: (value) => checkDocument(value),
  parse: (text) => checkDocument(documentOfText(text)),
  print: (value) => plainText(value),
  canBeUnique: false,
}

const longTextRules: KindRules<'long-text'> = {
  check: (value, field) =>
    checkText(typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value, field, MAX_LONG_TEXT_LENGTH),
  parse: (text, field) => longTextRules.check(text, field),
  print: (value) => value,
  canBeUnique: false,
}

/** One of the field's options, never empty. A collection has at most one status field. */
const stateRules: KindRules<'state'> = {
  check: checkOption,
  parse: (text, field) => checkOption(text.trim(), field),
  print: (value, field) => optionName(field, value) ?? '',
  canBeUnique: false,
}

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

/** false for checkboxes, `[]` for lists, otherwise null. */
export function emptyValue(field: Field): FieldValue {
  if (field.kind === 'checkbox') return false
  return holdsList(field) ? [] : null
}

/** The default value; a status defaults to the first option. */
export function startingValue(field: Field): FieldValue {
  if (field.default !== null) return field.default
  return field.kind === 'state' ? (field.options.choices[0]?.id ?? null) : emptyValue(field)
}

/** Used by `required` and `is empty`. A checkbox is never empty. */
export function isEmptyValue(value: FieldValue): boolean {
  if (value === null || value === '') return true
  return Array.isArray(value) && value.length === 0
}

/** Checks an external value. null, '' and [] are empty. */
export function checkValue(field: Field, value: unknown): Result<FieldValue, ValueFault> {
  return saysNothing(field, value) ? { ok: true, value: emptyValue(field) } : rulesOf(field).check(value, field)
}

/** In JSON fields, '' and [] are values. */
function saysNothing({ kind }: Field, value: unknown): boolean {
  if (value === null) return true
  return kind !== 'json' && (value === '' || (Array.isArray(value) && value.length === 0))
}

/** Parses the text of a CSV cell or the clipboard. */
export function parseValue(field: Field, text: string): Result<FieldValue, ValueFault> {
  return text.trim() === '' ? { ok: true, value: emptyValue(field) } : rulesOf(field).parse(text, field)
}

/** The inverse of `parseValue`. */
export function printValue(field: Field, value: FieldValue): string {
  return value === null ? '' : rulesOf(field).print(value, field)
}

export const canBeUnique = (kind: FieldKind): boolean => KINDS[kind].canBeUnique

type LooseRules = {
  readonly check: (value: unknown, field: Field) => Result<FieldValue, ValueFault>
  readonly parse: (text: string, field: Field) => Result<FieldValue, ValueFault>
  readonly print: (value: FilledValue, field: Field) => string
}

// The compiler can't relate kind and rules through a union index.
const rulesOf = (field: Field): LooseRules => KINDS[field.kind] as unknown as LooseRules
