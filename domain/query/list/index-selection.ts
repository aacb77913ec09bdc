import { hasSelectOptions, holdsList } from '#domain/fields/field.ts'
import { holdsText } from '#domain/fields/folded-text.ts'
import type { OptionId } from '#domain/shared/ids.ts'
import { markChecked } from '../check/check-filter.ts'
import {
  type CheckedComparison,
  type CheckedFilter,
  type CheckedNode,
  type Leaf,
  readableAt,
} from '../check/checked-filter.ts'
import type { Aggregate, CheckedGroupQuery } from './group.ts'
import {
  type CheckedSort,
  type LinkedNameOrder,
  type SortPart,
  type Take,
  isOwnPart,
  linkedNameOrder,
  optionsAt,
} from './sort.ts'
import { kindOfLeaf } from '../filter/read-literal.ts'
import type { CheckedRecordsQuery } from './records-query.ts'

/** A field of an index, by its id, or a system field by its name: it outlives every renaming. */
export type IndexedField = string

/** A field in an index, with what sorting by it needs. `places`: a select's option order when the index was built. */
export type OrderedField = {
  readonly field: IndexedField
  readonly takes: readonly Take[]
  readonly isDescending: boolean
  readonly places?: readonly OptionId[]
}

/**
 * What an index holds, from its first column to its last; the order of ids comes with every index. How that becomes
 * columns is each database's own affair. It is for a list or for groups and
 * sums: where `order` holds anything, `grouped` and `covered` do not.
 */
export type IndexSpec = {
  /** Fields that a query fixes to one value, or leaves empty. */
  readonly equal: readonly IndexedField[]
  /** What is grouped by. */
  readonly grouped: readonly IndexedField[]
  /** A field of which a query takes a stretch or several values. */
  readonly range: IndexedField | null
  /** What the list is sorted by. */
  readonly order: readonly OrderedField[]
  /** Fields that are only read on the way, so that the rows themselves need not be. */
  readonly covered: readonly IndexedField[]
}

/** More fixed fields than this find hardly fewer records, and every column makes each write dearer. */
const MAX_EQUAL = 3
/** The same for fields that are sorted by, and for those that are only read. */
const MAX_ORDER = 4
const MAX_COVERED = 4

/**
 * The index a list wants: first what its filter fixes, then a stretch of one field, then its order. null where the list
 * has no use for one, or where it is found by other means: by id, by search, by a value that is unique.
 */
export function indexForQuery({ where, sort, search }: CheckedRecordsQuery): IndexSpec | null {
  const found = search.terms.length === 0 ? indexableIn(where) : null
  if (found === null) return null
  const { equal, range } = found
  const named = equal.length === 0 && range === null ? linkedNameOrder(sort) : undefined
  if (named) return indexForLinkedNames(named)
  const order = orderForIndex(sort, fixedFields(where))
  // A stretch of the field that is sorted by is a stretch of the order itself.
  if (range === null || order[0]?.field === range) return specOrNull({ equal, order })
  return specOrNull({ equal, range, order: order.every(isShort) ? order : [] })
}

/** Whether a list is walked in the order of ids, record by record: no index knows better what its filter leaves. */
export function isWalkedById({ where, sort, search }: CheckedRecordsQuery): boolean {
  const found = search.terms.length === 0 && sort.length === 1 ? indexableIn(where) : null
  const [only] = sort
  const isById = only?.leaf.type === 'system' && only.leaf.field === 'id' && only.steps.length === 0
  return isById && found?.equal.length === 0 && found.range === null
}

/** The index by which a list is walked in the order of names: thing by thing that its records point at. */
export const indexForLinkedNames = ({ leaf, rest }: LinkedNameOrder): IndexSpec => ({
  ...EMPTY_SPEC,
  equal: [fieldOf(leaf)],
  order: orderForIndex(rest, new Set()),
})

