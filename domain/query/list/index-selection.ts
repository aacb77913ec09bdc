import { hasSelectOptions, holdsList } from '#domain/fields/field.ts'
import { holdsText } from '#domain/fields/folded-text.ts'
import type { CollectionId, OptionId } from '#domain/shared/ids.ts'
import { indexedProgram } from '../../formulas/formula-program.ts'
import { markChecked } from '../check/check-filter.ts'
import {
  type CheckedComparison,
  type CheckedFilter,
  type CheckedNode,
  type Leaf,
  computedAt,
  isIndexable,
  conditionsIn,
  readableAt,
  sourcesOf,
} from '../check/checked-filter.ts'
import { type Aggregate, aggregateLeaf, type CheckedGroupQuery, storedLeaf } from './group.ts'
import {
  type CheckedSort,
  type LinkedNameOrder,
  type SortPart,
  type SortKeyType,
  isOwnPart,
  linkedNameOrder,
  optionsAt,
} from './sort.ts'
import { kindOfLeaf } from '../filter/read-literal.ts'
import type { CheckedRecordsQuery } from './records-query.ts'

/**
 * Field ID or system field name, which don't change on renames. The ID of a formula is followed by `=` and the hash of
 * its program, so that an index isn't used for another formula of the same field.
 */
export type IndexedField = string

/** `places`: option order of a select field when the index was built. */
export type OrderedField = {
  readonly field: IndexedField
  readonly takes: readonly SortKeyType[]
  readonly isDescending: boolean
  readonly places?: readonly OptionId[]
}

/**
 * Index columns in order; the ID is always appended. How the index is built depends on the database. An index is used
 * either for lists (`range`, `order`) or for groups and aggregates (`grouped`).
 */
export type IndexSpec = {
  /** Fields that a query requires to equal a single value, or to be empty. */
  readonly equal: readonly IndexedField[]
  readonly grouped: readonly IndexedField[]
  /** Field that a query limits to a range or to several values. */
  readonly range: IndexedField | null
  readonly order: readonly OrderedField[]
  /** Fields included only so that the index covers the query and no rows are read. */
  readonly covered: readonly IndexedField[]
}

/** More columns would barely narrow the result, and each one slows down writes. */
const MAX_EQUAL = 3
/** More columns would slow down every write. */
const MAX_ORDER = 4
const MAX_COVERED = 4
const MAX_CHECKED = 2

/**
 * Index with equality columns, then one range column, then sort columns; null if no index helps, or if the query finds
 * records by ID, search or unique value.
 */
export function indexForQuery({ where, sort, search }: CheckedRecordsQuery): IndexSpec | null {
  const found = search.terms.length === 0 ? indexableIn(where) : null
  if (found === null) return null
  const { equal, range } = found
  const named = equal.length === 0 && range === null ? linkedNameOrder(sort) : undefined
  if (named) return indexForLinkedNames(named)
  const order = orderForIndex(sort, fixedFields(where))
  // A range on the first sort field uses the sort columns.
  if (range === null || order[0]?.field === range) return specOrNull({ equal, order })
  const covered = otherFields(where).filter((field) => field !== range && !equal.includes(field))
  return specOrNull({ equal, range, order: order.every(isShort) ? order : [], covered: covered.slice(0, MAX_CHECKED) })
}

/** Other short values that the filter checks, so that the records of a range needn't be read to do so. */
const otherFields = (where: CheckedNode): readonly IndexedField[] =>
  [
    ...new Set(
      comparisonsOfEvery(where)
        .filter(isOwnValue)
        .filter(isShortValue)
        .map(({ leaf }) => fieldOf(leaf)),
    ),
  ]
    .filter((field) => field !== 'id')
    .toSorted()

const isShortValue = ({ leaf }: CheckedComparison): boolean => computedAt(leaf) === undefined && !isText(leaf)

/** Index of another collection. */
export type LinkIndex = { readonly collection: CollectionId; readonly spec: IndexSpec }

/** Indexes that find the records that link to those of a list; lists of links always have one. */
export function indexesForLinks({ where, search, sort }: CheckedRecordsQuery): readonly LinkIndex[] {
  const sources = [where, search.where].flatMap(conditionsIn).flatMap(sourcesOf)
  return [...sources, ...sort]
    .flatMap(({ steps }) => steps)
    .filter(({ isReverse, relation }) => isReverse && !relation.options.many)
    .map(({ into, relation }) => ({ collection: into, spec: { ...EMPTY_SPEC, equal: [relation.id] } }))
}

