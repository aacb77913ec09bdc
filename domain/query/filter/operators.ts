import { type FieldKind, type FieldShape, KIND_FACTS, shapeOf } from '../../fields/field.ts'
import type { Operator } from './filter.ts'

export type OperandKind = FieldKind | 'id'

export type ValueShape = 'nothing' | 'one' | 'list' | 'pair'

/** `words` is the operator's wording between field and value in a sentence. */
export type OperatorRules = {
  readonly shapes: readonly OperandShape[]
  readonly takes: ValueShape
  readonly label: string
  /** Wording for dates, if different. */
  readonly dateLabel?: string
}

export type OperandShape = FieldShape | 'id'

export const operandShape = (kind: OperandKind): OperandShape => (kind === 'id' ? 'id' : shapeOf({ kind }))

/** `<` and `between` use sort order: folded text, or option order for selects. */
const ORDERED: readonly OperandShape[] = ['text', 'option', 'number', 'date', 'date-time', 'id']
const EQUATED: readonly OperandShape[] = [...ORDERED, 'record', 'file', 'person']
/** Relations are compared by title; files, users and options by name. */
const READABLE: readonly OperandShape[] = ['text', 'option', 'document', 'record', 'person', 'file', 'id']
const ALL: readonly OperandShape[] = [...EQUATED, 'document', 'boolean', 'json']

/** Whether an operator searches text; if so, options, users, files and relations are compared by name. */
export const readsText = (op: Operator): boolean => op === '~' || op === '!~' || op === '^=' || op === '$='

export const OPERATOR_RULES: { readonly [Sign in Operator]: OperatorRules } = {
  '=': { shapes: [...EQUATED, 'boolean'], takes: 'one', label: 'is' },
  '!=': { shapes: [...EQUATED, 'boolean'], takes: 'one', label: 'is not' },
  '<': { shapes: ORDERED, takes: 'one', label: 'is less than', dateLabel: 'is before' },
  '<=': { shapes: ORDERED, takes: 'one', label: 'is at most', dateLabel: 'is on or before' },
  '>': { shapes: ORDERED, takes: 'one', label: 'is more than', dateLabel: 'is after' },
  '>=': { shapes: ORDERED, takes: 'one', label: 'is at least', dateLabel: 'is on or after' },
  '~': { shapes: READABLE, takes: 'one', label: 'contains' },
  '!~': { shapes: READABLE, takes: 'one', label: 'does not contain' },
  '^=': { shapes: READABLE, takes: 'one', label: 'starts with' },
  '$=': { shapes: READABLE, takes: 'one', label: 'ends with' },
  in: { shapes: EQUATED, takes: 'list', label: 'is one of' },
  between: { shapes: ORDERED, takes: 'pair', label: 'is between' },
  'is empty': { shapes: ALL, takes: 'nothing', label: 'is empty' },
  'is not empty': { shapes: ALL, takes: 'nothing', label: 'is not empty' },
}

export const takesKind = (op: Operator, kind: OperandKind): boolean =>
  OPERATOR_RULES[op].shapes.includes(operandShape(kind))

export function cannotCompare(field: string, operand: OperandKind, op: Operator): string {
  const kind = kindLabel(operand)
  return `“${field}” contains ${kind}, which ${op} doesn’t support.`
}

export const kindLabel = (kind: OperandKind): string => (kind === 'id' ? 'an ID' : KIND_FACTS[kind].label)
