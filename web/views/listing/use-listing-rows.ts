import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import type { RecordListItem } from '#api/records.ts'
import type { PageSize } from '#domain/specification.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import {
  type Counted,
  keepPreviousPage,
  type Listing,
  pageQuery,
  readBlock,
  totalQuery,
} from '#web/data/queries/record-list-queries.ts'
import {
  applyEditsToRow,
  applyEditsToRows,
  createdRows,
  type RecordRow,
} from '#web/shared/cell-editing/cell-context.ts'
import type { ListEdits } from '#web/shared/cell-editing/list-cells.ts'
import { toClientValue } from '#web/shared/fields/client-value.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { type FilesGroup, type FilesSource, useFilesSource } from '#web/shared/files/visible-files.ts'
import { type GridSource, type GridTotal, rowAt, spanOf } from '#web/ui/grid/grid-props.ts'
import { useWindowSource } from '#web/ui/grid/rows/load-rows.ts'
import { startPrefetching } from '#web/ui/loading/lazy-module.tsx'
import { useStore } from '#web/ui/store.ts'

export type ListingRows = {
  readonly source: GridSource<RecordRow>
  readonly total: GridTotal
  readonly error: Error | null
  readonly isStale: boolean
  readonly retry: () => void
  /** Identifies the list; a new key scrolls the grid to the top. */
  readonly listKey: string
}

type ListingInput = {
  readonly collection: string
  readonly listing: Listing
  readonly cells: ListEdits
  readonly isOn: boolean
}

type Place = { readonly page: number; readonly perPage: PageSize }

/**
 * Supports the paginated and virtualized modes in one hook, so that the surrounding elements stay mounted. Without
 * rows, for views that load their own, only counts the records.
 */
export function useListingRows(requested: Omit<ListingInput, 'isOn'>, { page, perPage }: Place, hasRows: boolean) {
  const isAll = perPage === 'all'
  const paged = usePagedRows({ ...requested, isOn: hasRows && !isAll }, { page, perPage: isAll ? 1 : perPage })
  const windowed = useWindowedRows({ ...requested, isOn: hasRows && isAll })
  const counted = useCountOnly({ ...requested, isOn: !hasRows })
  if (!hasRows) return counted
  return isAll ? windowed : paged
}

function useCountOnly({ collection, listing, isOn }: ListingInput): ListingRows {
  const { data, error, refetch } = useQuery({
    ...totalQuery(collection, listing),
    placeholderData: keepPreviousPage(collection),
    enabled: isOn,
  })
  const total = useTotal(data)
  const source = useMemo<GridSource<RecordRow>>(() => ({ kind: 'page', rows: [], first: 0, total }), [total])
  useEffect(() => {
    if (isOn && data !== undefined) startPrefetching()
  }, [isOn, data])
  const listKey = JSON.stringify([collection, listing, 'windows'])
  return { source, total, ...failureOf(error, data), retry: () => void refetch(), listKey }
}

const NO_RECORDS: readonly RecordListItem[] = []

function usePagedRows(
  { collection, listing, cells, isOn }: ListingInput,
  place: { readonly page: number; readonly perPage: number },
): ListingRows {
  const { data, error, isPlaceholderData, isPending, refetch } = useQuery({
    ...pageQuery(collection, listing, place),
    enabled: isOn,
  })
  // The previous page stays visible until the requested page has loaded.
  const first = ((data?.page ?? place.page) - 1) * (data?.perPage ?? place.perPage)
  const items = data?.items ?? NO_RECORDS
  const edited = useStore(cells.shown)
  const lines = useMemo(() => items.map((record, at) => ({ record, ordinal: first + at })), [items, first])
  const made = useMemo(() => createdRows(edited.made, items, first + items.length), [edited, items, first])
  const rows = useMemo(() => applyEditsToRows([...lines, ...made], edited), [lines, made, edited])
  const { data: counted } = useQuery({
    ...totalQuery(collection, listing),
    placeholderData: keepPreviousPage(collection),
    enabled: isOn,
  })
  const total = useTotal(counted, made.length)
  useEffect(() => {
    if (!isPending) startPrefetching()
  }, [isPending])
  const isLoading = isPending || isPlaceholderData

  const source = useMemo<GridSource<RecordRow>>(
    () => ({ kind: 'page', rows, first, total, ...(isLoading && { loadingRows: place.perPage }) }),
    [rows, first, total, isLoading, place.perPage],
  )
  const listKey = JSON.stringify([collection, listing, place])
  return { source, total, ...failureOf(error, data), retry: () => void refetch(), listKey }
}

/** Loaded rows stay visible if a reload fails. */
const failureOf = (error: Error | null, data: unknown): Pick<ListingRows, 'error' | 'isStale'> => ({
  error: data === undefined ? error : null,
  isStale: data !== undefined && error !== null,
})

const UNKNOWN: GridTotal = { is: 'unknown' }

