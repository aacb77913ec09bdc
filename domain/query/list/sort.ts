import { type SelectOption, canSortBy, hasSelectOptions, holdsList } from '#domain/fields/field.ts'
import type { CollectionRecord } from '../../records/record.ts'
import { type KeyValue, compareKeys } from '../../shared/compare-values.ts'
import { type Result, fail, ok } from '../../shared/result.ts'
import { type Leaf, type Source, type Step, leafOf, readableAt, systemLeaf } from '../check/checked-filter.ts'
import { nodeMatches } from '../run/matches.ts'
import { type QueryEnvironment, type QueryFault, invalidQuery } from '../check/query-context.ts'
import { MAX_SORT_KEYS } from '../query-limits.ts'
import { kindOfLeaf } from '../filter/read-literal.ts'
import { type LeafValue, type Lookup, leafValues, relatedRecords } from '../run/read-values.ts'
import { resolvePath, resolveTitle, visibleRelation } from '../check/resolve-path.ts'

/**
 * What one part of a sort key takes from its leaf: see `partsOf`. Booleans count as 0 and 1. `fold` of a user is their
 * folded name; `places` are those of all choices of a list, as a text that sorts like them.
 */
export type Take = 'value' | 'fold' | 'place' | 'places' | 'count'

/**
 * One part of the key records are sorted by. Through a relation of many it reads the first record that may be reached.
 * Each part is one expression in SQL and one value in memory.
 */
export type SortPart = Source & { readonly take: Take; readonly isDescending: boolean }

/** Everything records are sorted by, from the first part to the last; the last is always the record's id. */
export type CheckedSort = readonly SortPart[]

/** One field to sort by, as it is written: `-amount` is descending. */
export type SortItem = { readonly path: string; readonly isDescending: boolean; readonly position: number }

/** Reads `-amount,title`. */
export function parseSort(text: string): readonly SortItem[] {
  if (text.trim() === '') return []
  return splitList(text).map(({ text: name, position }) => ({
    path: name.replace(/^[+-]/, ''),
    isDescending: name.startsWith('-'),
    position,
  }))
}

/** The parts of a text with commas between them, and where each begins. */
export function splitList(text: string): readonly { readonly text: string; readonly position: number }[] {
  let position = 0
  return text.split(',').map((part) => {
    const start = position + (part.length - part.trimStart().length)
    position += part.length + 1
    return { text: part.trim(), position: start }
  })
}

/** Proves that a sort fits its collection and its actor. */
export function checkSort(text: string, environment: QueryEnvironment): Result<CheckedSort, QueryFault> {
  const items = parseSort(text)
  const tooMany = items[MAX_SORT_KEYS]
  if (tooMany) return invalidQuery('sort', `Can’t sort by more than ${MAX_SORT_KEYS} fields.`, tooMany.position)

  const parts: SortPart[] = []
  for (const item of items) {
    const own = partsOfItem(item, environment)
    if (!own.ok) return invalidQuery('sort', own.fault, item.position)
    parts.push(...own.value)
  }
  return ok(endWithId(parts))
}

/** The parts of one field that is sorted by. */
export function partsOfItem(
  { path, isDescending }: SortItem,
  environment: QueryEnvironment,
): Result<SortPart[], string> {
  if (path === '') return fail('A field name is missing.')
  const source = resolvePath(path, environment)
  if (!source.ok) return source
  const { leaf } = source.value
  if (leaf.type === 'field' && !canSortBy(leaf.field)) return fail(`Can’t sort by “${path}”: JSON has no order.`)
  return ok(partsOf(source.value, isDescending, environment))
}

/** Two records never tie: the id stands last, and behind it nothing can matter any more. */
export function endWithId(parts: readonly SortPart[]): CheckedSort {
  const first = parts.findIndex(
    ({ steps, leaf }) => steps.length === 0 && leaf.type === 'system' && leaf.field === 'id',
  )
  return first === -1 ? [...parts, BY_ID] : parts.slice(0, first + 1)
}

const BY_ID: SortPart = { steps: [], leaf: systemLeaf('id'), take: 'value', isDescending: false }

/**
 * Texts are sorted by their folded form and then by themselves; documents by their folded text; selects by the place of
 * the choice, lists of choices by the places one after the other; relations by the title of their first record and
 * people by the name of the first, each then by the id; files by how many there are.
 */
function partsOf(source: Source, isDescending: boolean, environment: QueryEnvironment): SortPart[] {
  const part = (from: Source, take: Take): SortPart => ({ steps: from.steps, leaf: from.leaf, take, isDescending })
  if (source.leaf.type === 'system') {
    return kindOfLeaf(source.leaf) === 'user' ? [part(source, 'fold'), part(source, 'value')] : [part(source, 'value')]
  }
  switch (source.leaf.field.kind) {
    case 'text':
    case 'long-text':
    case 'email':
    case 'url':
    case 'phone':
    case 'user':
      return [part(source, 'fold'), part(source, 'value')]
    case 'rich-text':
      return [part(source, 'fold')]
    case 'select':
    case 'state':
      return [part(source, 'place')]
    case 'multi-select':
      return [part(source, 'places')]
    case 'files':
      return [part(source, 'count')]
    case 'relation': {
      const title = resolveTitle(source, environment)
      // Records of the same title stay together, and those whose title is out of sight stay apart.
      const own = part(visibleRelation(source, environment), 'value')
      return [...(title ? partsOf(title, isDescending, environment) : []), own]
    }
    case 'number':
    case 'auto-number':
    case 'checkbox':
    case 'date':
    case 'date-time':
    case 'json':
      return [part(source, 'value')]
  }
}

