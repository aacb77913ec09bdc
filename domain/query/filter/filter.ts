import { sameJson } from '../../shared/json.ts'

/** `is empty` and `is not empty` have no value, `in` has a list, `between` has a pair. */
export const OPERATORS = [
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  '~',
  '!~',
  '^=',
  '$=',
  'in',
  'between',
  'is empty',
  'is not empty',
] as const

export type Operator = (typeof OPERATORS)[number]

/** Literal value; markers such as `@me` or `@today-7d` are objects. */
export type FilterLiteral = string | number | boolean | { readonly marker: string }

/** Right operand that is a field of the same record, as in `end >= start`. */
export type FieldOperand = { readonly field: string }

/** `field` is a name, an ID, or a path through relations such as `owner.name`. */
export type Comparison = {
  readonly field: string
  readonly op: Operator
  /** Absent for `is empty` and `is not empty`. */
  readonly value?: FilterLiteral | readonly FilterLiteral[] | FieldOperand
}

/** Condition with functions or arithmetic, such as `len(title) > 3`; a formula whose result is true or false. */
export type FormulaCondition = { readonly formula: string }

/** Filter tree used in JSON bodies and saved views; `parseFilter` creates it from text. */
export type Filter =
  | { readonly all: readonly Filter[] }
  | { readonly any: readonly Filter[] }
  | Comparison
  | FormulaCondition

export const isFieldOperand = (value: Comparison['value']): value is FieldOperand =>
  typeof value === 'object' && 'field' in value

/** Empty for a comparison of two fields. */
export function literalsOf({ value }: Pick<Comparison, 'value'>): readonly FilterLiteral[] {
  if (value === undefined || isFieldOperand(value)) return []
  return isList(value) ? value : [value]
}

export const pathsOf = ({ field, value }: Pick<Comparison, 'field' | 'value'>): readonly string[] =>
  isFieldOperand(value) ? [field, value.field] : [field]

export const isList = (value: Comparison['value']): value is readonly FilterLiteral[] => Array.isArray(value)

export function distinctFilters(conditions: readonly Filter[]): readonly Filter[] {
  const seen: Filter[] = []
  for (const one of conditions) if (!seen.some((known) => sameJson(known, one))) seen.push(one)
  return seen
}

export function anyFilter(conditions: readonly Filter[]): Filter {
  const all = distinctFilters(conditions)
  const [only] = all
  return only !== undefined && all.length === 1 ? only : { any: all }
}

/** Combines distinct conditions with “and”; undefined if there are none. */
export function allFilters(conditions: readonly (Filter | undefined)[]): Filter | undefined {
  const all = distinctFilters(conditions.filter((one) => one !== undefined))
  const [only] = all
  return all.length > 1 ? { all } : only
}
