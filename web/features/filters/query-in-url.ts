import { type PageSize, TABLE } from '#domain/specification.ts'

/** One field to sort by, by its name. */
export type SortKey = { readonly field: string; readonly direction: 'asc' | 'desc' }

/** Everything a list shows, as it stands in the address of its page. */
export type AddressQuery = {
  readonly filter: string
  readonly search: string
  readonly sort: readonly SortKey[]
  /** The name of the field by which records are grouped. */
  readonly group: string | null
  readonly page: number
  readonly perPage: PageSize
}

/** The parts of an address as plain text. */
export type AddressParts = { readonly [name: string]: string | undefined }

/** Every record, in the order of its making. */
export const PLAIN_QUERY: AddressQuery = {
  filter: '',
  search: '',
  sort: [],
  group: null,
  page: 1,
  perPage: TABLE.defaultPageSize,
}

/** Longest page number that is believed; the server takes no longer one. */
const PAGE = /^[1-9]\d{0,8}$/

/** Reads what a list shows from its address; what makes no sense there is what it is by default. */
export function readAddress(parts: AddressParts): AddressQuery {
  const { filter = '', search = '', sort = '', group = '', page = '', perPage = '' } = parts
  const size = TABLE.pageSizes.find((known) => String(known) === perPage) ?? TABLE.defaultPageSize
  return {
    filter,
    search,
    sort: readSort(sort),
    group: group === '' ? null : group,
    page: PAGE.test(page) && size !== 'all' ? Number(page) : 1,
    perPage: size,
  }
}

/** The address of a list; what is as by default is left out, so that addresses stay short. */
export function printAddress({ filter, search, sort, group, page, perPage }: AddressQuery): AddressParts {
  return {
    ...(filter !== '' && { filter }),
    ...(search !== '' && { search }),
    ...(sort.length > 0 && { sort: printSort(sort) }),
    ...(group !== null && { group }),
    ...(page > 1 && { page: String(page) }),
    ...(perPage !== TABLE.defaultPageSize && { perPage: String(perPage) }),
  }
}

/** The list after a change: whatever changes which records are shown, or their order, begins at the first page. */
export function changedQuery(query: AddressQuery, change: Partial<AddressQuery>): AddressQuery {
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
const printSort = (keys: readonly SortKey[]): string =>
  keys.map(({ field, direction }) => (direction === 'desc' ? `-${field}` : field)).join(',')

/** What the server sorts by: the group first, so that groups stand together. */
export function listSort({ sort, group }: Pick<AddressQuery, 'sort' | 'group'>): string {
  if (group === null) return printSort(sort)
  const own = sort.find((key) => key.field === group)
  return printSort([own ?? { field: group, direction: 'asc' }, ...sort.filter((key) => key.field !== group)])
}
