import { queryOptions, useQueries, type UseQueryResult } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { listRecords, type RecordListItem } from '#api/records.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { FOR_LISTS, type Listing, listingParams } from '#web/data/queries/record-list-queries.ts'
import { SIGNED_URL_REFRESH_MS } from '#web/data/queries/record-queries.ts'
import { applyEditsToRow, type RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { listEdits } from '#web/shared/cell-editing/list-cells.ts'
import { addCondition } from '#web/shared/conditions/add-condition.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { Span } from '#web/ui/grid/rows/row-window.ts'
import { useStore } from '#web/ui/store.ts'

const DEFAULT_BLOCK_ROWS = 50

type WindowRequest = {
  readonly collection: TypedCollection
  readonly listing: Listing
  /** Added to the list's filter, for example the value of a board's column or the days of a month. */
  readonly condition: Filter | undefined
  /** The records to load, by position among those that match. */
  readonly rows: Span
  /** Records per request, at most 500. */
  readonly blockRows?: number
  /** False while nothing is in sight. */
  readonly isOn?: boolean
}

type RecordWindow = {
  /** With the edits that aren't saved yet; undefined while loading or beyond the end. */
  readonly rowAt: (position: number) => RecordRow | undefined
  /** Number of loaded records; less than requested if there are no more. */
  readonly loaded: number
  readonly isLoading: boolean
  /** Records loaded earlier stay visible. */
  readonly error: Error | null
  readonly retry: () => void
}

/** The list's query with a condition added. */
export const withCondition = (listing: Listing, condition: Filter | undefined): Listing =>
  condition === undefined ? listing : { ...listing, filter: addCondition(listing.filter, condition) }

const blockQuery = (collection: string, listing: Listing, { block, blockRows }: { block: number; blockRows: number }) =>
  queryOptions({
    queryKey: queryKeys.recordWindows(collection, { ...listing, block, blockRows }),
    queryFn: async ({ signal }) => {
      const place = { page: block + 1, perPage: blockRows, count: 'none' } as const
      const query = { ...listingParams(listing), ...FOR_LISTS, ...place }
      return (await call(listRecords, { params: { collection }, query, signal })).items
    },
    refetchInterval: SIGNED_URL_REFRESH_MS,
  })

/**
 * Loads a window of the list's records that match an added condition. Requests for rows that are no longer wanted are
 * canceled; after each change to the collection's records, the window is loaded again.
 */
export function useRecordWindow(request: WindowRequest): RecordWindow {
  const { collection, listing, condition, rows, blockRows = DEFAULT_BLOCK_ROWS, isOn = true } = request
  const first = Math.floor(rows.first / blockRows)
  const count = isOn ? Math.max(0, Math.ceil(rows.end / blockRows) - first) : 0
  const requested = useMemo(() => withCondition(listing, condition), [listing, condition])
  const answer = useQueries({
    queries: Array.from({ length: count }, (_, at) =>
      blockQuery(collection.name, requested, { block: first + at, blockRows }),
    ),
    combine: combined,
  })
  const edited = useStore(listEdits(collection.id).shown)
  const { blocks } = answer
  const lines = useMemo(
    () =>
      blocks.map((records, at) =>
        records?.map((record, place): RecordRow => ({ record, ordinal: (first + at) * blockRows + place })),
      ),
    [blocks, first, blockRows],
  )
  const rowAt = useCallback(
    (position: number) =>
      applyEditsToRow(lines[Math.floor(position / blockRows) - first]?.[position % blockRows], edited),
    [lines, first, blockRows, edited],
  )
  return { ...answer, rowAt }
}

function combined(results: readonly UseQueryResult<readonly RecordListItem[]>[]) {
  const blocks = results.map(({ data }) => data)
  return {
    blocks,
    loaded: blocks.reduce((sum, block) => sum + (block?.length ?? 0), 0),
    isLoading: results.some(({ isPending }) => isPending),
    error: results.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const { error, refetch } of results) if (error) void refetch()
    },
  }
}
