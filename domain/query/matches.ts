import type { CollectionRecord } from '../records/record.ts'
import { compareKeyValues } from '../shared/compare-values.ts'
import { foldText } from '../shared/fold-text.ts'
import type { Bound, CheckedComparison, CheckedFilter, CheckedNode, Range, Scalar, Test } from './checked-filter.ts'
import { FITS } from './make-test.ts'
import { type LeafValue, type Lookup, valuesAt } from './read-values.ts'

/** Whether a record passes a filter; the same meaning as the SQL the server compiles from it. */
export function matches(filter: CheckedFilter, record: CollectionRecord, lookup: Lookup): boolean {
  return nodeMatches(filter, record, lookup)
}

/** The same for a part of a filter, and for the conditions inside its paths. */
export function nodeMatches(node: CheckedNode, record: CollectionRecord, lookup: Lookup): boolean {
  switch (node.type) {
    case 'all':
      return node.of.every((part) => nodeMatches(part, record, lookup))
    case 'any':
      return node.of.some((part) => nodeMatches(part, record, lookup))
    case 'compare':
      return comparisonHolds(node, record, lookup)
  }
}

/** One of the values must pass; negated, none may. An empty field has no values. */
function comparisonHolds(comparison: CheckedComparison, record: CollectionRecord, lookup: Lookup): boolean {
  const passes = passerOf(comparison)
  return valuesAt(comparison, record, lookup, nodeMatches).some(passes) !== comparison.isNegated
}

function passerOf({ test, leaf }: CheckedComparison): (value: LeafValue) => boolean {
  const isText = leaf.type === 'field' && (leaf.field.kind === 'text' || leaf.field.kind === 'long-text')
  return (value) => passes(test, value, isText)
}

function passes(test: Test, value: LeafValue, isText: boolean): boolean {
  switch (test.is) {
    case 'filled':
      return true
    case 'oneOf':
      return test.values.includes(value.scalar)
    case 'within':
      return test.ranges.some((range) => isWithin(range, value.scalar, isText))
    case 'contains':
    case 'starts':
    case 'ends':
      return isReadable(value.readable(), (text) => FITS[test.is](text, test.folded))
  }
}

const isReadable = (text: string | null, holds: (text: string) => boolean): boolean => text !== null && holds(text)

function isWithin({ from, to }: Range, value: Scalar, isText: boolean): boolean {
  return (from === undefined || isPast(from, value, isText, 1)) && (to === undefined || isPast(to, value, isText, -1))
}

/** Whether a value lies on the open side of a bound: above it (1) or below it (-1). */
function isPast(bound: Bound, value: Scalar, isText: boolean, side: 1 | -1): boolean {
  const order = compareScalars(value, bound.value, isText) * side
  return order > 0 || (order === 0 && bound.isIncluded)
}

/** Texts stand in the order of their folded forms, then of themselves. */
function compareScalars(left: Scalar, right: Scalar, isText: boolean): number {
  const folded = isText ? compareKeyValues(foldText(String(left)), foldText(String(right))) : 0
  return folded === 0 ? compareKeyValues(keyOf(left), keyOf(right)) : folded
}

const keyOf = (value: Scalar): string | number => (typeof value === 'boolean' ? Number(value) : value)
