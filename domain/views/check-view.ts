import { fieldById, fieldByName } from '../collections/collection.ts'
import { isSystemField } from '../fields/system-fields.ts'
import { REMOVED_OPTION_MESSAGE, namesRemovedOption } from '../query/check/check-condition.ts'
import type { Filter } from '../query/filter/filter.ts'
import { type CheckedGroupQuery, checkGroupQuery } from '../query/list/group.ts'
import { parseFilter } from '../query/filter/parse-filter.ts'
import type { QueryContext } from '../query/check/query-context.ts'
import { type CheckedRecordsQuery, checkRecordsQuery } from '../query/list/records-query.ts'
import { comparisonsOf, filterById, partsOfPath } from '../query/filter/saved-filter.ts'
import { parseSort } from '../query/list/sort.ts'
import type { FieldId } from '../shared/ids.ts'
import type { PartProblem } from '../shared/problem.ts'
import { type Result, fail, ok } from '../shared/result.ts'
import { MANUAL_ORDER } from './manual-order.ts'
import { displayProblem, renameDisplay, type ViewDisplay } from './view-kinds.ts'
import type { ColorRule, ViewKey, ViewLayout, ViewAppearance, ViewQuery } from './view.ts'

/** Accepts names or IDs, and a filter as text or a tree. */
export type QueryDraft = {
  readonly filter: string | Filter
  readonly search: string
  readonly sort: string
  readonly group: string
}

export type AppearanceDraft = Omit<ViewAppearance, 'colors'> & {
  readonly colors: readonly {
    readonly filter: string | Filter
    readonly color: ColorRule['color']
    readonly field: string | null
  }[]
}

/** Query context of the user who saves a view, and the fields hidden from them. */
export type ViewMaker = QueryContext & { readonly hiddenFields: ReadonlySet<FieldId> }

/** Query in stored form, validated for the user who saves it. */
export type CheckedViewQuery = {
  readonly kept: ViewQuery
  readonly query: CheckedRecordsQuery
  readonly grouping: CheckedGroupQuery | null
}

/** Validates a query like a list query and converts names to IDs. */
export function checkViewQuery(draft: QueryDraft, maker: ViewMaker): Result<CheckedViewQuery, PartProblem> {
  const { filter, search, group } = draft
  // A copy of a view has an order of its own.
  const sort = draft.sort.replaceAll(/@manual:\w+/g, MANUAL_ORDER)
  const isGrouped = group.trim() !== ''
  const keys = { sort: keysById(sort, maker), group: keysById(group, maker) }
  const grouping = isGrouped ? checkGroupQuery({ by: group, perPage: 1 }, maker) : ok(null)
  if (!grouping.ok) return fail(partProblem(grouping.fault))
  const several = grouping.value?.by.find(({ entries }) => entries !== undefined)
  if (several)
    return fail({
      path: 'query.group',
      code: 'invalid-group',
      message: `A list shows each record once, so it can’t be grouped by “${several.name}”, which can have several values. Group by a lookup instead.`,
    })
  const query = checkRecordsQuery({ filter, search, sort: listOrder({ sort, group }), page: 1, perPage: 1 }, maker)
  if (!query.ok) return fail(partProblem(query.fault))
  const tree = storedFilter(filter, maker, 'query.filter')
  if (!tree.ok) return tree
  return ok({
    kept: { filter: tree.value, search: search.trim(), ...keys },
    query: query.value,
    grouping: grouping.value,
  })
}

/** Sorts by group fields first, so that groups stay together. */
function listOrder({ sort, group }: Pick<QueryDraft, 'sort' | 'group'>): string {
  return [group, sort].filter((part) => part.trim() !== '').join(',')
}

export function checkViewLook(draft: AppearanceDraft, maker: ViewMaker): Result<ViewAppearance, PartProblem> {
  const colors: ColorRule[] = []
  for (const [at, { filter, color, field: name }] of draft.colors.entries()) {
    const path = `look.colors.${at}.filter`
    const checked = checkRecordsQuery({ filter, page: 1, perPage: 1 }, maker)
    if (!checked.ok) return fail({ ...partProblem(checked.fault), path })
    const tree = storedFilter(filter, maker, path)
    if (!tree.ok) return tree
    const field = name === null ? undefined : idOfField(name, maker)
    if (name !== null && field === undefined) return fail(unknownField(name, `look.colors.${at}.field`, maker))
    if (tree.value !== null) colors.push({ filter: tree.value, color, ...(field !== undefined && { field }) })
  }
  return ok({ ...draft, colors })
}