export function isSortedById({ sort, search }: CheckedRecordsQuery): boolean {
  const [only] = sort
  const isById = only?.leaf.type === 'system' && only.leaf.field === 'id' && isOwnPart(only)
  return isById && sort.length === 1 && search.terms.length === 0
}

/** Whether a list can be read in ID order without an index. */
export function isWalkedById(query: CheckedRecordsQuery): boolean {
  const found = isSortedById(query) ? indexableIn(query.where) : null
  return found?.equal.length === 0 && found.range === null
}

/** Index for reading a list sorted by the names of linked records or users. */
export const indexForLinkedNames = ({ leaf, rest }: LinkedNameOrder): IndexSpec => ({
  ...EMPTY_SPEC,
  equal: [fieldOf(leaf)],
  order: orderForIndex(rest, new Set()),
})

/** Index with equality columns, then group-by fields, then aggregated numbers. */
export function indexForGroups(
  { where, search }: CheckedRecordsQuery,
  { by, aggregates }: CheckedGroupQuery,
): IndexSpec | null {
  const isPartlyThere =
    by.some((field) => field.entries !== undefined || !isSameForAll(storedLeaf(field))) ||
    aggregates.some(isOfSomeRecords)
  const found = search.terms.length === 0 && !isPartlyThere ? indexableIn(where) : null
  if (found === null) return null
  const { equal, range } = found
  const fields = by.map((field) => fieldOf(storedLeaf(field))).filter((field) => !equal.includes(field))
  const grouped = [...new Set(fields)].toSorted()
  const numbers = aggregates.flatMap((aggregate) =>
    aggregate.type === 'count' ? [] : [fieldOf(aggregateLeaf(aggregate))],
  )
  const read = new Set([...(range === null ? [] : [range]), ...numbers])
  const covered = [...read].filter((field) => !equal.includes(field) && !grouped.includes(field))
  return specOrNull({ equal, grouped, covered: covered.toSorted().slice(0, MAX_COVERED) })
}

const isSameForAll = (leaf: Leaf): boolean => readableAt(leaf) === null && isIndexable(leaf)

const isOfSomeRecords = (aggregate: Aggregate): boolean =>
  aggregate.type !== 'count' && !isSameForAll(aggregateLeaf(aggregate))

export const EMPTY_SPEC: IndexSpec = { equal: [], grouped: [], range: null, order: [], covered: [] }

function specOrNull(parts: Partial<IndexSpec>): IndexSpec | null {
  const spec: IndexSpec = { ...EMPTY_SPEC, ...parts }
  const { equal, grouped, range, order, covered } = spec
  const isEmpty = equal.length + grouped.length + order.length + covered.length === 0 && range === null
  return isEmpty ? null : spec
}

type Found = { readonly equal: readonly IndexedField[]; readonly range: IndexedField | null }

/**
 * Comparisons on the collection's own fields that every matching record satisfies; null if the filter selects records
 * by ID or unique value.
 */
function indexableIn(where: CheckedNode): Found | null {
  const own = comparisonsOfEvery(where).filter(isOwnValue)
  const fixed = own.filter(namesValue)
  if (fixed.some(({ leaf }) => isUnique(leaf)) || own.some(namesRecords)) return null
  const equal = [...new Set(fixed.toSorted(bySelectivity).map(({ leaf }) => fieldOf(leaf)))].slice(0, MAX_EQUAL)
  const ranges = own.filter((each) => !namesValue(each) && isRange(each) && !equal.includes(fieldOf(each.leaf)))
  const [range] = ranges.map(({ leaf }) => fieldOf(leaf)).toSorted()
  return { equal: equal.toSorted(), range: range ?? null }
}

/** Comparisons that every matching record satisfies, except comparisons of two fields, which indexes can't contain. */
function comparisonsOfEvery(node: CheckedNode): readonly CheckedComparison[] {
  if (node.type === 'compare') return [node]
  if (node.type === 'pair') return []
  return node.type === 'all' || node.of.length === 1 ? node.of.flatMap(comparisonsOfEvery) : []
}

const fixesValue = ({ test, isNegated }: CheckedComparison): boolean =>
  isNegated ? test.is === 'filled' : test.is === 'oneOf' && test.values.length === 1

/** Each of several text values is looked up individually, because text is stored in two columns. */
const namesValue = (comparison: CheckedComparison): boolean =>
  fixesValue(comparison) || (!comparison.isNegated && comparison.test.is === 'oneOf' && isText(comparison.leaf))

const isText = (leaf: Leaf): boolean => holdsText(kindOfLeaf(leaf))

