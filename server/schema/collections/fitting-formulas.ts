import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { invalidDefaults } from '#domain/formulas/default-formulas.ts'
import { collectionFormulas, idsInFormula, resultKind } from '#domain/formulas/formula-fields.ts'
import { isFormula } from '#domain/formulas/value-field.ts'
import { Problem } from '#domain/shared/problem.ts'
import { hiddenDefinitionFields } from '#server/query/definitions/find-collection.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'

/**
 * The definition with the results of its formulas inferred again, because their inputs may have another type. Rejects a
 * change after which a formula of a field or of default values isn't valid, so that no field loses its values as a side effect.
 */
export function withFittingFormulas(writing: Writing, after: Collection): Collection {
  for (const { field, fault } of invalidDefaults(after.fields)) throw defaultNotValid(writing, after, field, fault)
  if (!after.fields.some(isFormula)) return after
  const formulas = collectionFormulas(after)
  const fields = after.fields.map((field): Field => {
    if (!isFormula(field)) return field
    const formula = formulas.get(field.id)
    if (formula?.ok !== true) throw notValid(writing, after, field, formula?.fault.message ?? '')
    const result = resultKind(formula.value)
    return result === field.options.result ? field : { ...field, options: { ...field.options, result } }
  })
  return { ...after, fields }
}

function notValid({ actor }: Writing, after: Collection, field: Field<'formula'>, fault: string): Problem {
  const isSeen = !hiddenDefinitionFields(actor, after).has(field.id)
  const message = isSeen
    ? brokenMessage(after, field, fault)
    : 'A calculated field that you can’t see would no longer work. Ask an owner.'
  return new Problem('in-use', `Nothing was changed. ${message}`, {
    errors: [{ path: 'fields', code: 'in-use', message }],
  })
}

function defaultNotValid({ actor }: Writing, after: Collection, field: Field, fault: string): Problem {
  const isSeen = !hiddenDefinitionFields(actor, after).has(field.id)
  const message = isSeen
    ? brokenDefaultMessage(after, field, fault)
    : 'The default value of a field that you can’t see could no longer be calculated. Ask an owner.'
  return new Problem('in-use', `Nothing was changed. ${message}`, {
    errors: [{ path: 'fields', code: 'in-use', message }],
  })
}

function brokenDefaultMessage(after: Collection, { label, defaultFormula = '' }: Field, fault: string): string {
  if (usesMissing(after, defaultFormula))
    return `The default value of “${label}” uses a field that would be missing. Change the default value, or keep the field.`
  return `The default value of “${label}” could no longer be calculated. ${fault}`
}

function brokenMessage(after: Collection, { label, options }: Field<'formula'>, fault: string): string {
  if (usesMissing(after, options.formula))
    return `The formula “${label}” uses a field that would be missing. Change the formula, or restore the field.`
  return `The formula “${label}” would no longer be valid. ${fault}`
}

/** The fault of a formula with a missing field would contain its ID. */
const usesMissing = ({ fields }: Collection, formula: string): boolean =>
  idsInFormula(formula).some((input) => !fields.some(({ id }) => id === input))
