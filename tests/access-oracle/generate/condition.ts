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

export type Literal = string | number | boolean | { readonly marker: string }

export type OtherField = { readonly field: string }

export type Comparison = {
  readonly field: string
  readonly op: Sign
  readonly value?: Literal | readonly Literal[] | OtherField
  /** Written after the field, which makes the comparison a formula with the same result. */
  readonly calculation?: string
}

export type Condition = { readonly all: readonly Condition[] } | { readonly any: readonly Condition[] } | Comparison

export const isOtherField = (value: Comparison['value']): value is OtherField =>
  typeof value === 'object' && 'field' in value

export const pathsOf = ({ field, value }: Comparison): readonly string[] =>
  isOtherField(value) ? [field, value.field] : [field]

export const markersOf = ({ value }: Comparison): readonly string[] =>
  [value].flat().flatMap((one) => (typeof one === 'object' && 'marker' in one ? one.marker : []))