const UNCOUNTED: GridSource<RecordRow> = { kind: 'page', rows: [], first: 0, total: UNKNOWN, loadingRows: 20 }

function useStableTotal(is: GridTotal['is'], count: number): GridTotal {
  return useMemo(() => (is === 'unknown' ? UNKNOWN : { is, count }), [is, count])
}

const useTotal = (counted: Counted | undefined, made = 0): GridTotal =>
  useStableTotal(
    counted === undefined || counted.total === null ? 'unknown' : counted.totalIs,
    (counted?.total ?? 0) + made,
  )

function useWindowedRows({ collection, listing, cells, isOn }: ListingInput): ListingRows {
  const { filter, search, sort, at } = listing
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    ...totalQuery(collection, { filter, search, at }),
    placeholderData: keepPreviousPage(collection),
    enabled: isOn,
  })
  const load = useCallback(
    (first: number, _count: number, signal: AbortSignal) =>
      readBlock(collection, { filter, search, sort, at }, first, signal).then(rowsFrom(first)),
    [collection, filter, search, sort, at],
  )
  const listKey = JSON.stringify([collection, listing, 'all'])
  // A new count indicates changes, so loaded blocks are reloaded as well.
  const total = isOn ? (data?.total ?? 0) : 0
  const loaded = useWindowSource({ key: listKey, asOf: dataUpdatedAt, total, load })
  const edited = useStore(cells.shown)
  const isCounted = data !== undefined
  const source = useMemo<GridSource<RecordRow>>(() => {
    // Until the count is known, the list isn't necessarily empty.
    if (!isCounted) return UNCOUNTED
    const made = createdRows(edited.made, [], loaded.total)
    const rowAt = (ordinal: number) => loaded.rowAt(ordinal) ?? made[ordinal - loaded.total]
    return {
      ...loaded,
      total: loaded.total + made.length,
      rowAt: (ordinal: number) => applyEditsToRow(rowAt(ordinal), edited),
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

const rowsFrom = (first: number) => (records: readonly RecordListItem[]) =>
  records.map((record, at): RecordRow => ({ record, ordinal: first + at }))

/** Makes the files of the loaded records available to the viewer, which is updated when the list changes. */
export function useListFiles(collection: TypedCollection, source: GridSource<RecordRow>): void {
  const files = useMemo<FilesSource>(() => {
    const groups = () => groupsOf(collection, source)
    return {
      holding: (file) => groups().find((group) => group.files.some(({ id }) => id === file)),
      named: (key) => groups().find((group) => group.key === key),
    }
  }, [collection, source])
  useFilesSource(files)
}

const groupsOf = (collection: TypedCollection, source: GridSource<RecordRow>): readonly FilesGroup[] =>
  (source.kind === 'page' ? source.rows : []).flatMap(({ record }) =>
    collection.fields
      .filter(({ kind }) => kind === 'files')
      .map((field) => ({
        key: `${record.id} ${field.id}`,
        files: toClientValue('files', record.values[field.name]),
        place: `${field.label}, ${recordTitle(collection, record)}`,
      })),
  )

export type FilterError = { readonly message: string; readonly position: number | undefined }

export function filterError(error: unknown): FilterError | undefined {
  const failure = toCallError(error)
  if (failure?.code !== 'invalid-filter') return undefined
  const position = failure.extra['position']
  return { message: failure.detail, position: typeof position === 'number' ? position : undefined }
}

/** Maximum number of records compared with the schema. */
const MAX_CHECKED = 20

const SCHEMA_ERROR_CODES = new Set(['collection-not-found', 'invalid-filter', 'invalid-sort', 'invalid-group'])

/** Reloads the schema if the list's records indicate that it has changed. */
export function useSchemaChanges(
  { fields }: TypedCollection,
  source: GridSource<RecordRow>,
  error: Error | null,
): void {
  const queryClient = useQueryClient()
  const drift = error === null ? driftIn(fields, source) : schemaErrorCode(error)
  useEffect(() => {
    if (drift !== '') void queryClient.invalidateQueries({ queryKey: queryKeys.collections, exact: true })
  }, [queryClient, drift])
}

function schemaErrorCode(error: Error): string {
  const code = toCallError(error)?.code ?? ''
  return SCHEMA_ERROR_CODES.has(code) ? code : ''
}

/** Field names found only in the schema or only in the records; a field hidden in some records is present in others. */
function driftIn(fields: TypedCollection['fields'], source: GridSource<RecordRow>): string {
  const { first, end } = spanOf(source)
  const names = new Set<string>()
  for (let at = first; at < Math.min(end, first + MAX_CHECKED); at += 1) {
    for (const name of Object.keys(rowAt(source, at)?.record.values ?? {})) names.add(name)
  }
  if (names.size === 0) return ''
  const known = new Set(fields.map(({ name }) => name))
  const gone = [...known].filter((name) => !names.has(name))
  return [...gone, ...[...names].filter((name) => !known.has(name))].join(' ')
}
