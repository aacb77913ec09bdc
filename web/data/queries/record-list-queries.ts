import { type QueryKey, queryOptions } from '@tanstack/react-query'
import { listRecords, type RecordListItem } from '#api/records.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from './query-client.ts'
import { BLOCK_ROWS } from '#web/ui/grid/rows/row-window.ts'
import { SIGNED_URL_REFRESH_MS } from './record-queries.ts'

/** Number of records per request when looking up records by position. */
export const POSITIONS_PER_BLOCK = 50

/** Number of positions loaded around the current record, to cover deleted records and fast stepping. */
const LOOKUP_RADIUS = 8

type IdAtPosition = (ordinal: number) => string | undefined

export type RecordPosition = { readonly id: string; readonly ordinal: number }

export type Neighbors = {
  readonly previous: RecordPosition | undefined
  readonly next: RecordPosition | undefined
  readonly ordinal: number
}

export function blocksAround(ordinal: number): readonly number[] {
  const first = Math.floor(Math.max(0, ordinal - LOOKUP_RADIUS) / POSITIONS_PER_BLOCK)
  const last = Math.floor((ordinal + LOOKUP_RADIUS) / POSITIONS_PER_BLOCK)
  return first === last ? [first] : [first, last]
}

type NeighborQuery = {
  readonly idAt: IdAtPosition
  readonly id: string
  readonly ordinal: number
}

/**
 * The previous and next record in a list. If the current record moved, it is located again; if it was removed, the
 * record now at its position is next.
 */
export function neighborsOf({ idAt, id, ordinal }: NeighborQuery): Neighbors {
  if (idAt(ordinal) === undefined && idAt(ordinal - 1) === undefined)
    return { previous: undefined, next: undefined, ordinal }
  const now = positionNear(idAt, id, ordinal)
  const step = (from: number, by: 1 | -1): RecordPosition | undefined => {
    for (let at = from; at >= 0; at += by) {
      const found = idAt(at)
      if (found === undefined) return undefined
      if (found !== id) return { id: found, ordinal: at }
    }
    return undefined
  }
  return {
    previous: step((now ?? ordinal) - 1, -1),
    next: step(now === undefined ? ordinal : now + 1, 1),
    ordinal: now ?? ordinal,
  }
}

function positionNear(idAt: IdAtPosition, id: string, ordinal: number): number | undefined {
  for (let far = 0; far <= LOOKUP_RADIUS; far += 1) {
    if (idAt(ordinal - far) === id) return ordinal - far
    if (idAt(ordinal + far) === id) return ordinal + far
  }
  return undefined
}

export type Listing = {
  readonly filter: string
  readonly search: string
  readonly sort: string
  /** The time as of which the records are shown; undefined: now. */
  readonly at?: string | undefined
}

export const listingParams = ({ filter, search, sort, at }: Listing) => ({
  ...(filter !== '' && { filter }),
  ...(search.trim() !== '' && { search }),
  ...(sort !== '' && { sort }),
  ...(at !== undefined && { at }),
})

const withHighlights = ({ search }: Pick<Listing, 'search'>) =>
  search.trim() === '' ? {} : ({ marks: 'true' } as const)

export const FOR_LISTS = { expand: '*', richText: 'text' } as const

/** Shows the previous result until the new one is loaded, unless it belongs to another collection. */
export const keepPreviousPage =
  (collection: string) =>
  <Data>(before: Data | undefined, query: { readonly queryKey: QueryKey } | undefined): Data | undefined =>
    query?.queryKey[1] === collection ? before : undefined

/** Reads one page without the total count, because counting would delay it. */
export const pageQuery = (
  collection: string,
  listing: Listing,
  at: { readonly page: number; readonly perPage: number },
) =>
  queryOptions({
    queryKey: queryKeys.recordList(collection, { ...listing, ...at }),
    queryFn: ({ signal }) =>
      call(listRecords, {
        params: { collection },
        query: { ...listingParams(listing), ...at, ...FOR_LISTS, ...withHighlights(listing), count: 'none' },
        signal,
      }),
    placeholderData: keepPreviousPage(collection),
    refetchInterval: SIGNED_URL_REFRESH_MS,
  })

export type Counted = { readonly total: number | null; readonly totalIs: 'exact' | 'atLeast' | 'unknown' }

/** Interval in ms at which an unfinished count is requested again. */
const RECOUNT_INTERVAL_MS = 5000

/** The exact number of records in a list, requested separately, so that pages don't wait for it. */
export const totalQuery = (collection: string, { filter, search, at }: Omit<Listing, 'sort'>) =>
  queryOptions({
    queryKey: queryKeys.recordList(collection, { filter, search, at, total: true }),
    queryFn: async ({ signal }): Promise<Counted> => {
      const query = {
        ...listingParams({ filter, search, sort: '', at }),
        perPage: 1,
        fields: '',
        count: 'exact',
      } as const
      const { total, totalIs } = await call(listRecords, { params: { collection }, query, signal })
      return { total, totalIs }
    },
    refetchInterval: ({ state }) => (state.data?.totalIs === 'atLeast' ? RECOUNT_INTERVAL_MS : false),
    // Refetching the count on every window focus would reset the windowed list.
    refetchOnWindowFocus: false,
  })

/** Reads a block of the windowed list; `first` must be the start of a page. */
export async function readBlock(
  collection: string,
  listing: Listing,
  first: number,
  signal: AbortSignal,
): Promise<readonly RecordListItem[]> {
  const query = {
    ...listingParams(listing),
    ...FOR_LISTS,
    ...withHighlights(listing),
    page: first / BLOCK_ROWS + 1,
    perPage: BLOCK_ROWS,
    count: 'none',
  } as const
  return (await call(listRecords, { params: { collection }, query, signal })).items
}

export const placesQuery = (collection: string, listing: Listing, block: number) =>
  queryOptions({
    queryKey: queryKeys.recordList(collection, { ...listing, placesOf: block }),
    queryFn: async ({ signal }): Promise<readonly string[]> => {
      const at = { page: block + 1, perPage: POSITIONS_PER_BLOCK, fields: '', count: 'none' } as const
      const { items } = await call(listRecords, {
        params: { collection },
        query: { ...listingParams(listing), ...at },
        signal,
      })
      return items.map(({ id }) => id)
    },
    // A page can become empty when its records are deleted; the user can then go to another page.
    retry: false,
  })
