import { type Field, hasSelectOptions, type SelectKind } from '../../fields/field.ts'
import type { SystemField } from '../../fields/system-fields.ts'
import { formulaInputs } from '../../formulas/formula-inputs.ts'
import type { FieldId, OptionId, CollectionId } from '../../shared/ids.ts'
import { indexedProgram } from '../../formulas/formula-program.ts'
import { type Expression, type FormulaCalendar, readsClock } from '../../formulas/expression.ts'

/** How the values of a formula field are computed. */
export type ComputedValue = { readonly expression: Expression; readonly calendar: FormulaCalendar }

/**
 * Field at the end of a path. `readable`: condition for records in which the field is readable (in other records it is
 * treated as empty); null: all. `computed`: for a formula, whose `field` has the kind of the result; the field isn't
 * stored.
 */
export type Leaf =
  | {
      readonly type: 'field'
      readonly field: Field
      readonly readable: CheckedNode | null
      readonly computed?: ComputedValue
    }
  | { readonly type: 'system'; readonly field: SystemField }

/**
 * One relation in a path, from a record to those that it links to or, if reversed, to those that link to it.
 * `readable`: condition for records whose links are readable; `visible`: condition for visible linked records; null:
 * all.
 */
export type Step = {
  /** If reversed, a field of `into`. */
  readonly relation: Field<'relation'>
  readonly isReverse: boolean
  readonly readable: CheckedNode | null
  readonly into: CollectionId
  readonly visible: CheckedNode | null
  /**
   * Set if the linked records that match are found first, because no index finds the records that link to a given one.
   */
  readonly isMatchedFirst?: true
}

export type Source = { readonly steps: readonly Step[]; readonly leaf: Leaf }

/** Value type that both databases can bind. */
export type Scalar = string | number | boolean

export type Bound = { readonly value: Scalar; readonly isIncluded: boolean }

/** Bounds in sort order; an absent bound is unbounded. */
export type Range = { readonly from?: Bound; readonly to?: Bound }

/** Test for a single non-empty value; every operator resolves to one of these tests. */
export type Test =
  | { readonly is: 'filled' }
  | { readonly is: 'oneOf'; readonly values: readonly Scalar[] }
  | { readonly is: 'within'; readonly ranges: readonly Range[] }
  | { readonly is: 'contains' | 'starts' | 'ends'; readonly folded: string }

/** True if any non-empty value of the source passes the test; if negated, true if none passes. */
export type CheckedComparison = Source & {
  readonly type: 'compare'
  readonly test: Test
  readonly isNegated: boolean
}

export type PairSide = Source & {
  /** Option IDs in comparison order; null: stored values are compared. */
  readonly options: readonly OptionId[] | null
}

/** `!=` is the negation of `=`. */
export type PairSign = '=' | '<' | '<=' | '>' | '>='

/**
 * True if any pair of left and right values satisfies the operator; if negated, true if none does. If a side is empty,
 * only `!=` is true.
 */
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

/** null if readable in every record. */
export const leafOf = (field: Field, readable: CheckedNode | null, computed?: ComputedValue): Leaf =>
  computed ? { type: 'field', field, readable, computed } : { type: 'field', field, readable }

/** The stored fields on which a value depends. */
export function storedFieldsAt(leaf: Leaf): readonly FieldId[] {
  if (leaf.type === 'system') return []
  if (leaf.computed === undefined) return [leaf.field.id]
  return formulaInputs(leaf.computed.expression).flatMap((input) => (input.node === 'field' ? [input.field.id] : []))
}

export const computedAt = (leaf: Leaf): ComputedValue | undefined => (leaf.type === 'field' ? leaf.computed : undefined)

/** Whether a value depends on the current time. */
export function isClock(leaf: Leaf): boolean {
  const computed = computedAt(leaf)
  return computed !== undefined && readsClock(computed.expression)
}

/** Whether an index can contain the value: it is stored, or a field's formula that depends on the record alone. */
export function isIndexable(leaf: Leaf): boolean {
  if (leaf.type === 'system' || leaf.computed === undefined) return true
  const { expression, calendar } = leaf.computed
  return !isDerivedId(leaf.field.id) && indexedProgram(expression, calendar) !== undefined
}

/** ID in place of a field's, for the result of a formula that is used as a condition. */
export const CONDITION_ID = ''

/** ID in place of a field's, for its dates grouped by an interval; unlike those of fields, it contains a colon. */
export const intervalId = (field: FieldId, interval: string): string => `${field}:${interval}`

const isDerivedId = (id: FieldId): boolean => id === CONDITION_ID || id.includes(':')

export const systemLeaf = (field: SystemField): Leaf => ({ type: 'system', field })

/** Condition for records in which the path's final field is readable; null: all records. */
export const readableAt = (leaf: Leaf): CheckedNode | null => (leaf.type === 'field' ? leaf.readable : null)

export const sourcesOf = (node: CheckedCondition): readonly Source[] =>
  node.type === 'pair' ? [node.left, node.right] : [node]

export const conditionsIn = (node: CheckedNode): readonly CheckedCondition[] =>
  node.type === 'all' || node.type === 'any' ? node.of.flatMap(conditionsIn) : [node]

/** Conditions under which a source is readable and its linked records are visible. */
export const conditionsOn = ({ steps, leaf }: Source): readonly CheckedNode[] =>
  [...steps.flatMap(({ readable, visible }) => [readable, visible]), readableAt(leaf)].filter((node) => node !== null)

export const optionField = (leaf: Leaf | undefined): Field<SelectKind> | undefined =>
  leaf?.type === 'field' && hasSelectOptions(leaf.field) ? leaf.field : undefined
