import { GRANT_OPERATORS } from '#domain/access/grant-inputs.ts'
import { type Field, type FieldKind, hasSelectOptions } from '#domain/fields/field.ts'
import { takesField } from '#domain/query/check-field-comparison.ts'
import {
  type Comparison,
  type FilterLiteral,
  isFieldOperand,
  isList,
  OPERATORS,
  type Operator,
} from '#domain/query/filter.ts'
import { OPERATOR_RULES, readsText, takesKind } from '#domain/query/operators.ts'

/** One line of the builder, which may still lack its value. `values` has as many places as the operator takes. */
export type ConditionDraft = {
  readonly key: number
  readonly field: string
  readonly op: Operator
  readonly values: readonly (FilterLiteral | undefined)[]
  /** The path of the field it is compared with, '' until one is chosen; left out where it is compared with values. */
  readonly other?: string
}

const EMPTINESS: readonly Operator[] = ['is empty', 'is not empty']
const IN_TEXTS: readonly Operator[] = ['~', '!~', '^=', '$=']

/** The operators people mean most often of a kind; all others that it knows come after them. */
const USUAL: { readonly [Kind in FieldKind]?: readonly Operator[] } = {
  text: [...IN_TEXTS, '=', '!=', ...EMPTINESS],
  'long-text': [...IN_TEXTS, '=', '!=', ...EMPTINESS],
  email: [...IN_TEXTS, '=', '!=', ...EMPTINESS],
  url: [...IN_TEXTS, '=', '!=', ...EMPTINESS],
  phone: [...IN_TEXTS, '=', '!=', ...EMPTINESS],
  select: ['=', '!=', 'in', ...EMPTINESS],
  'multi-select': ['=', '!=', 'in', ...EMPTINESS],
  state: ['=', '!=', 'in', ...EMPTINESS],
  relation: ['=', '!=', 'in', '~', ...EMPTINESS],
  user: ['=', '!=', 'in', ...EMPTINESS],
  checkbox: ['=', '!='],
}

/** The operators the builder offers for a field first. */
export function operatorsFor(field: Field, isOfGrant = false): readonly Operator[] {
  const usual = USUAL[field.kind] ?? knownOperators(field).filter((op) => op !== 'in' || field.kind === 'number')
  return usual.filter((op) => !isOfGrant || isForGrants(op, field))
}

/** The operators it offers after those. */
export function furtherOperators(field: Field, isOfGrant = false): readonly Operator[] {
  const usual = operatorsFor(field)
  return knownOperators(field).filter((op) => !usual.includes(op) && (!isOfGrant || isForGrants(op, field)))
}

/** Whether a condition of a grant may use an operator on a field. */
export const isForGrants = (op: Operator, { kind }: Field): boolean => GRANT_OPERATORS[kind].includes(op)

/** Files are told by their names: nobody knows the id of one. */
const knownOperators = ({ kind }: Field): readonly Operator[] =>
  OPERATORS.filter((op) => takesKind(op, kind) && (kind !== 'files' || readsText(op) || EMPTINESS.includes(op)))

/** The words of an operator between a field and its value. */
export function operatorWords(op: Operator, field: Field): string {
  const { words, dateWords } = OPERATOR_RULES[op]
  const isMoment = field.kind === 'date' || field.kind === 'date-time'
  return isMoment ? (dateWords ?? words) : words
}

/** The operator a new condition begins with. */
const firstOperator = (field: Field, isOfGrant: boolean): Operator => operatorsFor(field, isOfGrant)[0] ?? 'is empty'

/** A new line on a field. */
export const newCondition = (key: number, field: Field, isOfGrant = false): ConditionDraft =>
  withOperator({ key, field: field.name, op: '=', values: [] }, firstOperator(field, isOfGrant))

/** The line on another field: whether there is anything can be asked of most, everything else is begun anew. */
export function withField({ key, op }: ConditionDraft, field: Field, isOfGrant = false): ConditionDraft {
  const begun = newCondition(key, field, isOfGrant)
  return OPERATOR_RULES[op].takes === 'nothing' && operatorsFor(field).includes(op) ? withOperator(begun, op) : begun
}

/** The line with another operator; a value that still fits stays. */
export function withOperator(draft: ConditionDraft, op: Operator): ConditionDraft {
  if (draft.other !== undefined) return takesField(op) ? { ...draft, op } : withOperator(withValues(draft), op)
  const { takes } = OPERATOR_RULES[op]
  if (takes === 'nothing') return { ...draft, op, values: [] }
  if (takes === 'list') return { ...draft, op, values: draft.values.filter((value) => value !== undefined) }
  return { ...draft, op, values: [draft.values[0], ...(takes === 'pair' ? [draft.values[1]] : [])] }
}

/** The line compared with the values it had before it was compared with a field. */
export const withValues = ({ key, field, op, values }: ConditionDraft): ConditionDraft => ({ key, field, op, values })

/** The line compared with another field. */
export const withOther = (draft: ConditionDraft, other: string): ConditionDraft => ({ ...draft, other })

/** The line with another operator of its field: a name one looks into is no record, person or choice one points at. */
export function switchedOperator(draft: ConditionDraft, op: Operator, field: Field): ConditionDraft {
  const pointsAt = hasSelectOptions(field) || field.kind === 'relation' || field.kind === 'user'
  const isOther = pointsAt && readsText(draft.op) !== readsText(op)
  return withOperator(isOther ? { ...draft, values: [] } : draft, op)
}

/** The line as a comparison; undefined while it lacks a value. */
export function conditionOf({ field, op, values, other }: ConditionDraft): Comparison | undefined {
  if (other !== undefined) return other === '' ? undefined : { field, op, value: { field: other } }
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
  if (isFieldOperand(value)) return { key, field, op, values: [], other: value.field }
  return { key, field, op, values: isList(value) ? value : [value] }
}
