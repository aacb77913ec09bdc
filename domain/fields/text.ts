import { type TextPattern, textPattern } from '../shared/text-pattern.ts'
import { type Result, ok } from '../shared/result.ts'
import type { TextOptions } from './field.ts'
import { type KindRules, type ValueFault, fault } from './field-kind.ts'

/** Most characters of any text when the owner sets no limit: what a page can show and an index can carry. */
const MAX_TEXT_LENGTH = 10_000
/** The same for long text. */
export const MAX_LONG_TEXT_LENGTH = 1_000_000

/** One line of text. */
export const textRules: KindRules<'text'> = {
  check: (value, field) => {
    const text = checkText(value, field, MAX_TEXT_LENGTH)
    if (text.ok && /[\n\r]/.test(text.value)) return fault('one-line', 'Must be a single line.')
    return text
  },
  parse: (text, field) => textRules.check(text, field),
  print: (value) => value,
  canBeUnique: true,
}

/** Shared by the kinds that hold plain text: lengths in code points, the pattern over the whole text, storable characters only. */
export function checkText(
  value: unknown,
  field: { readonly options: TextOptions },
  mostCharacters: number,
): Result<string, ValueFault> {
  if (typeof value !== 'string') return fault('not-text', 'Must be text.')
  if (value.includes('\0')) return fault('control-character', 'Contains a character that can’t be stored (code 0).')

  return checkLimits(value.toWellFormed(), field.options, mostCharacters)
}

function checkLimits(text: string, options: TextOptions, mostCharacters: number): Result<string, ValueFault> {
  const max = Math.min(options.max ?? mostCharacters, mostCharacters)
  // A text never has more characters than units, so they are counted only where that can matter.
  const isCounted = options.min !== undefined || text.length > max
  const length = isCounted && text.length <= mostCharacters * 2 ? [...text].length : text.length
  if (length > max) return fault('too-long', `Has ${length} characters; at most ${max} are allowed.`)
  if (options.min !== undefined && length < options.min) {
    return fault('too-short', `Has ${length} characters; at least ${options.min} are required.`)
  }
  if (options.pattern !== undefined && !matchesPattern(text, options, options.pattern)) {
    return fault('pattern', `Doesn’t match the required pattern (${options.pattern}).`)
  }
  return ok(text)
}

/** The pattern of each field, planned when it is asked for first. One that cannot be judged is the form of no text. */
const patterns = new WeakMap<TextOptions, TextPattern>()

function matchesPattern(text: string, options: TextOptions, pattern: string): boolean {
  const judge = patterns.get(options) ?? textPattern(pattern) ?? (() => false)
  patterns.set(options, judge)
  return judge(text)
}