/** The index a grouping wants: what the filter fixes, what is grouped by, and the numbers that are summed up. */
export function indexForGroups(
  { where, search }: CheckedRecordsQuery,
  { by, aggregates }: CheckedGroupQuery,
): IndexSpec | null {
  const isPartlyThere = by.some(({ leaf }) => readableAt(leaf) !== null) || aggregates.some(isOfSomeRecords)
  const found = search.terms.length === 0 && !isPartlyThere ? indexableIn(where) : null
  if (found === null) return null
  const { equal, range } = found
  const fields = by.map(({ leaf }) => fieldOf(leaf)).filter((field) => !equal.includes(field))
  const grouped = [...new Set(fields)].toSorted()
  const numbers = aggregates.flatMap((aggregate) => (aggregate.type === 'count' ? [] : [aggregate.field.id]))
  const read = new Set([...(range === null ? [] : [range]), ...numbers])
  const covered = [...read].filter((field) => !equal.includes(field) && !grouped.includes(field))
  return specOrNull({ equal, grouped, covered: covered.toSorted().slice(0, MAX_COVERED) })
}

const isOfSomeRecords = (aggregate: Aggregate): boolean => aggregate.type !== 'count' && aggregate.readable !== null

const EMPTY_SPEC: IndexSpec = { equal: [], grouped: [], range: null, order: [], covered: [] }

/** An index that is good for something; one without any field is none. */
function specOrNull(parts: Partial<IndexSpec>): IndexSpec | null {
  const spec: IndexSpec = { ...EMPTY_SPEC, ...parts }
  const { equal, grouped, range, order, covered } = spec
  const isEmpty = equal.length + grouped.length + order.length + covered.length === 0 && range === null
  return isEmpty ? null : spec
}

type Found = { readonly equal: readonly IndexedField[]; readonly range: IndexedField | null }

/** What a filter asks of own fields in all records alike; null where it names records or a value that only one has. */
function indexableIn(where: CheckedNode): Found | null {
  const own = comparisonsOfEvery(where).filter(isOwnValue)
  const fixed = own.filter(namesValue)
  if (fixed.some(({ leaf }) => isUnique(leaf)) || own.some(namesRecords)) return null
  const equal = [...new Set(fixed.toSorted(bySelectivity).map(({ leaf }) => fieldOf(leaf)))].slice(0, MAX_EQUAL)
  const ranges = own.filter((each) => !namesValue(each) && isRange(each) && !equal.includes(fieldOf(each.leaf)))
  const [range] = ranges.map(({ leaf }) => fieldOf(leaf)).toSorted()
  return { equal: equal.toSorted(), range: range ?? null }
}

/** The comparisons with values that every record of the list satisfies; no index answers how two fields compare. */
function comparisonsOfEvery(node: CheckedNode): readonly CheckedComparison[] {
  if (node.type === 'compare') return [node]
  if (node.type === 'pair') return []
  return node.type === 'all' || node.of.length === 1 ? node.of.flatMap(comparisonsOfEvery) : []
}

const fixesValue = ({ test, isNegated }: CheckedComparison): boolean =>
  isNegated ? test.is === 'filled' : test.is === 'oneOf' && test.values.length === 1

/**
 * Whether an index finds its records by a value as such; several texts are found one by one, as they have two columns.
 */
const namesValue = (comparison: CheckedComparison): boolean =>
  fixesValue(comparison) || (!comparison.isNegated && comparison.test.is === 'oneOf' && isText(comparison.leaf))

const isText = (leaf: Leaf): boolean => holdsText(kindOfLeaf(leaf))

function isRange({ test, isNegated }: CheckedComparison): boolean {
  if (isNegated) return false
  return test.is === 'oneOf' || test.is === 'starts' || (test.is === 'within' && test.ranges.length === 1)
}

/** The name of a leaf for an index. */
export const fieldOf = (leaf: Leaf): IndexedField => (leaf.type === 'field' ? leaf.field.id : leaf.field)

const namesRecords = ({ leaf, test, isNegated }: CheckedComparison): boolean =>
  !isNegated && test.is === 'oneOf' && leaf.type === 'system' && leaf.field === 'id'

