import type { FieldKind } from '../../fields/field.ts'
import type { Operator } from './filter.ts'

/** Field kinds, and the record ID. */
export type OperandKind = FieldKind | 'id'

export type ValueShape = 'nothing' | 'one' | 'list' | 'pair'

/** `words` is the operator in a sentence between field and value. */
export type OperatorRules = {
  readonly kinds: readonly OperandKind[]
  readonly takes: ValueShape
  readonly words: string
  /** The words for dates, if different. */
  readonly dateWords?: string
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
  '=': { kinds: [...EQUATED, 'checkbox'], takes: 'one', words: 'is' },
  '!=': { kinds: [...EQUATED, 'checkbox'], takes: 'one', words: 'is not' },
  '<': { kinds: ORDERED, takes: 'one', words: 'is less than', dateWords: 'is before' },
  '<=': { kinds: ORDERED, takes: 'one', words: 'is at most', dateWords: 'is on or before' },
  '>': { kinds: ORDERED, takes: 'one', words: 'is more than', dateWords: 'is after' },
  '>=': { kinds: ORDERED, takes: 'one', words: 'is at least', dateWords: 'is on or after' },
  '~': { kinds: READABLE, takes: 'one', words: 'contains' },
  '!~': { kinds: READABLE, takes: 'one', words: 'does not contain' },
  '^=': { kinds: READABLE, takes: 'one', words: 'starts with' },
  '$=': { kinds: READABLE, takes: 'one', words: 'ends with' },
  in: { kinds: EQUATED, takes: 'list', words: 'is one of' },
  between: { kinds: ORDERED, takes: 'pair', words: 'is between' },
  'is empty': { kinds: ALL, takes: 'nothing', words: 'is empty' },
  'is not empty': { kinds: ALL, takes: 'nothing', words: 'is not empty' },
}

export const takesKind = (op: Operator, kind: OperandKind): boolean => OPERATOR_RULES[op].kinds.includes(kind)

export const cannotCompare = (field: string, kind: OperandKind, op: Operator): string =>
  `“${field}” contains ${KIND_WORDS[kind]}, which ${op} can’t compare.`

export const KIND_WORDS: { readonly [Kind in OperandKind]: string } = {
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
