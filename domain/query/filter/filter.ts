import { sameJson } from '../../shared/json.ts'

/** The signs of the filter language. `is empty` and `is not empty` take no value, `in` a list, `between` a pair. */
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

/** One sign of the filter language. */
export type Operator = (typeof OPERATORS)[number]

/** A value as written in a filter: text, number or truth; a marker such as `@me` or `@today-7d` is an object. */
export type FilterLiteral = string | number | boolean | { readonly marker: string }

/** A field of the same record as the right side of a comparison: `end >= start`. Named like the left one. */
export type FieldOperand = { readonly field: string }

/** One condition on one field. `field` is a name or id, or a path through relations: `owner.name`. */
export type Comparison = {
  readonly field: string
  readonly op: Operator
  /** Absent for `is empty` and `is not empty`. */
  readonly value?: FilterLiteral | readonly FilterLiteral[] | FieldOperand
}

/** The filter tree as it is written in bodies and saved views, and as `parseFilter` makes it from text. */
export type Filter = { readonly all: readonly Filter[] } | { readonly any: readonly Filter[] } | Comparison

/** Whether the right side of a comparison is a field. */
export const isFieldOperand = (value: Comparison['value']): value is FieldOperand =>
  typeof value === 'object' && 'field' in value

/** The values a comparison names; none where it compares two fields. */
export function literalsOf({ value }: Pick<Comparison, 'value'>): readonly FilterLiteral[] {
  if (value === undefined || isFieldOperand(value)) return []
  return isList(value) ? value : [value]
}

/** The paths of the fields a comparison reads: its left side, and its right side if that is a field. */
export const pathsOf = ({ field, value }: Pick<Comparison, 'field' | 'value'>): readonly string[] =>
  isFieldOperand(value) ? [field, value.field] : [field]

/** Whether a comparison's value is a list. */
export const isList = (value: Comparison['value']): value is readonly FilterLiteral[] => Array.isArray(value)

/** Conditions, each once. */
export function distinctFilters(conditions: readonly Filter[]): readonly Filter[] {
  const seen: Filter[] = []
  for (const one of conditions) if (!seen.some((known) => sameJson(known, one))) seen.push(one)
  return seen
}

/** Conditions joined by "or", as trees, each once. */
export function anyFilter(conditions: readonly Filter[]): Filter {
  const all = distinctFilters(conditions)
  const [only] = all
  return only !== undefined && all.length === 1 ? only : { any: all }
}

/** Conditions joined by "and", as trees, each once; undefined where there is none. */
export function allFilters(conditions: readonly (Filter | undefined)[]): Filter | undefined {
  const all = distinctFilters(conditions.filter((one) => one !== undefined))
  const [only] = all
  return all.length > 1 ? { all } : only
}