/** The key a record is sorted by. */
export const sortKeyOf = (sort: CheckedSort, record: CollectionRecord, lookup: Lookup): readonly KeyValue[] =>
  sort.map((part) => keyValueOf(part, record, lookup))

/** Orders keys that `sortKeyOf` made. */
export function compareSortKeys(sort: CheckedSort, left: readonly KeyValue[], right: readonly KeyValue[]): number {
  return compareKeys(
    left,
    right,
    sort.map(({ isDescending }) => isDescending),
  )
}

function keyValueOf(part: SortPart, record: CollectionRecord, lookup: Lookup): KeyValue {
  const reached = firstAlong(part.steps, record, lookup)
  if (!reached) return null
  const values = leafValues(part.leaf, reached, lookup, nodeMatches)
  if (part.take === 'count') return values.length === 0 ? null : values.length

  if (part.take === 'places') return printPlaces(part, values)

  const [first] = values
  if (!first) return null
  if (part.take === 'fold') return first.readable()
  if (part.take === 'place') return placeOf(part, String(first.scalar))
  return typeof first.scalar === 'boolean' ? Number(first.scalar) : first.scalar
}

/** The place of a choice among its siblings; one that is gone counts as empty. */
function placeOf({ leaf }: SortPart, choice: string): number | null {
  const place = optionsAt(leaf).findIndex(({ id }) => id === choice)
  return place === -1 ? null : place
}

/** The choices a leaf may hold, in their order. */
export const optionsAt = (leaf: Leaf): readonly SelectOption[] =>
  leaf.type === 'field' && hasSelectOptions(leaf.field) ? leaf.field.options.choices : []

/** A place as a text of fixed length, so that places one after the other sort as the list of them; a field has at most 1000 choices. */
export const printPlace = (place: number): string => String(place).padStart(4, '0')

function printPlaces(part: SortPart, values: readonly LeafValue[]): string | null {
  const places = values.map(({ scalar }) => placeOf(part, String(scalar))).filter((place) => place !== null)
  return places.length === 0 ? null : places.map(printPlace).join('')
}

/** The first record along a path, at each relation the first that may be reached. */
function firstAlong(steps: readonly Step[], record: CollectionRecord, lookup: Lookup): CollectionRecord | undefined {
  return steps.reduce<CollectionRecord | undefined>(
    (from, step) => from && relatedRecords(step, from, lookup, nodeMatches)[0],
    record,
  )
}

/**
 * Whether a part is read in the record's own row: then an index can hold it. Names of people stand elsewhere, and where
 * a field is there in some records only, that is each reader's own matter.
 */
export function isOwnPart({ steps, leaf, take }: SortPart): boolean {
  const isList = leaf.type === 'field' && holdsList(leaf.field)
  const isNamed = take === 'fold' && kindOfLeaf(leaf) === 'user'
  return steps.length === 0 && !isList && !isNamed && readableAt(leaf) === null
}

/** Whether every record has this part. Databases walk an index for it either way, which they do not where empties come last. */
export function isNeverEmpty({ steps, leaf }: SortPart): boolean {
  if (steps.length > 0) return false
  if (leaf.type === 'field') return leaf.field.kind === 'checkbox' && leaf.readable === null
  return leaf.field === 'id' || leaf.field === 'createdAt' || leaf.field === 'updatedAt'
}

/** Whether a part of a key is a number; else it is a text. */
export function isNumberPart({ take, leaf }: SortPart): boolean {
  if (take === 'place' || take === 'count') return true
  if (take === 'fold' || take === 'places' || leaf.type === 'system') return false
  return leaf.field.kind === 'number' || leaf.field.kind === 'auto-number' || leaf.field.kind === 'checkbox'
}

/** An order that begins with the names of what a field points at: titles of related records, names of people. */
export type LinkedNameOrder = {
  /** The field itself: of all records that point at one thing, the names are the same. */
  readonly leaf: Leaf
  /** The parts that depend on the field alone. */
  readonly named: CheckedSort
  /** The parts behind them, which are read in the record's own row. */
  readonly rest: CheckedSort
}

/** Takes an order apart that begins with the names of one field; undefined where it does not, or where lists are in it. */
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

/** The field of one value that a part depends on alone, where it points at something. */
function pointerOf({ steps, leaf }: SortPart): Leaf | undefined {
  const [first, ...others] = steps
  if (others.length > 0) return undefined
  if (first)
    return first.relation.options.many || first.readable !== null ? undefined : leafOf(first.relation, first.readable)
  if (readableAt(leaf) !== null) return undefined
  const isMany = leaf.type === 'field' && 'many' in leaf.field.options && leaf.field.options.many
  const kind = kindOfLeaf(leaf)
  return !isMany && (kind === 'relation' || kind === 'user') ? leaf : undefined
}
