import { foldText } from '../shared/text.ts'
import type { OptionId } from '../shared/ids.ts'
import { type ListSeparator, parseList, printList } from '../shared/list-text.ts'
import { type Result, ok } from '../shared/result.ts'
import type { SelectOption, SelectKind, Field } from './field.ts'
import { type KindRules, type ValueFault, fault } from './field-kind.ts'
import { OPTION_LIST, STATUS_LIST } from './field-options.ts'

/** One option; given by name or ID in the API, stored by ID. */
export const selectRules: KindRules<'select'> = {
  ...OPTION_LIST,
  check: checkOption,
  parse: (text, field) => checkOption(text.trim(), field),
  print: (value, field) => optionName(field, value) ?? '',
  canBeUnique: false,
}

/** Distinct options in the given order; by name or ID in the API. */
export const multiSelectRules: KindRules<'multi-select'> = {
  ...OPTION_LIST,
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
  parse: (text, field, { separator } = {}) => multiSelectRules.check(namesIn(text, field, separator), field),
  print: (value, field) => printList(value.flatMap((id) => optionName(field, id) ?? [])),
  canBeUnique: false,
}

/**
 * Splits a text into names. If the separator isn't known, commas separate names unless an option name contains a comma.
 */
export function namesIn(text: string, field: Field<SelectKind>, separator?: ListSeparator): readonly string[] {
  const names = parseList(text, separator)
  if (separator !== undefined) return names
  return names.flatMap((name) => (name.includes(',') && !findOption(field, name) ? parseList(name, ',') : [name]))
}

/** Exactly one of the field's options. A collection has at most one status field. */
export const stateRules: KindRules<'state'> = {
  ...STATUS_LIST,
  check: checkOption,
  parse: (text, field) => checkOption(text.trim(), field),
  print: (value, field) => optionName(field, value) ?? '',
  canBeUnique: false,
}

function checkOption(value: unknown, field: Field<SelectKind>): Result<OptionId, ValueFault> {
  if (typeof value !== 'string') return fault('not-choice', 'Must be the name of an option.')
  const choice = findOption(field, value)
  return choice ? ok(choice.id) : fault('not-choice', `“${value.slice(0, 60)}” isn’t one of the options.`)
}

/** Undefined if the option was deleted. */
export const optionName = (field: Field<SelectKind>, id: OptionId): string | undefined =>
  field.options.choices.find((choice) => choice.id === id)?.name

/**
 * Finds an option by ID, then by exact name, then ignoring case and accents. IDs come first, so a stored ID never
 * matches another option's name.
 */
export function findOption(field: Field<SelectKind>, wanted: string): SelectOption | undefined {
  const { choices } = field.options
  const folded = foldText(wanted)
  return (
    choices.find((choice) => choice.id === wanted) ??
    choices.find((choice) => choice.name === wanted) ??
    choices.find((choice) => foldText(choice.name) === folded)
  )
}
