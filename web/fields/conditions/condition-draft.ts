import { type Field, hasChoices } from '#domain/fields/field.ts'
import { type Comparison, type FilterLiteral, OPERATORS, type Operator } from '#domain/query/filter.ts'
import { OPERATOR_RULES, takesKind } from '#domain/query/operators.ts'

/** One line of the builder, which may still lack its value. `values` has as many places as the operator takes. */
export type ConditionDraft = {
  readonly key: number
  readonly field: string
  readonly op: Operator
  readonly values: readonly (FilterLiteral | undefined)[]
}

/** Related records and files are found by their names: the builder does not ask for ids. */
const BY_NAME: readonly Operator[] = ['~', '!~', '^=', '$=', 'is empty', 'is not empty']

/** The operators the builder offers for a field. */
export function operatorsFor(field: Field): readonly Operator[] {
  if (field.kind === 'relation' || field.kind === 'files') return BY_NAME
  const fitting = OPERATORS.filter((op) => takesKind(op, field.kind))
  if (hasChoices(field)) return fitting.filter((op) => !NOT_FOR_CHOICES.includes(op))
  if (field.kind === 'user') return fitting.filter((op) => op !== '^=' && op !== '$=')
  // A list of typed words is better written as text.
  return fitting.filter((op) => op !== 'in')
}

const NOT_FOR_CHOICES: readonly Operator[] = ['<', '<=', '>', '>=', 'between', '~', '!~', '^=', '$=']

/** The words of an operator between a field and its value. */
export function operatorWords(op: Operator, field: Field): string {
  const { words, dateWords } = OPERATOR_RULES[op]
  const isMoment = field.kind === 'date' || field.kind === 'date-time'
  return isMoment ? (dateWords ?? words) : words
}

/** The operator a new condition begins with: the one people mean most often. */
const firstOperator = (field: Field): Operator =>
  takesKind('~', field.kind) && !hasChoices(field) && field.kind !== 'user'
    ? '~'
    : (operatorsFor(field)[0] ?? 'is empty')

/** A new line on a field. */
export const newCondition = (key: number, field: Field): ConditionDraft =>
  withOperator({ key, field: field.name, op: '=', values: [] }, firstOperator(field))

/** The line on another field: whether there is anything can be asked of most, everything else is begun anew. */
export function withField({ key, op }: ConditionDraft, field: Field): ConditionDraft {
  const begun = newCondition(key, field)
  return OPERATOR_RULES[op].takes === 'nothing' && operatorsFor(field).includes(op) ? withOperator(begun, op) : begun
}

/** The line with another operator; a value that still fits stays. */
export function withOperator(draft: ConditionDraft, op: Operator): ConditionDraft {
  const { takes } = OPERATOR_RULES[op]
  if (takes === 'nothing') return { ...draft, op, values: [] }
  if (takes === 'list') return { ...draft, op, values: draft.values.filter((value) => value !== undefined) }
  return { ...draft, op, values: [draft.values[0], ...(takes === 'pair' ? [draft.values[1]] : [])] }
}

/** The line as a comparison; undefined while it lacks a value. */
export function conditionOf({ field, op, values }: ConditionDraft): Comparison | undefined {
  const { takes } = OPERATOR_RULES[op]
  if (takes === 'nothing') return { field, op }
  const given = values.filter((value) => value !== undefined)
  if (takes === 'list') return given.length === 0 ? undefined : { field, op, value: given }
  if (given.length < (takes === 'pair' ? 2 : 1)) return undefined
  const [first] = given
  return takes === 'pair' ? { field, op, value: given } : first === undefined ? undefined : { field, op, value: first }
}

/** A comparison as a line. */
export function draftOf({ field, op, value }: Comparison, key: number): ConditionDraft {
  if (value === undefined) return { key, field, op, values: [] }
  return { key, field, op, values: isList(value) ? value : [value] }
}

const isList = (value: FilterLiteral | readonly FilterLiteral[]): value is readonly FilterLiteral[] =>
  Array.isArray(value)
