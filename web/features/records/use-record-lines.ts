import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { RecordLineBody } from '#api/records.ts'
import type { PageSize } from '#domain/specification.ts'
import type { GridSource } from '#web/kit/grid/grid-source.ts'
import type { GridTotal } from '#web/kit/grid/paging.ts'
import { useWindowSource } from '#web/kit/grid/use-window-source.ts'
import { linesMade, withEdit, withEdits } from './cells/edited-lines.ts'
import type { ListCells } from './cells/list-cells.ts'
import type { RecordLine } from './record-line.ts'
import { type Counted, type Listing, keepWithin, pageQuery, readBlock, totalQuery } from './record-list-queries.ts'

/** The records of a list on their way into the grid. */
export type RecordLines = {
  readonly source: GridSource<RecordLine>
  readonly total: GridTotal
  /** Why there is nothing to show. */
  readonly error: Error | null
  /** What is shown could not be read again. */
  readonly isStale: boolean
  readonly retry: () => void
  /** Names the list, for the grid to begin at its top. */
  readonly listKey: string
}

/** A list and the edits laid over it; `isOn` is the way in which it is shown. */
type Asked = {
  readonly collection: string
  readonly listing: Listing
  readonly cells: ListCells
  readonly isOn: boolean
}

type Place = { readonly page: number; readonly perPage: PageSize }

/** A page of records, or all of them: one list in both ways, so that what stands around it stays as it is. */
export function useRecordLines(asked: Omit<Asked, 'isOn'>, { page, perPage }: Place): RecordLines {
  const isAll = perPage === 'all'
  const paged = usePagedLines({ ...asked, isOn: !isAll }, { page, perPage: isAll ? 1 : perPage })
  const windowed = useWindowedLines({ ...asked, isOn: isAll })
  return isAll ? windowed : paged
}

const NO_RECORDS: readonly RecordLineBody[] = []

/** One page of records. */
function usePagedLines(
  { collection, listing, cells, isOn }: Asked,
  place: { readonly page: number; readonly perPage: number },
): RecordLines {
  const { data, error, isPlaceholderData, isPending, refetch } = useQuery({
    ...pageQuery(collection, listing, place),
    enabled: isOn,
  })
  // The page before stays in sight until this one is here.
  const first = ((data?.page ?? place.page) - 1) * (data?.perPage ?? place.perPage)
  const items = data?.items ?? NO_RECORDS
  const edited = useSyncExternalStore(cells.subscribe, cells.shown)
  const lines = useMemo(() => items.map((record, at) => ({ record, ordinal: first + at })), [items, first])
  const made = useMemo(() => linesMade(edited.made, items, first + items.length), [edited, items, first])
  const rows = useMemo(() => withEdits([...lines, ...made], edited), [lines, made, edited])
  const { data: counted } = useQuery({
    ...totalQuery(collection, listing),
    placeholderData: keepWithin(collection),
    enabled: isOn,
  })
  const total = useTotal(counted, made.length)
  const isLoading = isPending || isPlaceholderData

  const source = useMemo<GridSource<RecordLine>>(
    () => ({ kind: 'page', rows, first, total, ...(isLoading && { loadingRows: place.perPage }) }),
    [rows, first, total, isLoading, place.perPage],
  )
  const listKey = JSON.stringify([collection, listing, place])
  return { source, total, ...failureOf(error, data), retry: () => void refetch(), listKey }
}

/** What was read once stays in sight when it cannot be read again. */
const failureOf = (error: Error | null, data: unknown): Pick<RecordLines, 'error' | 'isStale'> => ({
  error: data === undefined ? error : null,
  isStale: data !== undefined && error !== null,
})

const UNKNOWN: GridTotal = { is: 'unknown' }

const UNCOUNTED: GridSource<RecordLine> = { kind: 'page', rows: [], first: 0, total: UNKNOWN, loadingRows: 20 }

function useSame(is: GridTotal['is'], count: number): GridTotal {
  return useMemo(() => (is === 'unknown' ? UNKNOWN : { is, count }), [is, count])
}

const useTotal = (counted: Counted | undefined, made = 0): GridTotal =>
  useSame(counted === undefined || counted.total === null ? 'unknown' : counted.totalIs, (counted?.total ?? 0) + made)

/** Every record, read block by block as it comes into sight. */
function useWindowedLines({ collection, listing, cells, isOn }: Asked): RecordLines {
  const { filter, search, sort } = listing
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    ...totalQuery(collection, { filter, search }),
    placeholderData: keepWithin(collection),
    enabled: isOn,
  })
  const load = useCallback(
    (first: number, _count: number, signal: AbortSignal) =>
      readBlock(collection, { filter, search, sort }, first, signal).then(linesFrom(first)),
    [collection, filter, search, sort],
  )
  const listKey = JSON.stringify([collection, listing, 'all'])
  // Counted again means that something may have changed: the blocks are read again, too.
  const total = isOn ? (data?.total ?? 0) : 0
  const loaded = useWindowSource({ key: listKey, asOf: dataUpdatedAt, total, load })
  const edited = useSyncExternalStore(cells.subscribe, cells.shown)
  const isCounted = data !== undefined
  const source = useMemo<GridSource<RecordLine>>(() => {
    // How many there are is not known yet: that is no empty list.
    if (!isCounted) return UNCOUNTED
    const made = linesMade(edited.made, [], loaded.total)
    const rowAt = (ordinal: number) => loaded.rowAt(ordinal) ?? made[ordinal - loaded.total]
    return {
      ...loaded,
      total: loaded.total + made.length,
      rowAt: (ordinal: number) => withEdit(rowAt(ordinal), edited),
    }
  }, [loaded, edited, isCounted])
  return {
    source,
    total: useTotal(data),
    ...failureOf(error, data),
    retry: () => void refetch(),
    listKey,
  }
}

const linesFrom = (first: number) => (records: readonly RecordLineBody[]) =>
  records.map((record, at): RecordLine => ({ record, ordinal: first + at }))
