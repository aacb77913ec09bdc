import { foldText } from '../shared/text.ts'
import type { OptionId } from '../shared/ids.ts'
import { type Result, ok } from '../shared/result.ts'
import type { SelectOption, SelectKind, Field } from './field.ts'
import { type KindRules, type ValueFault, fault } from './field-kind.ts'

/** One of the field's choices. Outside it is written by name (or by id), inside it is the choice's id. */
export const selectRules: KindRules<'select'> = {
  check: checkOption,
  parse: (text, field) => checkOption(text.trim(), field),
  print: (value, field) => optionName(field, value) ?? '',
  canBeUnique: false,
}

/** The choice that was named, or what is wrong with the name. */
export function checkOption(value: unknown, field: Field<SelectKind>): Result<OptionId, ValueFault> {
  if (typeof value !== 'string') return fault('not-choice', 'Must be the name of an option.')
  const choice = findOption(field, value)
  return choice ? ok(choice.id) : fault('not-choice', `“${value.slice(0, 60)}” isn’t one of the options.`)
}

/** The name of an option; undefined for a deleted one. */
export const optionName = (field: Field<SelectKind>, id: OptionId): string | undefined =>
  field.options.choices.find((choice) => choice.id === id)?.name

/**
 * The option of that id, else of that exact name, else of the name when case and accents are disregarded. The id comes
 * first: what is saved by id must not follow an option that was named like it.
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