const isUnique = (leaf: Leaf): boolean => leaf.type === 'field' && leaf.field.unique

const isList = (leaf: Leaf): boolean => leaf.type === 'field' && holdsList(leaf.field)

/** Whether a comparison reads one value of the record itself, whatever record it is: only then an index answers it. */
const isOwnValue = ({ steps, leaf }: CheckedComparison): boolean =>
  steps.length === 0 && !isList(leaf) && readableAt(leaf) === null

/** Fields of few values last: they leave more records than the others. */
const bySelectivity = (left: CheckedComparison, right: CheckedComparison): number =>
  selectivityRank(left.leaf) - selectivityRank(right.leaf)

function selectivityRank(leaf: Leaf): number {
  if (leaf.type === 'system') return 0
  if (leaf.field.kind === 'checkbox') return 2
  return hasSelectOptions(leaf.field) ? 1 : 0
}

/**
 * Fields that a filter leaves one value: in the order of its list they say nothing. The id ends every order, come what
 * may.
 */
export const fixedFields = (where: CheckedNode): ReadonlySet<IndexedField> =>
  new Set(
    comparisonsOfEvery(where)
      .filter((each) => isOwnValue(each) && fixesValue(each))
      .map(({ leaf }) => fieldOf(leaf))
      .filter((field) => field !== 'id'),
  )

/**
 * The fields of an order, without those the filter fixes and without the id at its end; none where it asks for more
 * than a row itself holds: titles behind relations, lists.
 */
function orderForIndex(sort: CheckedSort, fixed: ReadonlySet<IndexedField>): OrderedField[] {
  if (!sort.every(isOwnPart)) return []
  const order: OrderedField[] = []
  for (const part of sort) {
    const field = fieldOf(part.leaf)
    const before = order.at(-1)
    if (field === 'id' || fixed.has(field)) continue
    if (before?.field !== field)
      order.push({ field, takes: [part.take], isDescending: part.isDescending, ...placesOf(part) })
    else if (!before.takes.includes(part.take)) order.splice(-1, 1, { ...before, takes: [...before.takes, part.take] })
  }
  return order.slice(0, MAX_ORDER)
}

const placesOf = ({ take, leaf }: SortPart): { readonly places?: readonly OptionId[] } =>
  take === 'place' ? { places: optionsAt(leaf).map(({ id }) => id) } : {}

/** Texts are too long to be carried along for the sake of an order that is sorted afterwards anyway. */
const isShort = ({ takes }: OrderedField): boolean => !takes.includes('fold')

/** What of a filter an index answers by what it holds, and whether that is all of it. */
export function splitByIndex(
  where: CheckedFilter,
  spec: IndexSpec,
): { readonly held: CheckedFilter; readonly isAll: boolean } {
  const fields = new Set(fieldsOfIndex(spec))
  const conjuncts = conjunctsOf(where)
  const held = conjuncts.filter(
    (node) =>
      node.type === 'compare' &&
      isOwnValue(node) &&
      (namesValue(node) || isRange(node)) &&
      fields.has(fieldOf(node.leaf)),
  )
  return { held: markChecked({ type: 'all', of: held }), isAll: held.length === conjuncts.length }
}

/** A condition on more values than this is not asked of an index for each record. */
const MAX_INDEXED_VALUES = 10

/** The index that alone tells whether a record passes a condition; null where its row must be looked at, or more. */
export function indexForCondition(node: CheckedNode): IndexSpec | null {
  if (node.type !== 'compare' || node.test.is !== 'oneOf' || node.test.values.length > MAX_INDEXED_VALUES) return null
  const { steps, leaf } = node
  const isId = leaf.type === 'system' && leaf.field === 'id'
  const isOwn = steps.length === 0 && !isList(leaf) && !isText(leaf) && !isId
  return isOwn ? { ...EMPTY_SPEC, equal: [fieldOf(leaf)] } : null
}

