import { type SelectOption, canSortBy, holdsList, shapeOf } from '#domain/fields/field.ts'
import type { CollectionRecord } from '../../records/record.ts'
import { type KeyValue, compareKeys } from '../../shared/compare-values.ts'
import { type Result, fail, ok } from '../../shared/result.ts'
import { isManualOrder, MANUAL_ORDER, type ManualOrder } from '../../views/manual-order.ts'
import type { ViewId } from '../../views/view.ts'
import {
  type Leaf,
  type Source,
  type Step,
  isIndexable,
  leafOf,
  readableAt,
  systemLeaf,
  optionField,
} from '../check/checked-filter.ts'
import { nodeMatches } from '../run/matches.ts'
import { type QueryEnvironment, type QueryFault, invalidQuery } from '../check/query-context.ts'
import { MAX_SORT_KEYS } from '../query-limits.ts'
import { kindOfLeaf } from '../filter/read-literal.ts'
import { type LeafValue, type Lookup, leafValues, relatedRecords } from '../run/read-values.ts'
import { resolvePath, resolveTitle, visibleRelation } from '../check/resolve-path.ts'

/**
 * How a sort key is derived; see `partsOf`. Checkboxes sort as 0 and 1; for users, `fold` is the folded name; `places`
 * contains the positions of all options as sortable text.
 */
export type SortKeyType = 'value' | 'fold' | 'place' | 'places' | 'count' | 'manual'

/** Component of a sort key, computed in SQL or in memory; for lists, it is taken from the first visible record. */
export type SortPart = Source & {
  readonly keyType: SortKeyType
  readonly isDescending: boolean
  /** The view whose manual order is used, for `manual`. */
  readonly view?: ViewId
}

/** Sort key components in order; the last one is unique: the record ID or its key in a manual order. */
export type CheckedSort = readonly SortPart[]

/** A leading `-`, as in `-amount`, means descending. */
export type SortItem = { readonly path: string; readonly isDescending: boolean; readonly position: number }

/** Parses `-amount,title`. */
export function parseSort(text: string): readonly SortItem[] {
  if (text.trim() === '') return []
  return splitList(text).map(({ text: name, position }) => ({
    path: name.replace(/^[+-]/, ''),
    isDescending: name.startsWith('-'),
    position,
  }))
}

export function splitList(text: string): readonly { readonly text: string; readonly position: number }[] {
  let position = 0
  return text.split(',').map((part) => {
    const start = position + (part.length - part.trimStart().length)
    position += part.length + 1
    return { text: part.trim(), position: start }
  })
}

export function checkSort(
  text: string,
  environment: QueryEnvironment,
  manualOrder?: ManualOrder,
): Result<CheckedSort, QueryFault> {
  const items = parseSort(text)
  const tooMany = items[MAX_SORT_KEYS]
  if (tooMany) return invalidQuery('sort', `Can’t sort by more than ${MAX_SORT_KEYS} fields.`, tooMany.position)

  const parts: SortPart[] = []
  for (const item of items) {
    const own = isManualOrder(item.path) ? manualParts(item, environment, manualOrder) : partsOfItem(item, environment)
    if (!own.ok) return invalidQuery('sort', own.fault, item.position)
    parts.push(...own.value)
  }
  return ok(endWithId(parts))
}

export function partsOfItem(
  { path, isDescending }: SortItem,
  environment: QueryEnvironment,
): Result<SortPart[], string> {
  if (path === '') return fail('Specify a field name.')
  const source = resolvePath(path, environment)
  if (!source.ok) return source
  const { leaf } = source.value
  if (leaf.type === 'field' && !canSortBy(leaf.field))
    return fail(`Can’t sort by “${path}”: JSON values have no sort order.`)
  return ok(partsOf(source.value, isDescending, environment))
}

