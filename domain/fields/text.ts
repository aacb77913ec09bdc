import { type TextPattern, textPattern } from '../shared/text-pattern.ts'
import { type Result, ok } from '../shared/result.ts'
import type { FieldValue, TextOptions } from './field.ts'
import { type KindRules, type ValueFault, fault } from './field-kind.ts'
import { TEXT_OPTIONS, WITHOUT_OPTIONS } from './field-options.ts'
import { checkDocument } from '../rich-text/check-document.ts'
import { fileIdsIn, mentionsIn } from '../rich-text/document-references.ts'
import { documentOfText, plainText } from '../rich-text/plain-text.ts'

/** Default limit in characters; short enough for pages and indexes. */
const MAX_TEXT_LENGTH = 10_000
/** Default limit for long text. */
const MAX_LONG_TEXT_LENGTH = 1_000_000

export const textRules: KindRules<'text'> = {
  ...TEXT_OPTIONS,
  check: (value, field) => {
    const text = checkText(value, field, MAX_TEXT_LENGTH)
    if (text.ok && /[\n\r]/.test(text.value)) return fault('one-line', 'Must not contain line breaks.')
    return text
  },
  parse: (text, field) => textRules.check(text, field),
  print: (value) => value,
  canBeUnique: true,
}

export const longTextRules: KindRules<'long-text'> = {
  ...TEXT_OPTIONS,
  check: (value, field) =>
    checkText(typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value, field, MAX_LONG_TEXT_LENGTH),
  parse: (text, field) => longTextRules.check(text, field),
  print: (value) => value,
  canBeUnique: false,
}

/** Checks shared by plain-text kinds: length in code points, pattern over the entire text, storable characters only. */
export function checkText(
  value: unknown,
  field: { readonly options: TextOptions },
  maxCharacters: number,
): Result<string, ValueFault> {
  if (typeof value !== 'string') return fault('not-text', 'Must be text.')
  if (value.includes('\0'))
    return fault('control-character', 'Contains a null character (U+0000), which can’t be stored.')

  return checkLimits(value.toWellFormed(), field.options, maxCharacters)
}

function checkLimits(text: string, options: TextOptions, maxCharacters: number): Result<string, ValueFault> {
  const max = Math.min(options.max ?? maxCharacters, maxCharacters)
  // A text never has more code points than UTF-16 units, so code points are counted only when necessary.
  const isCounted = options.min !== undefined || text.length > max
  const length = isCounted && text.length <= maxCharacters * 2 ? [...text].length : text.length
  if (length > max) return fault('too-long', `Has ${length} characters; at most ${max} are allowed.`)
  if (options.min !== undefined && length < options.min) {
    return fault('too-short', `Has ${length} characters; at least ${options.min} are required.`)
  }
  if (options.pattern !== undefined && !matchesPattern(text, options, options.pattern)) {
    return fault('pattern', `Doesn’t match the required pattern (${options.pattern}).`)
  }
  return ok(text)
}

/** Cache of compiled patterns; an unsupported pattern matches nothing. */
const patterns = new WeakMap<TextOptions, TextPattern>()

function matchesPattern(text: string, options: TextOptions, pattern: string): boolean {
  const checker = patterns.get(options) ?? textPattern(pattern) ?? (() => false)
  patterns.set(options, checker)
  return checker(text)
}

/** Rich text: the server stores its validated JSON and its plain text. */
export const richTextRules: KindRules<'rich-text'> = {
  ...WITHOUT_OPTIONS,
  check: (value) => checkDocument(value),
  parse: (text) => checkDocument(documentOfText(text)),
  print: (value) => plainText(value),
  canBeUnique: false,
}

/** Whether a document contains references, which are valid only in the record that contains them. */
export const hasReferences = (value: FieldValue): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  (fileIdsIn(value).length > 0 || mentionsIn(value).length > 0)
