import { type ReactNode, useMemo } from 'react'
import { canGroupBy } from '#domain/fields/field-uses.ts'
import type { PageSize } from '#domain/specification.ts'
import { asCallFailed } from '#web/client/call-failed.ts'
import { FailureNotice } from '#web/client/failure-notice.tsx'
import type { KnownCollection } from '#web/fields/known-field.ts'
import { failureText } from '#web/client/problem-text.ts'
import { recordTitle } from '#web/fields/record-title.ts'
import { ErrorNotice } from '#web/kit/error-notice.tsx'
import { Grid } from '#web/kit/grid/grid.tsx'
import type { GridProps } from '#web/kit/grid/grid-props.ts'
import { type GridSource, spanOf } from '#web/kit/grid/grid-source.ts'
import { Pager } from '#web/kit/grid/pager.tsx'
import type { GridSelection } from '#web/kit/grid/selection.ts'
import type { GridSort } from '#web/kit/grid/sorting.ts'
import type { GridTotal } from '#web/kit/grid/paging.ts'
import { t } from '#web/language/t.ts'
import { type OpenRow, useOpenRow, useRowKept } from './beside/use-open-row.ts'
import { useRoom } from './beside/use-room.ts'
import { Cards } from './cards/cards.tsx'
import { ListAdditions } from './cells/list-additions.tsx'
import { listCells } from './cells/list-cells.ts'
import { type ListEditing, useCellParts, useListCells } from './cells/use-list-cells.ts'
import { ListNotices } from './cards/list-notices.tsx'
import { ColumnMenu, type ColumnMenuActions } from './column-menu.tsx'
import { useDressing } from './dressing/use-dressing.tsx'
import type { ListLook } from './grid-layout.ts'
import { columnIdOf, fieldNameOf, recordColumns, type RenderFilter } from './record-columns.tsx'
import type { RecordLine } from './record-line.ts'
import type { Listing } from './record-list-queries.ts'
import { RECORD_GRID_TEXTS } from './record-texts.ts'
import { type FilterRefusal, filterRefusal } from './filter-refusal.ts'
import { useDefinitionDrift } from './use-definition-drift.ts'
import { useFilesInList } from './use-files-in-list.ts'
import { type RecordLines, useRecordLines } from './use-record-lines.ts'
import './records.css'

/** What the list of a collection is told. */
export type RecordsGridProps = {
  readonly collection: KnownCollection
  /** Which records, in which order, the group first. */
  readonly listing: Listing
  /** What the person sorts by, without the group. */
  readonly sort: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[]
  readonly onSort: (sort: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[]) => void
  readonly group: string | null
  readonly onGroup: (field: string) => void
  readonly page: number
  readonly perPage: PageSize
  readonly onPage: (page: number, perPage: PageSize) => void
  readonly look: ListLook
  readonly onLook: (look: Partial<ListLook>) => void
  readonly renderFilter: RenderFilter
  readonly selection: GridSelection
  readonly onSelection: (selection: GridSelection) => void
  readonly onOpen: (line: RecordLine) => void
  /** Takes the filter away, when it is what keeps the list from being read. */
  readonly onClear: (refused: Refused) => void
  readonly hrefOf: (line: RecordLine) => string
  /** What stands in place of records when there are none. */
  readonly empty: ReactNode
  /** The record that is open beside the list, and its place there where the address tells it. */
  readonly open: OpenRow | undefined
  readonly renderBeside: (beside: {
    readonly ordinal: number | undefined
    readonly total: GridTotal
    /** There is no room beside the list: it lies over it. */
    readonly isSheet: boolean
  }) => ReactNode
  /** What stands above the grid, given how many records there are in all and what the server has against the filter. */
  readonly renderAbove: (total: GridTotal, refusal: FilterRefusal | undefined) => ReactNode
}

/** The records of a collection: a page of them, or all in one scroll; where there is little room, as cards. */
export function RecordsGrid(props: RecordsGridProps) {
  const { collection, page, perPage, onPage, open } = props
  const cells = listCells(collection.id)
  const asked = { collection: collection.name, listing: props.listing, cells }
  const lines = useRecordLines(asked, { page, perPage })
  const { total, error } = lines
  const editing = useListCells({ collection, listing: props.listing, source: lines.source })
  useDefinitionDrift(collection, lines.source, error)
  useFilesInList(collection, lines.source)
  const { grid, element } = useGridProps(props, lines, editing)
  const { source } = grid
  const { roomRef, room } = useRoom()
  const ordinal = useOpenRow({ source, grid: editing.gridRef, open })
  const keepRow = useRowKept({ source, grid: editing.gridRef, way: String(perPage) })
  const isSheet = room === 'narrow'
  return (
    <div className="records-room" ref={roomRef} data-room={room}>
      <div className="records-page" data-waiting={isWaiting(source) || undefined} inert={isSheet && open !== undefined}>
        {props.renderAbove(total, filterRefusal(error))}
        <div className="records-grid" data-tour="grid" {...editing.frameProps}>
          {isSheet ? <Cards grid={grid} /> : <Grid {...grid} />}
          {element}
          <ListNotices lines={{ ...lines, source }} />
        </div>
        <ListAdditions collection={collection} editing={editing} source={source} onOpen={props.onOpen} />
        {/* Of a list that cannot be read there are no pages. */}
        {error === null && (
          <Pager
            at={{ page, pageSize: perPage }}
            total={total}
            rowsOnPage={spanOf(source).end - spanOf(source).first}
            onPage={(at) => {
              if (at.pageSize !== perPage) keepRow()
              onPage(at.page, at.pageSize)
            }}
            texts={RECORD_GRID_TEXTS}
          />
        )}
      </div>
      {props.renderBeside({ ordinal, total, isSheet })}
    </div>
  )
}

