import type { KindRules } from './field-kind.ts'
import { checkChoice, nameOfChoice } from './select.ts'

/** Where a record stands on its way: one of the field's choices, never none. A collection has one such field at most. */
export const stateRules: KindRules<'state'> = {
  check: checkChoice,
  parse: (text, field) => checkChoice(text.trim(), field),
  print: (value, field) => nameOfChoice(field, value) ?? '',
  canBeUnique: false,
}
