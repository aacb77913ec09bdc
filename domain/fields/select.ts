import { foldText } from '../shared/text.ts'
import type { OptionId } from '../shared/ids.ts'
import { type Result, ok } from '../shared/result.ts'
import type { SelectOption, SelectKind, Field } from './field.ts'
import { type KindRules, type ValueFault, fault } from './field-kind.ts'

/** One option; by name or ID in the API, stored by ID. */
export const selectRules: KindRules<'select'> = {
  check: checkOption,
  parse: (text, field) => checkOption(text.trim(), field),
  print: (value, field) => optionName(field, value) ?? '',
  canBeUnique: false,
}

export function checkOption(value: unknown, field: Field<SelectKind>): Result<OptionId, ValueFault> {
  if (typeof value !== 'string') return fault('not-choice', 'Must be the name of an option.')
  const choice = findOption(field, value)
  return choice ? ok(choice.id) : fault('not-choice', `“${value.slice(0, 60)}” isn’t one of the options.`)
}

/** Undefined for a deleted option. */
export const optionName = (field: Field<SelectKind>, id: OptionId): string | undefined =>
  field.options.choices.find((choice) => choice.id === id)?.name

/**
 * By ID, then exact name, then ignoring case and accents. The ID comes first, so stored IDs never match an option
 * with that name.
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