/** What the grid is told, or the cards in its place. */
function useGridProps(props: RecordsGridProps, lines: RecordLines, editing: ListEditing) {
  const { collection, look, onLook, renderFilter, open } = props
  const { error, retry, listKey } = lines
  const { hidden } = look.layout
  const parts = useCellParts(collection)
  const columns = useMemo(
    () => recordColumns(collection, renderFilter, hidden, parts),
    [collection, renderFilter, hidden, parts],
  )
  const { source, dressing, element } = useDressing({ ...props, source: lines.source })
  const sorting = useGridSort(props)
  const menu = useColumnMenu(props, editing.gridRef)
  const grid: GridProps<RecordLine> = {
    label: collection.label,
    columns,
    source,
    idOf,
    nameOf: (line) => recordTitle(collection, line.record),
    listKey,
    ...sorting,
    selection: props.selection,
    onSelection: props.onSelection,
    ...dressing,
    layout: look.layout,
    onLayout: (layout) => onLook({ layout }),
    density: look.density,
    isWrapped: look.isWrapped,
    areFiltersShown: look.areFiltersShown,
    ...editing.gridProps,
    handleRef: editing.gridRef,
    currentId: open?.id,
    onOpenRow: props.onOpen,
    hrefOf: props.hrefOf,
    renderHeaderMenu: (column, _tabIndex, commands) => (
      <ColumnMenu column={column} actions={menu} commands={commands} />
    ),
    empty: props.empty,
    ...(error && { failure: <ListFailure error={error} onRetry={retry} onClear={props.onClear} /> }),
    texts: RECORD_GRID_TEXTS,
  }
  return { grid, element }
}

/** No row was there yet: how many will be is not known, and what stands below them would be moved. */
const isWaiting = (source: GridSource<RecordLine>): boolean =>
  source.kind === 'page' && source.rows.length === 0 && source.loadingRows !== undefined

const idOf = (line: RecordLine): string => line.record.id

/** What of a list cannot be asked for. */
type Refused = 'filter' | 'order'

type ListFailureProps = Pick<RecordsGridProps, 'onClear'> & { readonly error: Error; readonly onRetry: () => void }

/** Asking again does not mend what is asked: then the way out is to ask for less. */
const WAYS_OUT: Readonly<Record<string, { readonly part: Refused; readonly label: string }>> = {
  'invalid-filter': { part: 'filter', label: t('Clear the filter') },
  'invalid-sort': { part: 'order', label: t('Clear sort and groups') },
  'invalid-group': { part: 'order', label: t('Clear sort and groups') },
}

function ListFailure({ error, onRetry, onClear }: ListFailureProps) {
  const out = WAYS_OUT[asCallFailed(error)?.code ?? '']
  if (!out) return <FailureNotice error={error} onRetry={onRetry} />
  return <ErrorNotice {...failureText(error)} onRetry={() => onClear(out.part)} retryLabel={out.label} />
}

/** The sort in columns, and the way back to fields. */
function useGridSort({ collection, sort, onSort }: RecordsGridProps) {
  const gridSort = useMemo(
    () => sort.map(({ field, direction }): GridSort => ({ columnId: columnIdOf(collection, field), direction })),
    [collection, sort],
  )
  return {
    sort: gridSort,
    onSort: (next: readonly GridSort[]) =>
      onSort(next.map(({ columnId, direction }) => ({ field: fieldNameOf(collection, columnId), direction }))),
  }
}

function useColumnMenu(
  { collection, look, onLook, onSort, onGroup }: RecordsGridProps,
  grid: ListEditing['gridRef'],
): ColumnMenuActions {
  const { layout } = look
  return {
    list: { collection, look, onLook },
    sort: (columnId, direction) => onSort([{ field: fieldNameOf(collection, columnId), direction }]),
    hide: (columnId) => {
      onLook({ layout: { ...layout, hidden: [...layout.hidden, columnId] } })
      // The header is gone, and its menu with it: the keyboard goes to the one that follows.
      grid.current?.focus()
    },
    group: (columnId) => onGroup(fieldNameOf(collection, columnId)),
    canGroup: (columnId) => {
      const field = collection.fields.find(({ id }) => id === columnId)
      return field !== undefined && canGroupBy(field)
    },
  }
}
