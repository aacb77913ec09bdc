import type { FieldKind } from '../../fields/field.ts'
import type { Operator } from './filter.ts'

/** Field kinds, and the record ID. */
export type OperandKind = FieldKind | 'id'

export type ValueShape = 'nothing' | 'one' | 'list' | 'pair'

/** `words` is the operator in a sentence between field and value. */
export type OperatorRules = {
  readonly kinds: readonly OperandKind[]
  readonly takes: ValueShape
  readonly label: string
  /** The words for dates, if different. */
  readonly dateLabel?: string
}

const TEXTS: readonly OperandKind[] = ['text', 'long-text', 'email', 'url', 'phone']
const OPTION_KINDS: readonly OperandKind[] = ['select', 'multi-select', 'state']
/** `<` and `between` use the sort order: texts folded, selects by option order. */
const ORDERED: readonly OperandKind[] = [...TEXTS, ...OPTION_KINDS, 'number', 'auto-number', 'date', 'date-time', 'id']
const EQUATED: readonly OperandKind[] = [...ORDERED, 'relation', 'files', 'user']
/** Relations are read by title; files, users and options by name. */
const READABLE: readonly OperandKind[] = [...TEXTS, ...OPTION_KINDS, 'rich-text', 'relation', 'user', 'files', 'id']
const ALL: readonly OperandKind[] = [...EQUATED, 'rich-text', 'checkbox', 'json']

/** Whether an operator searches text; options, users, files and relations are then read by name. */
export const readsText = (op: Operator): boolean => op === '~' || op === '!~' || op === '^=' || op === '$='

export const OPERATOR_RULES: { readonly [Sign in Operator]: OperatorRules } = {
  '=': { kinds: [...EQUATED, 'checkbox'], takes: 'one', label: 'is' },
  '!=': { kinds: [...EQUATED, 'checkbox'], takes: 'one', label: 'is not' },
  '<': { kinds: ORDERED, takes: 'one', label: 'is less than', dateLabel: 'is before' },
  '<=': { kinds: ORDERED, takes: 'one', label: 'is at most', dateLabel: 'is on or before' },
  '>': { kinds: ORDERED, takes: 'one', label: 'is more than', dateLabel: 'is after' },
  '>=': { kinds: ORDERED, takes: 'one', label: 'is at least', dateLabel: 'is on or after' },
  '~': { kinds: READABLE, takes: 'one', label: 'contains' },
  '!~': { kinds: READABLE, takes: 'one', label: 'does not contain' },
  '^=': { kinds: READABLE, takes: 'one', label: 'starts with' },
  '$=': { kinds: READABLE, takes: 'one', label: 'ends with' },
  in: { kinds: EQUATED, takes: 'list', label: 'is one of' },
  between: { kinds: ORDERED, takes: 'pair', label: 'is between' },
  'is empty': { kinds: ALL, takes: 'nothing', label: 'is empty' },
  'is not empty': { kinds: ALL, takes: 'nothing', label: 'is not empty' },
}

export const takesKind = (op: Operator, kind: OperandKind): boolean => OPERATOR_RULES[op].kinds.includes(kind)

export const cannotCompare = (field: string, kind: OperandKind, op: Operator): string =>
  `“${field}” contains ${KIND_LABELS[kind]}, which ${op} can’t compare.`

export const KIND_LABELS: { readonly [Kind in OperandKind]: string } = {
  text: 'a text',
  'long-text': 'a long text',
  'rich-text': 'formatted text',
  number: 'a number',
  checkbox: 'true or false',
  date: 'a date',
  'date-time': 'a date and time',
  select: 'an option',
  'multi-select': 'several options',
  state: 'a status',
  email: 'an email address',
  url: 'a URL',
  phone: 'a phone number',
  relation: 'linked records',
  user: 'people',
  files: 'files',
  'auto-number': 'a number',
  json: 'JSON',
  id: 'an ID',
}
