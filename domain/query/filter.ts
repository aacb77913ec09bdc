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

/** One condition on one field. `field` is a name or id, or a path through relations: `owner.name`. */
export type Comparison = {
  readonly field: string
  readonly op: Operator
  /** Absent for `is empty` and `is not empty`. */
  readonly value?: FilterLiteral | readonly FilterLiteral[]
}

/** The filter tree as it is written in bodies and saved views, and as `parseFilter` makes it from text. */
export type Filter = { readonly all: readonly Filter[] } | { readonly any: readonly Filter[] } | Comparison
