import { type Field, hasSelectOptions, type SelectKind } from '../../fields/field.ts'
import type { SystemField } from '../../fields/system-fields.ts'
import type { OptionId, CollectionId } from '../../shared/ids.ts'

/** The leaf of a path. `readable`: the records in which the field is readable; in others it is empty; null: all. */
export type Leaf =
  | { readonly type: 'field'; readonly field: Field; readonly readable: CheckedNode | null }
  | { readonly type: 'system'; readonly field: SystemField }

/**
 * One relation on a path. `readable`: the records in which the relation is readable; `visible`: the linked records
 * that are; null: all.
 */
export type Step = {
  readonly relation: Field<'relation'>
  readonly readable: CheckedNode | null
  readonly into: CollectionId
  readonly visible: CheckedNode | null
}

export type Source = { readonly steps: readonly Step[]; readonly leaf: Leaf }

/** A value as both databases bind it. */
export type Scalar = string | number | boolean

export type Bound = { readonly value: Scalar; readonly isIncluded: boolean }

/** In sort order; an absent bound is open. */
export type Range = { readonly from?: Bound; readonly to?: Bound }

/** A test of one filled value. Every operator resolves to one of these. */
export type Test =
  | { readonly is: 'filled' }
  | { readonly is: 'oneOf'; readonly values: readonly Scalar[] }
  | { readonly is: 'within'; readonly ranges: readonly Range[] }
  | { readonly is: 'contains' | 'starts' | 'ends'; readonly folded: string }

/** True if one filled value at the source passes the test; negated: if no value passes. */
export type CheckedComparison = Source & {
  readonly type: 'compare'
  readonly test: Test
  readonly isNegated: boolean
}

export type PairSide = Source & {
  /** Options in comparison order; null: values are compared as stored. */
  readonly options: readonly OptionId[] | null
}

/** `!=` negates `=`. */
export type PairSign = '=' | '<' | '<=' | '>' | '>='

/** True if a left and a right value satisfy the operator; negated: if none do. An empty side satisfies only `!=`. */
export type CheckedPair = {
  readonly type: 'pair'
  readonly left: PairSide
  readonly right: PairSide
  readonly sign: PairSign
  readonly isNegated: boolean
}

export type CheckedNode =
  | { readonly type: 'all'; readonly of: readonly CheckedNode[] }
  | { readonly type: 'any'; readonly of: readonly CheckedNode[] }
  | CheckedComparison
  | CheckedPair

export type CheckedCondition = CheckedComparison | CheckedPair

declare const checked: unique symbol

/** Created only by `checkFilter`, `checkSearch` and their helpers. */
export type CheckedFilter = CheckedNode & { readonly [checked]: true }

export const ALL_RECORDS: CheckedNode = { type: 'all', of: [] }

export const NO_RECORDS: CheckedNode = { type: 'any', of: [] }

/** null: readable in every record. */
export const leafOf = (field: Field, readable: CheckedNode | null): Leaf => ({ type: 'field', field, readable })

export const systemLeaf = (field: SystemField): Leaf => ({ type: 'system', field })

/** The records in which a leaf is readable; null: all. */
export const readableAt = (leaf: Leaf): CheckedNode | null => (leaf.type === 'field' ? leaf.readable : null)

export const sourcesOf = (node: CheckedCondition): readonly Source[] =>
  node.type === 'pair' ? [node.left, node.right] : [node]

export const conditionsIn = (node: CheckedNode): readonly CheckedCondition[] =>
  node.type === 'all' || node.type === 'any' ? node.of.flatMap(conditionsIn) : [node]

/** The conditions under which a source is readable, and which linked records are visible. */
export const conditionsOn = ({ steps, leaf }: Source): readonly CheckedNode[] =>
  [...steps.flatMap(({ readable, visible }) => [readable, visible]), readableAt(leaf)].filter((node) => node !== null)

export const optionField = (leaf: Leaf | undefined): Field<SelectKind> | undefined =>
  leaf?.type === 'field' && hasSelectOptions(leaf.field) ? leaf.field : undefined
