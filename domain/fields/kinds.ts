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

/** Most files in one field of one record when the owner sets no limit. */
const MAX_FILES = 1000

/** Finished uploads, by id and in order. Who may attach them, and whether their type fits, the server judges. */
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

/** Most people one value may name; more are a group that should have a name of its own. */
const MAX_USERS = 1000

/** People of this workspace, one or many, by id. Whether they may be chosen, the server judges. */
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

/**
 * Some of the field's choices, each once, in the order they were given. Outside they are written by name (or by id).
 */
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

/** A double carries every whole number of this many digits. */
const WHOLE_NUMBER = /^\d{1,15}$/

/**
 * Counts the records of a collection up from 1. Only the server gives numbers; they are checked when a field becomes
 * one.
 */
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

/** Plain text with line breaks. */
const longTextRules: KindRules<'long-text'> = {
  check: (value, field) =>
    checkText(typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value, field, MAX_LONG_TEXT_LENGTH),
  parse: (text, field) => longTextRules.check(text, field),
  print: (value) => value,
  canBeUnique: false,
}

/** The status of a record: one of the field's options, never empty. A collection has at most one status field. */
const stateRules: KindRules<'state'> = {
  check: checkOption,
  parse: (text, field) => checkOption(text.trim(), field),
  print: (value, field) => optionName(field, value) ?? '',
  canBeUnique: false,
}

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
