import { grantInputFault } from '#domain/access/grant-inputs.ts'
import type { Field } from '#domain/fields/field.ts'
import { checkFilterIn, environmentOfRules } from '#domain/query/check-filter.ts'
import { takesField } from '#domain/query/check-field-comparison.ts'
import type { Operator } from '#domain/query/filter.ts'
import type { QueryContext } from '#domain/query/query-context.ts'
import type { PathGroup } from './path-fields.ts'

/** The fields that a field can be compared with by an operator, under their headings; none where there are none. */
export type ComparableFields = (field: Field, op: Operator) => readonly PathGroup[]

/** Finds them among these; each question is answered once. */
export function comparableFields(
  groups: readonly PathGroup[],
  context: QueryContext,
  isOfGrant: boolean,
): ComparableFields {
  const known = new Map<string, readonly PathGroup[]>()
  const fits = comparesIn(context, isOfGrant)
  return (field, op) => {
    const name = `${op} ${field.name}`
    const found = known.get(name) ?? fitting(groups, (other) => other.name !== field.name && fits(field, op, other))
    known.set(name, found)
    return found
  }
}

/** Whether two fields, named by their whole paths, can be compared by an operator; judged as the server judges it. */
export function comparesIn(
  context: QueryContext,
  isOfGrant: boolean,
): (field: Field, op: Operator, other: Field) => boolean {
  const surroundings = environmentOfRules(context)
  return (field, op, other) => {
    const comparison = { field: field.name, op, value: { field: other.name } }
    if (!takesField(op) || !checkFilterIn(surroundings, comparison).ok) return false
    return !isOfGrant || grantInputFault(comparison, context) === undefined
  }
}

const fitting = (groups: readonly PathGroup[], fits: (field: Field) => boolean): readonly PathGroup[] =>
  groups.map(({ label, fields }) => ({ label, fields: fields.filter(fits) })).filter(({ fields }) => fields.length > 0)
