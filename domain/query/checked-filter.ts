import type { Field } from '../fields/field.ts'
import type { SystemField } from '../fields/system-fields.ts'
import type { CollectionId } from '../shared/ids.ts'

/** What a comparison reads at the end of its path. */
export type Leaf =
  | { readonly type: 'field'; readonly field: Field }
  | { readonly type: 'system'; readonly field: SystemField }

/** One relation crossed by a path. `visible` bounds the records that may be reached through it; null means all. */
export type Step = {
  readonly relation: Field<'relation'>
  readonly into: CollectionId
  readonly visible: CheckedNode | null
}

/** Where values come from: through relations to a leaf. */
export type Source = { readonly steps: readonly Step[]; readonly leaf: Leaf }

/** A single value as both databases can bind it. */
export type Scalar = string | number | boolean

/** One end of a range. */
export type Bound = { readonly value: Scalar; readonly isIncluded: boolean }

/** Values from one bound to another, in the order that sorting uses; an absent bound is open. */
export type Range = { readonly from?: Bound; readonly to?: Bound }

/** What is asked of one filled value. Every operator comes down to one of these, with all its literals resolved. */
export type Test =
  | { readonly is: 'filled' }
  | { readonly is: 'oneOf'; readonly values: readonly Scalar[] }
  | { readonly is: 'within'; readonly ranges: readonly Range[] }
  | { readonly is: 'contains' | 'starts' | 'ends'; readonly folded: string }

/**
 * True if one of the filled values at the source passes the test; negated: if none does. That is the whole meaning of
 * every operator, for fields of one value, of many, and for values behind relations.
 */
export type CheckedComparison = Source & {
  readonly type: 'compare'
  readonly test: Test
  readonly isNegated: boolean
}

/** A node of a checked filter. */
export type CheckedNode =
  | { readonly type: 'all'; readonly of: readonly CheckedNode[] }
  | { readonly type: 'any'; readonly of: readonly CheckedNode[] }
  | CheckedComparison

declare const checked: unique symbol

/** A filter proven to fit its collection and its actor; only `checkFilter` and `checkSearch` make one. */
export type CheckedFilter = CheckedNode & { readonly [checked]: true }

/** Every record. */
export const ALL_RECORDS: CheckedNode = { type: 'all', of: [] }

/** No record. */
export const NO_RECORDS: CheckedNode = { type: 'any', of: [] }

/** The leaf of a field. */
export const leafOf = (field: Field): Leaf => ({ type: 'field', field })

/** The leaf of a system field. */
export const systemLeaf = (field: SystemField): Leaf => ({ type: 'system', field })
