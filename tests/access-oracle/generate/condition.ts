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

/** Another field of the record, on the right of a sign. */
export type OtherField = { readonly field: string }

/** One comparison. */
export type Comparison = {
  readonly field: string
  readonly op: Sign
  readonly value?: Literal | readonly Literal[] | OtherField
}

/** A condition as the API takes it in bodies. */
export type Condition = { readonly all: readonly Condition[] } | { readonly any: readonly Condition[] } | Comparison

/** Whether a comparison is with another field. */
export const isOtherField = (value: Comparison['value']): value is OtherField =>
  typeof value === 'object' && 'field' in value

/** The paths of the fields a comparison reads. */
export const pathsOf = ({ field, value }: Comparison): readonly string[] =>
  isOtherField(value) ? [field, value.field] : [field]

/** The markers a comparison names, such as `@me`. */
export const markersOf = ({ value }: Comparison): readonly string[] =>
  [value].flat().flatMap((one) => (typeof one === 'object' && 'marker' in one ? one.marker : []))
