import type { OptionId } from '../shared/ids.ts'
import { parseList, printList } from '../shared/list-text.ts'
import { ok } from '../shared/result.ts'
import { type KindRules, fault } from './field-kind.ts'
import { checkOption, optionName } from './select.ts'

/** Some of the field's choices, each once, in the order they were given. Outside they are written by name (or by id). */
export const multiSelectRules: KindRules<'multi-select'> = {
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