function isRange({ test, isNegated }: CheckedComparison): boolean {
  if (isNegated) return false
  return test.is === 'oneOf' || test.is === 'starts' || (test.is === 'within' && test.ranges.length === 1)
}

export function fieldOf(leaf: Leaf): IndexedField {
  if (leaf.type === 'system') return leaf.field
  const computed = computedAt(leaf)
  return computed
    ? `${leaf.field.id}=${indexedProgram(computed.expression, computed.calendar)?.hash ?? ''}`
    : leaf.field.id
}

/** The ID of the field, without the hash of a formula. */
export const idOfIndexedField = (field: IndexedField): string => field.split('=')[0] ?? field

export const isIndexedFormula = (field: IndexedField): boolean => field.includes('=')

const namesRecords = ({ leaf, test, isNegated }: CheckedComparison): boolean =>
  !isNegated && test.is === 'oneOf' && leaf.type === 'system' && leaf.field === 'id'

const isUnique = (leaf: Leaf): boolean => leaf.type === 'field' && leaf.field.unique

const isList = (leaf: Leaf): boolean => leaf.type === 'field' && holdsList(leaf.field)

/** An index can only contain single values of the record itself that are readable in every record. */
const isOwnValue = ({ steps, leaf }: CheckedComparison): boolean =>
  steps.length === 0 && !isList(leaf) && isSameForAll(leaf)

/** Orders fields with few distinct values last. */
const bySelectivity = (left: CheckedComparison, right: CheckedComparison): number =>
  selectivityRank(left.leaf) - selectivityRank(right.leaf)

function selectivityRank(leaf: Leaf): number {
  if (leaf.type === 'system') return 0
  if (leaf.field.kind === 'checkbox') return 2
  return hasSelectOptions(leaf.field) ? 1 : 0
}

/**
 * Fields that the filter limits to a single value, which don't affect the order. Excludes the ID, which always comes
 * last.
 */
export const fixedFields = (where: CheckedNode): ReadonlySet<IndexedField> =>
  new Set(
    comparisonsOfEvery(where)
      .filter((each) => isOwnValue(each) && fixesValue(each))
      .map(({ leaf }) => fieldOf(leaf))
      .filter((field) => field !== 'id'),
  )

/**
 * Sort fields, without the final ID and fields limited to a single value; empty if the sort uses linked titles or
 * lists.
 */
function orderForIndex(sort: CheckedSort, fixed: ReadonlySet<IndexedField>): OrderedField[] {
  if (!sort.every(isOwnPart)) return []
  const order: OrderedField[] = []
  for (const part of sort) {
    const field = fieldOf(part.leaf)
    const before = order.at(-1)
    if (field === 'id' || fixed.has(field)) continue
    if (before?.field !== field)
      order.push({ field, takes: [part.keyType], isDescending: part.isDescending, ...placesOf(part) })
    else if (!before.takes.includes(part.keyType))
      order.splice(-1, 1, { ...before, takes: [...before.takes, part.keyType] })
  }
  return order.slice(0, MAX_ORDER)
}

const placesOf = ({ keyType, leaf }: SortPart): { readonly places?: readonly OptionId[] } =>
  keyType === 'place' ? { places: optionsAt(leaf).map(({ id }) => id) } : {}

/** Excludes text, which is too long for an index whose results must be sorted anyway. */
const isShort = ({ takes }: OrderedField): boolean => !takes.includes('fold')

/**
 * Returns the conditions that narrow down what is read from an index, and the fields of the others; null if some of these
 * can't be checked without reading records.
 */
export function splitByIndex(
  where: CheckedFilter,
  spec: IndexSpec,
): { readonly held: CheckedFilter; readonly others: readonly IndexedField[] | null } {
  const fields = new Set(fieldsOfIndex(spec))
  const isHeld = (node: CheckedNode): boolean =>
    node.type === 'compare' && isOwnValue(node) && (namesValue(node) || isRange(node)) && fields.has(fieldOf(node.leaf))
  const conjuncts = conjunctsOf(where)
  const others = conjuncts
    .filter((node) => !isHeld(node))
    .flatMap(conditionsIn)
    .map((each) => (each.type === 'compare' && isOwnValue(each) && isShortValue(each) ? fieldOf(each.leaf) : null))
  return {
    held: markChecked({ type: 'all', of: conjuncts.filter(isHeld) }),
    others: others.every((field) => field !== null) ? others : null,
  }
}

/** Conditions with more values aren't evaluated using an index. */
const MAX_INDEXED_VALUES = 10

