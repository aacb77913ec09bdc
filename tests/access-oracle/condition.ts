/** The signs of the filter language that the oracle speaks. */
export type Sign =
  | '='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '~'
  | '!~'
  | '^='
  | '$='
  | 'in'
  | 'between'
  | 'is empty'
  | 'is not empty'

/** A value in a condition, as the API takes it. */
export type Literal = string | number | boolean | { readonly marker: string }

/** A condition as the API takes it in bodies. */
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly field: string; readonly op: Sign; readonly value?: Literal | readonly Literal[] }
