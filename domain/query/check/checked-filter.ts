import type { Field } from '../../fields/field.ts'
import type { SystemField } from '../../fields/system-fields.ts'
import type { OptionId, CollectionId } from '../../shared/ids.ts'

/**
 * What a comparison reads at the end of its path. `readable` describes the records in which the field is there for its
 * reader: in all others it is as if empty. null means all.
 */
export type Leaf =
  | { readonly type: 'field'; readonly field: Field; readonly readable: CheckedNode | null }
  | { readonly type: 'system'; readonly field: SystemField }

/**
 * One relation crossed by a path. `readable` describes the records in which the relation itself is there, `visible`
 * bounds those that may be reached through it; null means all.
 */
export type Step = {
  readonly relation: Field<'relation'>
  readonly readable: CheckedNode | null
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

/** One side of a comparison of two fields. */
export type PairSide = Source & {
  /**
   * Options in the order in which they are compared, where the leaf holds options; null: values are compared as stored.
   */
  readonly options: readonly OptionId[] | null
}

/** The relation between two compared fields; `!=` negates `=`. */
export type PairSign = '=' | '<' | '<=' | '>' | '>='

/**
 * A comparison of two fields: true if some value on the left and some value on the right satisfy the sign; negated: if
 * none do. An empty side satisfies only `!=`, also when both are empty.
 */
export type CheckedPair = {
  readonly type: 'pair'
  readonly left: PairSide
  readonly right: PairSide
  readonly sign: PairSign
  readonly isNegated: boolean
}

/** A node of a checked filter. */
export type CheckedNode =
  | { readonly type: 'all'; readonly of: readonly CheckedNode[] }
  | { readonly type: 'any'; readonly of: readonly CheckedNode[] }
  | CheckedComparison
  | CheckedPair

/** The two kinds of conditions that a tree is made of. */
export type CheckedCondition = CheckedComparison | CheckedPair

declare const checked: unique symbol

/** A filter proven to fit its collection and its actor; only `checkFilter` and `checkSearch` make one. */
export type CheckedFilter = CheckedNode & { readonly [checked]: true }

/** Every record. */
export const ALL_RECORDS: CheckedNode = { type: 'all', of: [] }

/** No record. */
export const NO_RECORDS: CheckedNode = { type: 'any', of: [] }

/** The leaf of a field that is there in the records a condition describes; null means all. */
export const leafOf = (field: Field, readable: CheckedNode | null): Leaf => ({ type: 'field', field, readable })

/** The leaf of a system field. */
export const systemLeaf = (field: SystemField): Leaf => ({ type: 'system', field })

/** In which records a leaf is there for its reader; null means all. */
export const readableAt = (leaf: Leaf): CheckedNode | null => (leaf.type === 'field' ? leaf.readable : null)

/** Where a condition reads its values: a pair on both sides. */
export const sourcesOf = (node: CheckedCondition): readonly Source[] =>
  node.type === 'pair' ? [node.left, node.right] : [node]

/** Every condition of a tree. */
export const conditionsIn = (node: CheckedNode): readonly CheckedCondition[] =>
  node.type === 'all' || node.type === 'any' ? node.of.flatMap(conditionsIn) : [node]

/** The conditions a source is read under: where its fields are there, and which records may be reached. */
export const conditionsOn = ({ steps, leaf }: Source): readonly CheckedNode[] =>
  [...steps.flatMap(({ readable, visible }) => [readable, visible]), readableAt(leaf)].filter((node) => node !== null)
