import { type SelectKind, type Field } from '#domain/fields/field.ts'
import { foldedNeedle } from '#domain/fields/folded-text.ts'
import { foldText } from '#domain/shared/text.ts'
import { type Result, fail, ok } from '#domain/shared/result.ts'
import { type Bound, type Leaf, type Range, type Test, optionField } from './checked-filter.ts'
import type { FilterLiteral, Operator } from '../filter/filter.ts'
import { isAttributeMarker, resolveAttributeMarkers } from '../filter/attribute-markers.ts'
import { kindOfLeaf, readOption, readNeedle, readRange, readTruth } from '../filter/read-literal.ts'
import type { QueryContext } from './query-context.ts'

export type ResolvedTest = { readonly test: Test; readonly isNegated: boolean }

/** Converts an operator and its literals to a test; the operator has already been validated for the leaf. */
export function resolveTest(
  leaf: Leaf,
  op: Operator,
  literals: readonly FilterLiteral[],
  context: QueryContext,
): Result<ResolvedTest, string> {
  const [first = ''] = literals
  const attributeMarker = literals.find(isAttributeMarker)
  if (attributeMarker !== undefined && !EQUATES.has(op))
    return fail(`${attributeMarker.marker} can only be used with =, != and in.`)
  switch (op) {
    case 'is empty':
      return ok({ test: { is: 'filled' }, isNegated: true })
    case 'is not empty':
      return ok({ test: { is: 'filled' }, isNegated: false })
    case '~':
    case '!~':
      return resolvedTest(textTest(leaf, 'contains', first), op === '!~')
    case '^=':
      return resolvedTest(textTest(leaf, 'starts', first))
    case '$=':
      return resolvedTest(textTest(leaf, 'ends', first))
    case '=':
    case '!=':
    case 'in':
      return resolvedTest(equalityTest(leaf, literals, context), op === '!=')
    case '<':
    case '<=':
    case '>':
    case '>=':
    case 'between':
      return resolvedTest(orderTest(leaf, op, literals, context))
  }
}

/** Operators that accept attributes with several values. */
const EQUATES: ReadonlySet<Operator> = new Set(['=', '!=', 'in'])

const resolvedTest = (test: Result<Test, string>, isNegated = false): Result<ResolvedTest, string> =>
  test.ok ? ok({ test: test.value, isNegated }) : test

function textTest(leaf: Leaf, is: 'contains' | 'starts' | 'ends', literal: FilterLiteral): Result<Test, string> {
  const needle = readNeedle(literal)
  if (!needle.ok) return needle
  const field = optionField(leaf)
  if (field) return ok(optionsWhose(field, (name) => TEXT_MATCHERS[is](foldText(name), needle.value)))
  const folded = foldedNeedle(kindOfLeaf(leaf), needle.value)
  return ok(folded === undefined ? NOTHING : { is, folded })
}

const NOTHING: Test = { is: 'oneOf', values: [] }

/** Shared with `matches`, so that results are the same. */
export const TEXT_MATCHERS: {
  readonly [Is in 'contains' | 'starts' | 'ends']: (text: string, needle: string) => boolean
} = {
  contains: (text, needle) => text.includes(needle),
  starts: (text, needle) => text.startsWith(needle),
  ends: (text, needle) => text.endsWith(needle),
}

/** Tests option IDs; matches the options whose names satisfy `holds`. */
export function optionsWhose(field: Field<SelectKind>, holds: (name: string) => boolean): Test {
  return { is: 'oneOf', values: field.options.choices.filter(({ name }) => holds(name)).map(({ id }) => id) }
}

function equalityTest(leaf: Leaf, given: readonly FilterLiteral[], context: QueryContext): Result<Test, string> {
  const resolved = resolveAttributeMarkers(leaf, given, context)
  if (!resolved.ok) return resolved
  const literals = resolved.value
  if (kindOfLeaf(leaf) === 'checkbox') {
    const truths = readEach(literals, readTruth)
    return truths.ok ? ok({ is: 'oneOf', values: truths.value }) : truths
  }
  const field = optionField(leaf)
  if (field) {
    const places = readEach(literals, (literal) => readOption(field, literal))
    return places.ok ? ok(optionsAtPlace(field, (place) => places.value.includes(place))) : places
  }
  const ranges = readEach(literals, (literal) => readRange(leaf, literal, context))
  return ranges.ok ? ok(anyOf(ranges.value)) : ranges
}

/** Single values use equality, which indexes support best; dates compared with date-times use ranges. */
function anyOf(ranges: readonly Range[]): Test {
  const values = ranges.flatMap(({ from, to }) => (from && from.value === to?.value ? from.value : []))
  return values.length === ranges.length ? { is: 'oneOf', values: [...new Set(values)] } : { is: 'within', ranges }
}

type OrderOperator = '<' | '<=' | '>' | '>=' | 'between'

function orderTest(
  leaf: Leaf,
  op: OrderOperator,
  literals: readonly FilterLiteral[],
  context: QueryContext,
): Result<Test, string> {
  const field = optionField(leaf)
  if (field) {
    const places = readEach(literals, (literal) => readOption(field, literal))
    return places.ok ? ok(optionsAtPlace(field, (place) => isOrdered(op, place, places.value))) : places
  }
  const ranges = readEach(literals, (literal) => readRange(leaf, literal, context))
  return ranges.ok ? ok({ is: 'within', ranges: [rangeOf(op, ranges.value)] }) : ranges
}

/** Range on one side of a literal, or between two literals. */
function rangeOf(op: OrderOperator, [first = {}, second = {}]: readonly Range[]): Range {
  switch (op) {
    case '<':
      return limit(undefined, opposite(first.from))
    case '<=':
      return limit(undefined, first.to)
    case '>':
      return limit(opposite(first.to), undefined)
    case '>=':
      return limit(first.from, undefined)
    case 'between':
      return limit(first.from, second.to)
  }
}

const limit = (from: Bound | undefined, to: Bound | undefined): Range => ({ ...(from && { from }), ...(to && { to }) })

const opposite = (bound: Bound | undefined): Bound | undefined =>
  bound && { value: bound.value, isIncluded: !bound.isIncluded }

/** A deleted option has no position. */
function isOrdered(op: OrderOperator, place: number, [first, second]: readonly (number | undefined)[]): boolean {
  if (first === undefined) return false
  switch (op) {
    case '<':
      return place < first
    case '<=':
      return place <= first
    case '>':
      return place > first
    case '>=':
      return place >= first
    case 'between':
      return second !== undefined && place >= first && place <= second
  }
}

function optionsAtPlace(field: Field<SelectKind>, holds: (place: number) => boolean): Test {
  return { is: 'oneOf', values: field.options.choices.filter((_, place) => holds(place)).map(({ id }) => id) }
}

function readEach<Value>(
  literals: readonly FilterLiteral[],
  read: (literal: FilterLiteral) => Result<Value, string>,
): Result<readonly Value[], string> {
  const values: Value[] = []
  for (const literal of literals) {
    const value = read(literal)
    if (!value.ok) return fail(value.fault)
    values.push(value.value)
  }
  return ok(values)
}