/** A view being saved can't name itself yet. The order of an earlier time isn't known. */
function manualParts(
  { path, isDescending }: SortItem,
  { context }: QueryEnvironment,
  order: ManualOrder | undefined,
): Result<SortPart[], string> {
  if (isDescending) return fail('A manual order can’t be reversed.')
  if (path === MANUAL_ORDER) return ok([])
  if (!order || path !== `${MANUAL_ORDER}:${order.view}`)
    return fail('This list can’t be sorted by the order of a view.')
  return ok(order.isEmpty || context.isPast ? [] : [manualPart(order.view)])
}

const manualPart = (view: ViewId): SortPart => ({ ...BY_ID, keyType: 'manual', view })

/** The ID makes sort keys unique, so anything after it would have no effect. */
export function endWithId(parts: readonly SortPart[]): CheckedSort {
  const first = parts.findIndex(
    ({ steps, leaf }) => steps.length === 0 && leaf.type === 'system' && leaf.field === 'id',
  )
  return first === -1 ? [...parts, BY_ID] : parts.slice(0, first + 1)
}

const BY_ID: SortPart = { steps: [], leaf: systemLeaf('id'), keyType: 'value', isDescending: false }

/**
 * Sort order: text by folded form, then by exact text; rich text by folded form; selects by option position,
 * multi-selects by all positions; relations by first title and users by name, then by ID; files by count.
 */
export function partsOf(source: Source, isDescending: boolean, environment: QueryEnvironment): SortPart[] {
  const part = (from: Source, keyType: SortKeyType): SortPart => ({
    steps: from.steps,
    leaf: from.leaf,
    keyType,
    isDescending,
  })
  if (source.leaf.type === 'system') {
    return kindOfLeaf(source.leaf) === 'user' ? [part(source, 'fold'), part(source, 'value')] : [part(source, 'value')]
  }
  const { field } = source.leaf
  switch (shapeOf(field)) {
    case 'text':
    case 'person':
      return [part(source, 'fold'), part(source, 'value')]
    case 'document':
      return [part(source, 'fold')]
    case 'option':
      return [part(source, holdsList(field) ? 'places' : 'place')]
    case 'file':
      return [part(source, 'count')]
    case 'record': {
      const title = resolveTitle(source, environment)
      // Distinguishes linked records that have the same title or a hidden title.
      const own = part(visibleRelation(source, environment), 'value')
      return [...(title ? partsOf(title, isDescending, environment) : []), own]
    }
    case 'number':
    case 'boolean':
    case 'date':
    case 'date-time':
    case 'json':
    case 'formula':
      return [part(source, 'value')]
  }
}

export const sortKeyOf = (sort: CheckedSort, record: CollectionRecord, lookup: Lookup): readonly KeyValue[] =>
  sort.map((part) => keyValueOf(part, record, lookup))

export function compareSortKeys(sort: CheckedSort, left: readonly KeyValue[], right: readonly KeyValue[]): number {
  return compareKeys(
    left,
    right,
    sort.map(({ isDescending }) => isDescending),
  )
}

function keyValueOf(part: SortPart, record: CollectionRecord, lookup: Lookup): KeyValue {
  if (part.view !== undefined) return lookup.manualKeyOf(part.view, record.id) ?? record.id
  const reached = firstAlong(part.steps, record, lookup)
  if (!reached) return null
  const values = leafValues(part.leaf, reached, lookup, nodeMatches)
  if (part.keyType === 'count') return values.length === 0 ? null : values.length

  if (part.keyType === 'places') return printPlaces(part, values)

  const [first] = values
  if (!first) return null
  if (part.keyType === 'fold') return first.readable()
  if (part.keyType === 'place') return placeOf(part, String(first.scalar))
  return typeof first.scalar === 'boolean' ? Number(first.scalar) : first.scalar
}

/** A deleted option sorts as empty. */
function placeOf({ leaf }: SortPart, choice: string): number | null {
  const place = optionsAt(leaf).findIndex(({ id }) => id === choice)
  return place === -1 ? null : place
}

