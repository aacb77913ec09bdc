import type { ViewBody } from '#api/views.ts'
import { MAX_GROUP_FIELDS } from '#domain/query/query-limits.ts'
import { viewOfManualOrder } from '#domain/views/manual-order.ts'
import { type PageSize, TABLE } from '#domain/specification.ts'

export type SortKey = { readonly field: string; readonly direction: 'asc' | 'desc' }

export type ListQuery = {
  /** The active view's ID; `all` for no view. */
  readonly view: string | null
  readonly filter: string
  readonly search: string
  readonly sort: readonly SortKey[]
  /** Comma-separated field names, outermost group first: `status,owner`. */
  readonly group: string | null
  readonly page: number
  readonly perPage: PageSize
  /** The time as of which the records are shown; null: now. */
  readonly asOf: string | null
  /** Shows the records as a grid, whatever the layout is, for example the records of a chart. */
  readonly layout: 'grid' | null
  /** The day that a calendar or timeline shows; null: today. */
  readonly day: string | null
  /** The period of a calendar or the zoom of a timeline; null: that of the view. */
  readonly period: string | null
}

export type ListQueryParams = { readonly [name: string]: string | undefined }

export const DEFAULT_LIST_QUERY: ListQuery = {
  view: null,
  filter: '',
  search: '',
  sort: [],
  group: null,
  page: 1,
  perPage: TABLE.defaultPageSize,
  asOf: null,
  layout: null,
  day: null,
  period: null,
}

/** The server rejects longer page numbers. */
const PAGE = /^[1-9]\d{0,8}$/

/** Parses the parameters of a list URL; missing or invalid ones default to those of the view. */
export function parseListQuery(parts: ListQueryParams, base: ListQuery = DEFAULT_LIST_QUERY): ListQuery {
  const { view = '', filter = base.filter, search = base.search, sort, group, page = '', perPage = '' } = parts
  const size = pageSizeOf(perPage) ?? (page === '' || base.view !== null ? base.perPage : TABLE.defaultPageSize)
  return {
    view: view === '' ? null : view,
    filter,
    search,
    sort: sort === undefined ? base.sort : readSort(sort),
    group: readGroup(group, base),
    page: PAGE.test(page) && size !== 'all' ? Number(page) : 1,
    perPage: size,
    asOf: readTime(parts['asOf']),
    ...displayOf(parts),
  }
}

const displayOf = ({ layout, day, period }: ListQueryParams): Pick<ListQuery, 'layout' | 'day' | 'period'> => ({
  layout: layout === 'grid' ? layout : null,
  day: day ?? null,
  period: period ?? null,
})

const readTime = (text: string | undefined): string | null =>
  text === undefined || Number.isNaN(Date.parse(text)) ? null : new Date(text).toISOString()

export const pageSizeOf = (text: string | null): PageSize | undefined =>
  TABLE.pageSizes.find((known) => String(known) === text)

const readGroup = (group: string | undefined, base: ListQuery): string | null =>
  group === undefined ? base.group : printGroup(groupNames(group))

export function groupNames(group: string | null): readonly string[] {
  const names = readSort(group ?? '').map(({ field }) => field)
  return names.slice(0, MAX_GROUP_FIELDS)
}

export const printGroup = (names: readonly string[]): string | null => (names.length === 0 ? null : names.join(','))

/**
 * Omits parameters that equal those of the view, so that URLs stay short. A page size stored in this browser is
 * included, so that shared links use it too.
 */
export function printListQuery(query: ListQuery, base: ListQuery = DEFAULT_LIST_QUERY): ListQueryParams {
  const { view, page, perPage, asOf, layout, day, period } = query
  const isOwnSize = base.view === null && perPage !== TABLE.defaultPageSize
  return {
    ...(view !== null && { view }),
    ...printChangedParams(query, base),
    ...(isOwnSize && { perPage: String(perPage) }),
    ...(page > 1 && { page: String(page) }),
    ...(asOf !== null && { asOf }),
    ...(layout !== null && { layout }),
    ...(day !== null && { day }),
    ...(period !== null && { period }),
  }
}

/** The parameters that differ from those of the view. */
export function printChangedParams(
  { filter, search, sort, group, perPage }: ListQuery,
  base: ListQuery,
): ListQueryParams {
  return {
    ...(filter !== base.filter && { filter }),
    ...(search !== base.search && { search }),
    ...(printSort(sort) !== printSort(base.sort) && { sort: printSort(sort) }),
    ...(group !== base.group && { group: group ?? '' }),
    ...(perPage !== base.perPage && { perPage: String(perPage) }),
  }
}

const PARTS = ['view', 'filter', 'search', 'sort', 'group', 'page', 'perPage', 'layout', 'day', 'period'] as const

/** Selects the URL parameters that belong to the list. */
export const listParts = (parts: ListQueryParams): ListQueryParams =>
  Object.fromEntries(PARTS.map((name) => [name, parts[name]]))

/** Parameters that don't determine which records a list contains, nor their order. */
const ABOUT_DISPLAY: ReadonlySet<string> = new Set(['layout', 'day', 'period'])

export const isAboutDisplay = (change: Partial<ListQuery>): boolean =>
  Object.keys(change).every((name) => ABOUT_DISPLAY.has(name))

/** Changes the query; a change of the records or their order returns to the first page. */
export function changedQuery(query: ListQuery, change: Partial<ListQuery>): ListQuery {
  return { ...query, ...(!isAboutDisplay(change) && { page: 1 }), ...change }
}

/** Parses a sort order such as `-amount,title`; ignores repeated fields. */
export function readSort(text: string): readonly SortKey[] {
  const keys = text
    .split(',')
    .map((part) => part.trim())
    .map((part): SortKey => ({ field: part.replace(/^[+-]/, ''), direction: part.startsWith('-') ? 'desc' : 'asc' }))
  return keys.filter(({ field }, at) => field !== '' && keys.findIndex((key) => key.field === field) === at)
}

/** The view whose manual order the list is in. */
export function orderedView({ sort, asOf }: Pick<ListQuery, 'sort' | 'asOf'>): string | undefined {
  return asOf === null
    ? sort.map(({ field }) => viewOfManualOrder(field)).find((view) => view !== undefined)
    : undefined
}

const printSort = (keys: readonly SortKey[]): string =>
  keys.map(({ field, direction }) => (direction === 'desc' ? `-${field}` : field)).join(',')

/** The sort order with group fields first, so that records of a group are adjacent. */
export function listSort({ sort, group }: Pick<ListQuery, 'sort' | 'group'>): string {
  const groups = groupNames(group)
  const keys = groups.map((field): SortKey => sort.find((key) => key.field === field) ?? { field, direction: 'asc' })
  return printSort([...keys, ...sort.filter((key) => !groups.includes(key.field))])
}

export const queryOfView = ({ id, query, pageSize }: ViewBody): ListQuery => ({
  view: id,
  filter: query.filter,
  search: query.search,
  sort: readSort(query.sort),
  group: printGroup(groupNames(query.group)),
  page: 1,
  perPage: pageSize,
  asOf: null,
  layout: null,
  day: null,
  period: null,
})

export const queryToSave = ({ filter, search, sort, group, perPage }: ListQuery) => ({
  query: { filter, search: search.trim(), sort: printSort(sort), group: group ?? '' },
  pageSize: perPage,
})
