import { MAX_GROUP_FIELDS } from '#domain/query/query-limits.ts'
import { type PageSize, TABLE } from '#domain/specification.ts'

/** One field to sort by, by its name. */
export type SortKey = { readonly field: string; readonly direction: 'asc' | 'desc' }

/** Everything a list shows, as it stands in the address of its page. */
export type ListQuery = {
  /** The id of the saved view in force; `all` says that there is none. */
  readonly view: string | null
  readonly filter: string
  readonly search: string
  readonly sort: readonly SortKey[]
  /** The names of the fields by which records are grouped, the outermost first: `status,owner`. */
  readonly group: string | null
  readonly page: number
  readonly perPage: PageSize
}

/** The parts of an address as plain text. */
export type ListQueryParams = { readonly [name: string]: string | undefined }

/** Every record, in the order of its making. */
export const DEFAULT_LIST_QUERY: ListQuery = {
  view: null,
  filter: '',
  search: '',
  sort: [],
  group: null,
  page: 1,
  perPage: TABLE.defaultPageSize,
}

/** Longest page number that is believed; the server takes no longer one. */
const PAGE = /^[1-9]\d{0,8}$/

/**
 * Reads what a list shows from its address; what does not stand there, or makes no sense, is as in the view that is in
 * force, or by default.
 */
export function parseListQuery(parts: ListQueryParams, base: ListQuery = DEFAULT_LIST_QUERY): ListQuery {
  const { view = '', filter = base.filter, search = base.search, sort, group, page = '', perPage = '' } = parts
  const size = TABLE.pageSizes.find((known) => String(known) === perPage) ?? base.perPage
  return {
    view: view === '' ? null : view,
    filter,
    search,
    sort: sort === undefined ? base.sort : readSort(sort),
    group: readGroup(group, base),
    page: PAGE.test(page) && size !== 'all' ? Number(page) : 1,
    perPage: size,
  }
}

const readGroup = (group: string | undefined, base: ListQuery): string | null =>
  group === undefined ? base.group : printGroup(groupNames(group))

/** The names of the fields by which records are grouped, the outermost first. */
export function groupNames(group: string | null): readonly string[] {
  const names = readSort(group ?? '').map(({ field }) => field)
  return names.slice(0, MAX_GROUP_FIELDS)
}

/** The inverse of `groupNames`; null for none. */
export const printGroup = (names: readonly string[]): string | null => (names.length === 0 ? null : names.join(','))

/** The address of a list; what is as in the view in force, or by default, is left out, so that addresses stay short. */
export function printListQuery(query: ListQuery, base: ListQuery = DEFAULT_LIST_QUERY): ListQueryParams {
  const { view, page } = query
  return { ...(view !== null && { view }), ...printChangedParams(query, base), ...(page > 1 && { page: String(page) }) }
}

/** What a list shows otherwise than the view in force, or than the plain list. */
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

/** The parts that speak of the list, as they stand in an address that tells more. */
export const listParts = ({ view, filter, search, sort, group, page, perPage }: ListQueryParams): ListQueryParams => ({
  view,
  filter,
  search,
  sort,
  group,
  page,
  perPage,
})

/** The list after a change: whatever changes which records are shown, or their order, begins at the first page. */
export function changedQuery(query: ListQuery, change: Partial<ListQuery>): ListQuery {
  return { ...query, page: 1, ...change }
}

/** Reads `-amount,title`; a field that comes twice counts once. */
export function readSort(text: string): readonly SortKey[] {
  const keys = text
    .split(',')
    .map((part) => part.trim())
    .map((part): SortKey => ({ field: part.replace(/^[+-]/, ''), direction: part.startsWith('-') ? 'desc' : 'asc' }))
  return keys.filter(({ field }, at) => field !== '' && keys.findIndex((key) => key.field === field) === at)
}

/** The inverse of `readSort`. */
export const printSort = (keys: readonly SortKey[]): string =>
  keys.map(({ field, direction }) => (direction === 'desc' ? `-${field}` : field)).join(',')

/** What the server sorts by: the groups first, so that their records stand together. */
export function listSort({ sort, group }: Pick<ListQuery, 'sort' | 'group'>): string {
  const groups = groupNames(group)
  const keys = groups.map((field): SortKey => sort.find((key) => key.field === field) ?? { field, direction: 'asc' })
  return printSort([...keys, ...sort.filter((key) => !groups.includes(key.field))])
}
