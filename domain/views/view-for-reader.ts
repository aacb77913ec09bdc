import { fieldById } from '#domain/collections/collection.ts'
import { isSystemField } from '#domain/fields/system-fields.ts'
import { namesRemovedOption } from '#domain/query/check/check-condition.ts'
import { checkFilter } from '#domain/query/check/check-filter.ts'
import type { Comparison, Filter } from '#domain/query/filter/filter.ts'
import { checkGroupQuery } from '#domain/query/list/group.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import type { QueryContext } from '#domain/query/check/query-context.ts'
import { checkRecordsQuery } from '#domain/query/list/records-query.ts'
import { comparisonsOf, filterByName, partsOfPath } from '#domain/query/filter/saved-filter.ts'
import { renamedLayout, type ViewMaker } from './check-view.ts'
import { isManualOrder } from './manual-order.ts'
import { renameDisplay, type ViewDisplay } from './view-kinds.ts'
import type { ColorRule, ViewContent, ViewKey, ViewLayout, ViewAppearance } from './view.ts'

/** Settings of a view that can be affected by deletions. */
export type ViewPart = 'filter' | 'sort' | 'group' | 'colors' | 'display'

type ShownColor = {
  readonly filter: string
  readonly color: ColorRule['color']
  /** null: colors the whole row. */
  readonly field: string | null
}

/** View as shown to one reader, with names instead of IDs. */
export type ShownView = {
  readonly query: { readonly filter: string; readonly search: string; readonly sort: string; readonly group: string }
  readonly display: ViewDisplay
  readonly layout: ViewLayout
  readonly look: Omit<ViewAppearance, 'colors'> & { readonly colors: readonly ShownColor[] }
  readonly pageSize: ViewContent['pageSize']
  /**
   * False if the filter uses fields that the reader can't read; the filter is then omitted and the view shows no
   * records.
   */
  readonly isUsable: boolean
  /** False if any part of the view is hidden from this reader. */
  readonly isWhole: boolean
  /** View settings omitted because they refer to a deleted field or option. */
  readonly fellAway: readonly ViewPart[]
}

/** Returns a view without references to deleted or unreadable fields and options. */
export function viewForReader(view: ViewContent, reader: ViewMaker): ShownView {
  const reading: ViewReading = { reader, everything: { ...reader, decisionFor: () => OPEN } }
  const filter = readWhole(view.query.filter, reading)
  const sort = readKeys(view.query.sort, reading, sortsBy)
  const group = readKeys(view.query.group, reading, groupsBy)
  const colors = view.look.colors.map((color) => readColor(color, reading))
  const display = readDisplayFields(view.display, reader)
  const parts: readonly [ViewPart, boolean][] = [
    ['filter', filter.isCut],
    ['sort', sort.isCut],
    ['group', group.isCut],
    ['colors', colors.some(({ isCut }) => isCut)],
    ['display', display.isCut],
  ]
  const isUsable = filter.isSeen
  return {
    query: {
      filter: isUsable ? textOf(filter.tree, reader) : '',
      search: isUsable ? view.query.search : '',
      sort: isUsable ? sort.text : '',
      group: isUsable ? group.text : '',
    },
    display: display.shown,
    layout: shownLayout(view.layout, reader),
    look: {
      ...view.look,
      colors: colors.flatMap(({ color, field, tree, isSeen }) =>
        tree !== null && isSeen ? [{ filter: textOf(tree, reader), color, field }] : [],
      ),
    },
    pageSize: view.pageSize,
    isUsable,
    isWhole: isUsable && sort.isSeen && group.isSeen && display.isSeen && colors.every(({ isSeen }) => isSeen),
    fellAway: isUsable ? parts.flatMap(([part, isCut]) => (isCut ? [part] : [])) : [],
  }
}

const OPEN = { allowed: true, hiddenFields: new Set<string>() } as const

/** The reader's query context and one that can read everything; references that are invalid in both were deleted. */
type ViewReading = { readonly reader: ViewMaker; readonly everything: QueryContext }

type ReadFilter = { readonly tree: Filter | null; readonly isCut: boolean; readonly isSeen: boolean }

const NOTHING: ReadFilter = { tree: null, isCut: false, isSeen: true }

/** Fast path: usually nothing is missing, so one check is enough. */
function readWhole(filter: Filter | null, reading: ViewReading): ReadFilter {
  if (filter === null) return NOTHING
  const { reader } = reading
  const isThere = !comparisonsOf(filter).some((comparison) => namesRemovedOption(comparison, reader))
  if (isThere && checkFilter(filter, reader).ok) return { tree: filter, isCut: false, isSeen: true }
  return readFilter(filter, reading)
}

function readFilter(filter: Filter, reading: ViewReading): ReadFilter {
  if ('all' in filter) return joined(filter.all, reading, (all) => ({ all }))
  if ('any' in filter) return joined(filter.any, reading, (any) => ({ any }))
  const kept = 'formula' in filter ? filter : withoutRemovedOptions(filter, reading.reader)
  if (kept === null || !checkFilter(kept, reading.everything).ok) return { tree: null, isCut: true, isSeen: true }
  return { tree: kept, isCut: kept !== filter, isSeen: checkFilter(kept, reading.reader).ok }
}