/** Converts names to IDs; hidden fields are rejected as unknown. */
export function checkViewLayout(draft: ViewLayout, maker: ViewMaker): Result<ViewLayout, PartProblem> {
  const named = [
    ...draft.order.map((name) => ({ name, path: 'layout.order' })),
    ...draft.hidden.map((name) => ({ name, path: 'layout.hidden' })),
    ...draft.frozen.map((name) => ({ name, path: 'layout.frozen' })),
    ...Object.keys(draft.widthsPx).map((name) => ({ name, path: 'layout.widthsPx' })),
    ...Object.keys(draft.footers).map((name) => ({ name, path: 'layout.footers' })),
  ]
  const unknown = named.find(({ name }) => idOfField(name, maker) === undefined)
  if (unknown) return fail(unknownField(unknown.name, unknown.path, maker))
  return ok(renamedLayout(draft, (name) => idOfField(name, maker)))
}

/** Converts names to IDs and validates the options for the collection. */
export function checkViewDisplay(draft: ViewDisplay, maker: ViewMaker): Result<ViewDisplay, PartProblem> {
  const unknown: string[] = []
  const display = renameDisplay(draft, (name) => idOfField(name, maker) ?? void unknown.push(name))
  if (unknown[0] !== undefined) return fail(unknownField(unknown[0], 'display.options', maker))
  const problem = displayProblem(display, maker.collection)
  return problem ? fail({ ...problem, code: 'definition-invalid' }) : ok(display)
}

/** ID of a field; undefined if the field doesn't exist for this user. */
function idOfField(name: string, { collection, hiddenFields }: ViewMaker): string | undefined {
  if (isSystemField(name)) return name
  const id = (fieldByName(collection, name) ?? fieldById(collection, name))?.id
  return id !== undefined && !hiddenFields.has(id) ? id : undefined
}

const unknownField = (name: string, path: string, { collection }: ViewMaker): PartProblem => ({
  path,
  code: 'unknown-field',
  message: `There is no field “${name.slice(0, 80)}” in ${collection.label}.`,
})

/** Renames fields; fields without a new name are omitted. */
export function renamedLayout(layout: ViewLayout, rename: (field: string) => string | undefined): ViewLayout {
  const list = (fields: readonly string[]): string[] => [...new Set(fields.flatMap((field) => rename(field) ?? []))]
  const entries = <Value>(of: { readonly [field: string]: Value }): { [field: string]: Value } =>
    Object.fromEntries(
      Object.entries(of).flatMap(([field, value]) => {
        const name = rename(field)
        return name === undefined ? [] : [[name, value]]
      }),
    )
  return {
    order: list(layout.order),
    hidden: list(layout.hidden),
    frozen: list(layout.frozen),
    widthsPx: entries(layout.widthsPx),
    footers: entries(layout.footers),
  }
}

/** null for an empty filter. */
function storedFilter(filter: string | Filter, maker: ViewMaker, path: string): Result<Filter | null, PartProblem> {
  const tree = treeOf(filter)
  if (tree === null) return ok(null)
  if (comparisonsOf(tree).some((comparison) => namesRemovedOption(comparison, maker)))
    return fail({ path, code: 'invalid-filter', message: REMOVED_OPTION_MESSAGE })
  return ok(filterById(tree, maker))
}

function treeOf(filter: string | Filter): Filter | null {
  if (typeof filter !== 'string') return 'all' in filter && filter.all.length === 0 ? null : filter
  const parsed = filter.trim() === '' ? undefined : parseFilter(filter)
  return parsed?.ok === true ? parsed.value.filter : null
}

/**
 * Parses text such as `-amount,author.name` to sort or group keys with field IDs; the caller must validate the text
 * first.
 */
const keysById = (text: string, maker: ViewMaker): ViewKey[] =>
  parseSort(text).map(({ path, isDescending }) => {
    const ids = partsOfPath(path, maker)?.map(({ leaf }) => (leaf.type === 'field' ? leaf.field.id : leaf.field))
    return { path: ids?.join('.') ?? path, isDescending }
  })

const partProblem = (fault: {
  readonly path: string
  readonly code: string
  readonly message: string
  readonly position?: number
}): PartProblem => ({ ...fault, path: `query.${fault.path}` })
