import type { KindRules } from './field-kind.ts'
import { checkOption, optionName } from './select.ts'

/** Where a record stands on its way: one of the field's choices, never none. A collection has one such field at most. */
export const stateRules: KindRules<'state'> = {
  check: checkOption,
  parse: (text, field) => checkOption(text.trim(), field),
  print: (value, field) => optionName(field, value) ?? '',
  canBeUnique: false,
}