function joined(of: readonly Filter[], reading: ViewReading, join: (parts: readonly Filter[]) => Filter): ReadFilter {
  const read = of.map((part) => readFilter(part, reading))
  const parts = read.flatMap(({ tree }) => tree ?? [])
  return {
    // An originally empty filter group is valid, but a group that lost all its conditions is dropped.
    tree: parts.length === 0 && of.length > 0 ? null : join(parts),
    isCut: read.some(({ isCut }) => isCut),
    isSeen: read.every(({ isSeen }) => isSeen),
  }
}

/** Drops deleted options from a list, and the comparison if no options remain. */
function withoutRemovedOptions(comparison: Comparison, reader: ViewMaker): Comparison | null {
  if (!namesRemovedOption(comparison, reader)) return comparison
  const { field, op, value } = comparison
  if (op !== 'in' || !Array.isArray(value)) return null
  const left = value.filter((one) => !namesRemovedOption({ field, op, value: [one] }, reader))
  return left.length === 0 ? null : { field, op, value: left }
}

const textOf = (tree: Filter | null, reader: ViewMaker): string =>
  tree === null ? '' : printFilter(filterByName(tree, reader))

type ReadColor = ReadFilter & Pick<ShownColor, 'color' | 'field'>

/** Drops a color rule if its field was deleted. */
function readColor({ filter, color, field: id }: ColorRule, reading: ViewReading): ReadColor {
  const read = readWhole(filter, reading)
  if (id === undefined) return { ...read, color, field: null }
  const { collection, hiddenFields } = reading.reader
  const name = isSystemField(id) ? id : fieldById(collection, id)?.name
  if (name === undefined) return { tree: null, isCut: true, isSeen: read.isSeen, color, field: null }
  return { ...read, isSeen: read.isSeen && !hiddenFields.has(id), color, field: name }
}

type ReadKeys = { readonly text: string; readonly isCut: boolean; readonly isSeen: boolean }

function readKeys(
  keys: readonly ViewKey[],
  { reader, everything }: ViewReading,
  fits: (key: string, context: QueryContext) => boolean,
): ReadKeys {
  const isAllSeen = keys.length === 0 || fits(keys.map(writtenKey).join(','), reader)
  const there = isAllSeen ? keys : keys.filter((key) => fits(writtenKey(key), everything))
  const seen = isAllSeen ? keys : there.filter((key) => fits(writtenKey(key), reader))
  return {
    text: seen.map((key) => writtenKey({ ...key, path: namesOfPath(key.path, reader) })).join(','),
    isCut: there.length < keys.length,
    isSeen: seen.length === there.length,
  }
}

const writtenKey = ({ path, isDescending }: ViewKey): string => (isDescending ? `-${path}` : path)

const namesOfPath = (path: string, reader: ViewMaker): string =>
  isManualOrder(path) ? path : fieldNamesOf(path, reader)

const fieldNamesOf = (path: string, reader: ViewMaker): string =>
  (partsOfPath(path, reader) ?? []).map(({ leaf }) => (leaf.type === 'field' ? leaf.field.name : leaf.field)).join('.')

const sortsBy = (sort: string, context: QueryContext): boolean =>
  checkRecordsQuery({ sort, page: 1, perPage: 1 }, context).ok

const groupsBy = (by: string, context: QueryContext): boolean => checkGroupQuery({ by, perPage: 1 }, context).ok

const shownLayout = (layout: ViewLayout, reader: ViewMaker): ViewLayout =>
  renamedLayout(layout, (field) => nameForReader(field, reader))

/** undefined if the field is hidden or deleted. */
const nameForReader = (field: string, { collection, hiddenFields }: ViewMaker): string | undefined => {
  if (isSystemField(field)) return field
  return hiddenFields.has(field) ? undefined : fieldById(collection, field)?.name
}

function readDisplayFields(display: ViewDisplay, reader: ViewMaker) {
  const missing: string[] = []
  const shown = renameDisplay(display, (field) => nameForReader(field, reader) ?? void missing.push(field))
  const isDeleted = (field: string) => fieldById(reader.collection, field) === undefined
  return { shown, isCut: missing.some(isDeleted), isSeen: missing.every(isDeleted) }
}

/** Merges a layout saved by a user who can't see every field; hidden fields keep their settings. */
export function keepHiddenLayout(saved: ViewLayout, before: ViewLayout, hiddenFields: ReadonlySet<string>): ViewLayout {
  const unseen = renamedLayout(before, (field) => (hiddenFields.has(field) ? field : undefined))
  return {
    order: [...saved.order, ...unseen.order],
    hidden: [...saved.hidden, ...unseen.hidden],
    frozen: [...saved.frozen, ...unseen.frozen],
    widthsPx: { ...saved.widthsPx, ...unseen.widthsPx },
    footers: { ...saved.footers, ...unseen.footers },
  }
}
