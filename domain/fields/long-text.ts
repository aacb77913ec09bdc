import type { KindRules } from './field-kind.ts'
import { MAX_LONG_TEXT_LENGTH, checkText } from './text.ts'

/** Plain text with line breaks. */
export const longTextRules: KindRules<'long-text'> = {
  check: (value, field) =>
    checkText(typeof value === 'string' ? value.replaceAll('\r\n', '\n') : value, field, MAX_LONG_TEXT_LENGTH),
  parse: (text, field) => longTextRules.check(text, field),
  print: (value) => value,
  canBeUnique: false,
}