export const optionsAt = (leaf: Leaf): readonly SelectOption[] => optionField(leaf)?.options.choices ?? []

/** Fixed width, so that concatenated positions sort like the list of positions; a field has at most 1,000 options. */
export const printPlace = (place: number): string => String(place).padStart(4, '0')

function printPlaces(part: SortPart, values: readonly LeafValue[]): string | null {
  const places = values.map(({ scalar }) => placeOf(part, String(scalar))).filter((place) => place !== null)
  return places.length === 0 ? null : places.map(printPlace).join('')
}

function firstAlong(steps: readonly Step[], record: CollectionRecord, lookup: Lookup): CollectionRecord | undefined {
  return steps.reduce<CollectionRecord | undefined>(
    (from, step) => from && relatedRecords(step, from, lookup, nodeMatches)[0],
    record,
  )
}

/**
 * Whether a sort key component depends only on the record's own row, so that it can be indexed; user names don't.
 */
export function isOwnPart({ steps, leaf, keyType }: SortPart): boolean {
  const isList = leaf.type === 'field' && holdsList(leaf.field)
  const isNamed = keyType === 'fold' && kindOfLeaf(leaf) === 'user'
  const isOwn = steps.length === 0 && keyType !== 'manual'
  return isOwn && !isList && !isNamed && readableAt(leaf) === null && isIndexable(leaf)
}

/** Non-nullable sort keys can use an index in either direction. */
export function isNeverEmpty({ steps, leaf }: SortPart): boolean {
  if (steps.length > 0) return false
  if (leaf.type === 'field') return leaf.field.kind === 'checkbox' && leaf.readable === null
  return leaf.field === 'id' || leaf.field === 'createdAt' || leaf.field === 'updatedAt'
}

export function isNumberPart({ keyType, leaf }: SortPart): boolean {
  if (keyType === 'place' || keyType === 'count') return true
  if (keyType === 'fold' || keyType === 'places' || leaf.type === 'system') return false
  return ['number', 'boolean'].includes(shapeOf(leaf.field))
}

/** Sort that starts with the names of linked records or users. */
export type LinkedNameOrder = {
  /** Field whose value determines the name: equal values have equal names. */
  readonly leaf: Leaf
  /** Sort key components that depend only on the value of `leaf`. */
  readonly named: CheckedSort
  /** Remaining sort key components, read from the record's own row. */
  readonly rest: CheckedSort
}

/** Returns undefined if the sort doesn't start with linked names, or if it contains lists. */
export function linkedNameOrder(sort: CheckedSort): LinkedNameOrder | undefined {
  const leaf = sort[0] && pointerOf(sort[0])
  if (!leaf) return undefined
  const end = sort.findIndex((part) => !isSame(pointerOf(part), leaf))
  const [named, rest] = [sort.slice(0, end), sort.slice(end)]
  return rest.length > 0 && rest.every(isOwnPart) ? { leaf, named, rest } : undefined
}

const isSame = (left: Leaf | undefined, right: Leaf): boolean =>
  left !== undefined && left.type === right.type && nameOf(left) === nameOf(right)

const nameOf = (leaf: Leaf): string => (leaf.type === 'field' ? leaf.field.id : leaf.field)

/** Single-value reference field that a sort key component depends on. */
function pointerOf({ steps, leaf }: SortPart): Leaf | undefined {
  const [first, ...others] = steps
  if (others.length > 0) return undefined
  if (first)
    return first.isReverse || first.relation.options.many || first.readable !== null
      ? undefined
      : leafOf(first.relation, first.readable)
  if (readableAt(leaf) !== null) return undefined
  const isMany = leaf.type === 'field' && 'many' in leaf.field.options && leaf.field.options.many
  const kind = kindOfLeaf(leaf)
  return !isMany && (kind === 'relation' || kind === 'user') ? leaf : undefined
}
