import { foldText } from '../shared/fold-text.ts'
import { ok } from '../shared/result.ts'
import type { Choice, Field } from './field.ts'
import { type KindRules, fault } from './field-kind.ts'

/** One of the field's choices. Outside it is written by name (or by id), inside it is the choice's id. */
export const selectRules: KindRules<'select'> = {
  check: (value, field) => {
    if (typeof value !== 'string') return fault('not-choice', 'It must be the name of a choice.')
    const choice = findChoice(field, value)
    return choice ? ok(choice.id) : fault('not-choice', `“${value.slice(0, 60)}” is not one of its choices.`)
  },
  parse: (text, field) => selectRules.check(text.trim(), field),
  print: (value, field) => field.options.choices.find((choice) => choice.id === value)?.name ?? '',
  canBeUnique: false,
}

/** The choice of that exact name, else of that id, else of the name when case and accents are disregarded. */
export function findChoice(field: Field<'select'>, wanted: string): Choice | undefined {
  const { choices } = field.options
  const folded = foldText(wanted)
  return (
    choices.find((choice) => choice.name === wanted) ??
    choices.find((choice) => choice.id === wanted) ??
    choices.find((choice) => foldText(choice.name) === folded)
  )
}