/** Index that can evaluate a condition by itself; null if the row must be read. */
export function indexForCondition(node: CheckedNode): IndexSpec | null {
  if (node.type !== 'compare' || node.test.is !== 'oneOf' || node.test.values.length > MAX_INDEXED_VALUES) return null
  const { steps, leaf } = node
  const isId = leaf.type === 'system' && leaf.field === 'id'
  const isOwn = steps.length === 0 && !isList(leaf) && !isText(leaf) && !isId && isIndexable(leaf)
  return isOwn ? { ...EMPTY_SPEC, equal: [fieldOf(leaf)] } : null
}

export const conjunctsOf = (node: CheckedNode): readonly CheckedNode[] =>
  node.type === 'all' ? node.of.flatMap(conjunctsOf) : [node]

export function indexCovers(have: IndexSpec, want: IndexSpec): boolean {
  // The other columns of an index for lists only save reading records.
  if (want.grouped.length === 0 && (want.range !== null || want.covered.length === 0)) {
    return haveSame(have.equal, want.equal) && have.range === want.range && sameOrder(have, want)
  }
  const held = rawFields(have)
  const [fixed, behind] = [held.slice(0, want.equal.length), held.slice(want.equal.length)]
  const isGrouped = haveSame(behind.slice(0, want.grouped.length), want.grouped)
  return haveSame(fixed, want.equal) && isGrouped && want.covered.every((field) => behind.includes(field))
}

/** Whether conditions on these fields can be checked without reading records. */
export const indexContains = (have: IndexSpec, fields: readonly IndexedField[]): boolean =>
  fields.every((field) => rawFields(have).includes(field))

const haveSame = (left: readonly IndexedField[], right: readonly IndexedField[]): boolean =>
  left.length === right.length && left.every((field) => right.includes(field))

const sameOrder = (have: IndexSpec, want: IndexSpec): boolean =>
  have.grouped.length === 0 && JSON.stringify(have.order) === JSON.stringify(want.order)

/** Fields stored in the index as raw values; among sort fields, only the first one. */
const rawFields = ({ equal, grouped, range, order, covered }: IndexSpec): IndexedField[] => [
  ...equal,
  ...grouped,
  ...(range === null ? [] : [range]),
  ...order.filter(({ places }, at) => places === undefined && (at === 0 || range !== null)).map(({ field }) => field),
  ...covered,
]

export const fieldsOfIndex = ({ equal, grouped, range, order, covered }: IndexSpec): IndexedField[] => [
  ...new Set([
    ...equal,
    ...grouped,
    ...(range === null ? [] : [range]),
    ...order.map(({ field }) => field),
    ...covered,
  ]),
]

/** Scanning a smaller collection takes only a few ms. */
export const INDEX_MIN_RECORDS = 5_000

/** Limited because every write updates every index. */
export const MAX_INDEXES = 16

/** In ms. */
export const SLOW_QUERY_MS = 5

const DAY_MS = 24 * 60 * 60 * 1000

/** In ms. */
const UNUSED_AFTER_MS = 30 * DAY_MS

/** In ms; once the limit is reached, an index unused for this long can be replaced. */
const REPLACEABLE_AFTER_MS = DAY_MS

export type KnownIndex = { readonly id: string; readonly spec: IndexSpec; readonly usedAt: string }

export type IndexDecision =
  | { readonly type: 'served'; readonly by: string }
  | { readonly type: 'build'; readonly insteadOf: string | null }
  | { readonly type: 'full' }

/**
 * Decides whether to use an existing index, build a new one, replace the least recently used one, or do nothing because
 * the limit is reached.
 */
export function decideIndex(want: IndexSpec, have: readonly KnownIndex[], now: Date): IndexDecision {
  const serving = have.find(({ spec }) => indexCovers(spec, want))
  if (serving) return { type: 'served', by: serving.id }
  if (have.length < MAX_INDEXES) return { type: 'build', insteadOf: null }

  const [idlest] = have.toSorted((left, right) => Date.parse(left.usedAt) - Date.parse(right.usedAt))
  const isIdle = idlest !== undefined && now.getTime() - Date.parse(idlest.usedAt) >= REPLACEABLE_AFTER_MS
  return isIdle ? { type: 'build', insteadOf: idlest.id } : { type: 'full' }
}

export const isUnused = ({ usedAt }: Pick<KnownIndex, 'usedAt'>, now: Date): boolean =>
  now.getTime() - Date.parse(usedAt) >= UNUSED_AFTER_MS
