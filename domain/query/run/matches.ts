import { foldedText, holdsText, type TextKind } from '../../fields/folded-text.ts'
import type { CollectionRecord } from '../../records/record.ts'
import { compareKeyValues } from '../../shared/compare-values.ts'
import type {
  Bound,
  CheckedComparison,
  CheckedFilter,
  CheckedNode,
  CheckedPair,
  PairSide,
  PairSign,
  Range,
  Scalar,
  Test,
} from '../check/checked-filter.ts'
import { TEXT_MATCHERS } from '../check/resolve-test.ts'
import { kindOfLeaf } from '../filter/read-literal.ts'
import { type LeafValue, type Lookup, valuesAt } from './read-values.ts'

/** Must match the semantics of the SQL that the server generates. */
export function matches(filter: CheckedFilter, record: CollectionRecord, lookup: Lookup): boolean {
  return nodeMatches(filter, record, lookup)
}

/** Evaluates a node of a filter, or of a visibility condition in the filter's paths. */
export function nodeMatches(node: CheckedNode, record: CollectionRecord, lookup: Lookup): boolean {
  switch (node.type) {
    case 'all':
      return node.of.every((part) => nodeMatches(part, record, lookup))
    case 'any':
      return node.of.some((part) => nodeMatches(part, record, lookup))
    case 'compare':
      return comparisonHolds(node, record, lookup)
    case 'pair':
      return pairHolds(node, record, lookup)
  }
}

/** An empty field has no values. */
function comparisonHolds(comparison: CheckedComparison, record: CollectionRecord, lookup: Lookup): boolean {
  const passes = passerOf(comparison)
  return valuesAt(comparison, record, lookup, nodeMatches).some(passes) !== comparison.isNegated
}

/** True if any pair of values satisfies the operator; if negated, true if none does. */
function pairHolds({ left, right, sign, isNegated }: CheckedPair, record: CollectionRecord, lookup: Lookup): boolean {
  const [kind, others] = [kindOfLeaf(left.leaf), comparedAt(right, record, lookup)]
  const text = holdsText(kind) ? kind : null
  const holds = comparedAt(left, record, lookup).some((one) =>
    others.some((other) => HOLDS[sign](compareScalars(one, other, text))),
  )
  return holds !== isNegated
}

/** Options are compared by position; deleted options are skipped. */
function comparedAt(side: PairSide, record: CollectionRecord, lookup: Lookup): Scalar[] {
  const values = valuesAt(side, record, lookup, nodeMatches).map(({ scalar }) => scalar)
  const { options } = side
  if (options === null) return values
  return values.map((id) => options.indexOf(String(id))).filter((place) => place !== -1)
}

const HOLDS: { readonly [Sign in PairSign]: (order: number) => boolean } = {
  '=': (order) => order === 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

function passerOf({ test, leaf }: CheckedComparison): (value: LeafValue) => boolean {
  const kind = kindOfLeaf(leaf)
  const text = holdsText(kind) ? kind : null
  return (value) => passes(test, value, text)
}

/** `text` is null for values that aren't compared as text. */
function passes(test: Test, value: LeafValue, text: TextKind | null): boolean {
  switch (test.is) {
    case 'filled':
      return true
    case 'oneOf':
      return test.values.includes(value.scalar)
    case 'within':
      return test.ranges.some((range) => isWithin(range, value.scalar, text))
    case 'contains':
    case 'starts':
    case 'ends':
      return isReadable(value.readable(), (text) => TEXT_MATCHERS[test.is](text, test.folded))
  }
}

const isReadable = (text: string | null, holds: (text: string) => boolean): boolean => text !== null && holds(text)

function isWithin({ from, to }: Range, value: Scalar, text: TextKind | null): boolean {
  return (from === undefined || isPast(from, value, text, 1)) && (to === undefined || isPast(to, value, text, -1))
}

/** Returns 1 if the value is above the bound, -1 if it is below. */
function isPast(bound: Bound, value: Scalar, text: TextKind | null, side: 1 | -1): boolean {
  const order = compareScalars(value, bound.value, text) * side
  return order > 0 || (order === 0 && bound.isIncluded)
}

/** Text sorts by folded form, then by exact text. */
function compareScalars(left: Scalar, right: Scalar, text: TextKind | null): number {
  const folded = text ? compareKeyValues(foldedText(text, String(left)), foldedText(text, String(right))) : 0
  return folded === 0 ? compareKeyValues(keyOf(left), keyOf(right)) : folded
}

const keyOf = (value: Scalar): string | number => (typeof value === 'boolean' ? Number(value) : value)