/** Conditions of which each must hold. */
export const conjunctsOf = (node: CheckedNode): readonly CheckedNode[] =>
  node.type === 'all' ? node.of.flatMap(conjunctsOf) : [node]

/** Whether an index does all that another is wanted for. */
export function indexCovers(have: IndexSpec, want: IndexSpec): boolean {
  if (want.grouped.length === 0 && want.covered.length === 0) {
    return haveSame(have.equal, want.equal) && have.range === want.range && sameOrder(have, want)
  }
  const held = rawFields(have)
  const [fixed, behind] = [held.slice(0, want.equal.length), held.slice(want.equal.length)]
  const isGrouped = haveSame(behind.slice(0, want.grouped.length), want.grouped)
  return haveSame(fixed, want.equal) && isGrouped && want.covered.every((field) => behind.includes(field))
}

const haveSame = (left: readonly IndexedField[], right: readonly IndexedField[]): boolean =>
  left.length === right.length && left.every((field) => right.includes(field))

const sameOrder = (have: IndexSpec, want: IndexSpec): boolean =>
  have.grouped.length === 0 && JSON.stringify(have.order) === JSON.stringify(want.order)

/**
 * The fields whose very values an index holds one behind the other. Of several that are sorted by only the first is
 * sure to stand so.
 */
const rawFields = ({ equal, grouped, range, order, covered }: IndexSpec): IndexedField[] => [
  ...equal,
  ...grouped,
  ...(range === null ? [] : [range]),
  ...order.filter(({ places }, at) => places === undefined && (at === 0 || range !== null)).map(({ field }) => field),
  ...covered,
]

/** Every field an index holds. */
export const fieldsOfIndex = ({ equal, grouped, range, order, covered }: IndexSpec): IndexedField[] => [
  ...new Set([
    ...equal,
    ...grouped,
    ...(range === null ? [] : [range]),
    ...order.map(({ field }) => field),
    ...covered,
  ]),
]

/** From so many records on a collection gets indexes by itself; a smaller one is read through in a few ms. */
export const INDEX_MIN_RECORDS = 5_000

/** Most indexes that the server makes for one collection by itself: every write pays for each. */
export const MAX_INDEXES = 16

/** A query that takes longer than this is slow enough for an index, in ms. */
export const SLOW_QUERY_MS = 5

const DAY_MS = 24 * 60 * 60 * 1000

/** Unused indexes are dropped after this time, in ms. */
const UNUSED_AFTER_MS = 30 * DAY_MS

/** Where there are as many as there may be, one unused for so long makes room, in ms. */
const REPLACEABLE_AFTER_MS = DAY_MS

/** What index maintenance knows of an index. */
export type KnownIndex = { readonly id: string; readonly spec: IndexSpec; readonly usedAt: string }

/** The decision on a requested index. */
export type IndexDecision =
  | { readonly type: 'served'; readonly by: string }
  | { readonly type: 'build'; readonly insteadOf: string | null }
  | { readonly type: 'full' }

/** Decides on a requested index: already served, build it, replace a rarely used one, or no room. */
export function decideIndex(want: IndexSpec, have: readonly KnownIndex[], now: Date): IndexDecision {
  const serving = have.find(({ spec }) => indexCovers(spec, want))
  if (serving) return { type: 'served', by: serving.id }
  if (have.length < MAX_INDEXES) return { type: 'build', insteadOf: null }

  const [idlest] = have.toSorted((left, right) => Date.parse(left.usedAt) - Date.parse(right.usedAt))
  const isIdle = idlest !== undefined && now.getTime() - Date.parse(idlest.usedAt) >= REPLACEABLE_AFTER_MS
  return isIdle ? { type: 'build', insteadOf: idlest.id } : { type: 'full' }
}

/** Whether an index has not been used for so long that it only costs. */
export const isUnused = ({ usedAt }: Pick<KnownIndex, 'usedAt'>, now: Date): boolean =>
  now.getTime() - Date.parse(usedAt) >= UNUSED_AFTER_MS
