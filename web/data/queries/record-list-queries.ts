import { type QueryKey, queryOptions } from '@tanstack/react-query'
import { listRecords, type RecordListItem } from '#api/records.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from './query-client.ts'
import { BLOCK_ROWS } from '#web/ui/grid/rows/row-window.ts'
import { SIGNED_URL_REFRESH_MS } from './record-queries.ts'

/** Records are looked up in a list by so many places at once. */
export const POSITIONS_PER_BLOCK = 50

/** Positions loaded around the current record, for deleted records and fast steps. */
const LOOKUP_RADIUS = 8

/** Ids by their place in a list, as far as they are known. */
type IdAtPosition = (ordinal: number) => string | undefined

/** Where one is in a list. */
export type RecordPosition = { readonly id: string; readonly ordinal: number }

/** The places beside one, and where that is by now. */
export type Neighbors = {
  readonly previous: RecordPosition | undefined
  readonly next: RecordPosition | undefined
  readonly ordinal: number
}

/** The blocks of places that tell what is beside one. */
export function blocksAround(ordinal: number): readonly number[] {
  const first = Math.floor(Math.max(0, ordinal - LOOKUP_RADIUS) / POSITIONS_PER_BLOCK)
  const last = Math.floor((ordinal + LOOKUP_RADIUS) / POSITIONS_PER_BLOCK)
  return first === last ? [first] : [first, last]
}

type NeighborQuery = {
  readonly idAt: IdAtPosition
  readonly id: string
  /** Where it was last known to be. */
  readonly ordinal: number
}

/** The previous and next record in a list. A moved record is found again; for a removed one its successor is next. */
export function neighborsOf({ idAt, id, ordinal }: NeighborQuery): Neighbors {
  // Until its own place is known nothing can be said.
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

/** Which records, in which order; `sort` as the server takes it, the group first. */
export type Listing = { readonly filter: string; readonly search: string; readonly sort: string }

/** What of a listing narrows and orders, without what is empty. */
export const listingParams = ({ filter, search, sort }: Listing) => ({
  ...(filter !== '' && { filter }),
  ...(search.trim() !== '' && { search }),
  ...(sort !== '' && { sort }),
})

/** Requests search highlights with each record. */
const withHighlights = ({ search }: Pick<Listing, 'search'>) =>
  search.trim() === '' ? {} : ({ marks: 'true' } as const)

/** Lists show related records and files as objects, and documents as their words. */
export const FOR_LISTS = { expand: '*', richText: 'text' } as const

/** What was shown before stays until the answer is here, unless it was of another collection. */
export const keepPreviousPage =
  (collection: string) =>
  <Data>(before: Data | undefined, query: { readonly queryKey: QueryKey } | undefined): Data | undefined =>
    query?.queryKey[1] === collection ? before : undefined

/** One page of a list, not counted: it must not wait for that. */
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

/** How many records a list has, as far as it is known. */
export type Counted = { readonly total: number | null; readonly totalIs: 'exact' | 'atLeast' | 'unknown' }

/** How long to wait before a list that could not be counted to its end is asked about again, in ms. */
const RECOUNT_INTERVAL_MS = 5000

/**
 * How many records a list has in all, counted to its end: the server answers it apart from the pages, which never wait
 * for it.
 */
export const totalQuery = (collection: string, { filter, search }: Omit<Listing, 'sort'>) =>
  queryOptions({
    queryKey: queryKeys.recordList(collection, { filter, search, total: true }),
    queryFn: async ({ signal }): Promise<Counted> => {
      const query = { ...listingParams({ filter, search, sort: '' }), perPage: 1, fields: '', count: 'exact' } as const
      const { total, totalIs } = await call(listRecords, { params: { collection }, query, signal })
      return { total, totalIs }
    },
    refetchInterval: ({ state }) => (state.data?.totalIs === 'atLeast' ? RECOUNT_INTERVAL_MS : false),
    // A new count resets the windowed list, which would be annoying after switching windows.
    refetchOnWindowFocus: false,
  })

/** Reads a block of the windowed list: `first` is always the start of a page. */
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

/** The ids of the records at so many places of a list, for going from one to the next. */
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
    // Deleting the last records may leave an empty page; navigation still works.
    retry: false,
  })
