import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { ActionIcon } from '@mantine/core'
import { canGroupBy, type Field } from '#domain/fields/field.ts'
import type { RecordBody } from '#api/records.ts'
import type { PageSize } from '#domain/specification.ts'
import { toCallError } from '#web/data/api/call-error.ts'
import { useLateScroll } from '#web/shared/navigation/late-scroll.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { describeError } from '#web/data/api/error-messages.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import { useRecalculating } from '#web/data/queries/recalculating-fields.ts'
import { ErrorNotice } from '#web/ui/feedback/load-states.tsx'
import { type GridProps, type GridSource, type GridTotal, lastPage, spanOf } from '#web/ui/grid/grid-props.ts'
import { GridNotices } from '#web/ui/grid/grid-notices.tsx'
import { Pager } from '#web/ui/grid/paging/pager.tsx'
import type { GridSelection } from '#web/ui/grid/selection/selection.ts'
import type { GridSort } from '#web/ui/grid/columns/grid-column.ts'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { t } from '#web/i18n/t.ts'
import { type OpenRow, useKeepRow, useOpenRow } from './use-open-row.ts'
import { type SearchHits, useSearchHits } from './use-search-hits.ts'
import { useManualOrder, withMovableRows } from './use-manual-order.ts'
import { type OpenedLine, useRecordActions } from './use-record-actions.ts'
import type { ListingProps, RecordActions, ShownDays } from '#web/views/view-kind.ts'
import { VIEW_KIND_UI, ViewListing } from '#web/views/view-kinds.tsx'
import { ListExtras } from './list-extras.tsx'
import { useNewRecord } from './new-record/new-record-button.tsx'
import { listEdits } from '#web/shared/cell-editing/list-cells.ts'
import { type ListEditing, useCellRenderers, useListEditing } from './use-list-editing.ts'
import { ListNotices, RECORD_GRID_TEXTS } from '#web/views/listing/list-notices.tsx'
import { ColumnMenu, type ColumnMenuActions, type FieldActions } from '#web/views/grid/column-menu.tsx'
import { useDecorations } from '#web/views/listing/decorations/use-decorations.tsx'
import type { ListSettings } from '#web/views/listing/list-settings.ts'
import {
  columnIdOf,
  fieldNameOf,
  recordColumns,
  type RenderFilter,
  withRecalculating,
} from '#web/views/grid/record-columns.tsx'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import type { Listing } from '#web/data/queries/record-list-queries.ts'
import {
  type FilterError,
  filterError,
  type ListingRows,
  useListFiles,
  useListingRows,
  useSchemaChanges,
} from '#web/views/listing/use-listing-rows.ts'
import '../../views/listing/listing.css'

/** Width in px below which open records cover the list and a grid shows cards. */
const NARROW_BELOW_PX = 640

/** `unknown` before the first measurement, when nothing is visible yet. */
type ListWidth = 'unknown' | 'narrow' | 'wide'

/** Measures the combined width of the list and side panel. */
function useListWidth(): { readonly roomRef: RefObject<HTMLDivElement | null>; readonly room: ListWidth } {
  const roomRef = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState<ListWidth>('unknown')
  useLayoutEffect(() => {
    const place = roomRef.current
    if (!place) return undefined
    const measure = () => setRoom(place.clientWidth < NARROW_BELOW_PX ? 'narrow' : 'wide')
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(place)
    return () => observer.disconnect()
  }, [])
  return { roomRef, room }
}

export type RecordListProps = {
  readonly collection: TypedCollection
  readonly listing: Listing
  /** The user's sort order, without group fields. */
  readonly sort: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[]
  readonly onSort: (sort: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[]) => void
  /** The view in whose manual order the user can move records. */
  readonly movableIn: string | undefined
  readonly group: string | null
  readonly onGroup: (field: string) => void
  readonly page: number
  readonly perPage: PageSize
  readonly onPage: (page: number, perPage: PageSize, step?: 'replace') => void
  readonly days: ShownDays
  readonly onDays: ListingProps<unknown>['onDays']
  readonly look: ListSettings
  readonly onLook: (look: Partial<ListSettings>) => void
  readonly renderFilter: RenderFilter
  /** Undefined if the user can't change fields. */
  readonly fieldActions: FieldActions | undefined
  readonly selection: GridSelection
  readonly onSelection: (selection: GridSelection) => void
  readonly onOpen: (line: OpenedLine) => void
  readonly onCreated: (record: RecordBody) => void
  /** Clears the filter or sort order that prevents the list from being read. */
  readonly onClear: (refused: InvalidPart) => void
  readonly hrefOf: (line: OpenedLine) => string
  readonly empty: ReactNode
  /** The record in the side panel, and its position as stored in the URL. */
  readonly open: OpenRow | undefined
  readonly renderBeside: (beside: {
    readonly ordinal: number | undefined
    readonly total: GridTotal
    /** Whether the panel covers the list, because there isn't enough room next to it. */
    readonly isSheet: boolean
  }) => ReactNode
  readonly renderAbove: (
    total: GridTotal,
    refusal: FilterError | undefined,
    onStep: SearchHits['step'] | undefined,
  ) => ReactNode
  readonly renderBelow: (total: GridTotal) => ReactNode
}

export function RecordList(props: RecordListProps) {
  const { collection, page, perPage, onPage, open } = props
  const cells = listEdits(collection.id)
  const requested = { collection: collection.name, listing: props.listing, cells }
  const hasRows = VIEW_KIND_UI[props.look.display.kind].draws === 'rows'
  const lines = useListingRows(requested, { page, perPage }, hasRows)
  const { total, error } = lines
  useLateScroll(lines.listKey)
  const editing = useListEditing({ collection, listing: props.listing, source: lines.source })
  useSchemaChanges(collection, lines.source, error)
  useListFiles(collection, lines.source)
  const recalculating = useRecalculating(collection)
  const { grid, element } = useGridProps(props, lines, { editing, recalculating, hasRows })
  const newRecord = useNewRecord(collection, props.onCreated)
  const { source } = grid
  const { roomRef, room } = useListWidth()
  const ordinal = useOpenRow({ source, grid: editing.gridRef, open })
  const keepRow = useKeepRow({ source, grid: editing.gridRef, way: String(perPage) })
  const isSheet = room === 'narrow'
  useLastPage(lines, props, hasRows)
  const hits = useSearchHits({ ...props, ...lines, source, grid: editing.gridRef })
  return (
    <div className="records-room" ref={roomRef} data-room={room}>
      <div className="records-page" data-waiting={isWaiting(source) || undefined} inert={isSheet && open !== undefined}>
        {props.renderAbove(total, filterError(error), hasRows ? hits.step : undefined)}
        <div
          className="records-grid"
          data-tour="grid"
          data-at-hit={hits.isAtHit || undefined}
          {...editing.frameProps}
          onFocusCapture={hits.leave}
        >
          <DrawnView list={props} grid={grid} hasRows={hasRows} isNarrow={isSheet} onCreate={newRecord.make} />
          {element}
          {newRecord.dialog}
          <span role="status" className="visually-hidden">
            {hits.announcement}
          </span>
          <ListNotices lines={{ ...lines, source }} cells={hasRows ? cells : undefined} recalculating={recalculating} />
        </div>
        <ListExtras
          collection={collection}
          editing={editing}
          source={source}
          onOpen={props.onOpen}
          group={props.group}
          onCreate={newRecord.make}
        />
        {/* There are no pages if the list can't be read. */}
        {error === null && hasRows && (
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
        {props.renderBelow(total)}
      </div>
      {props.renderBeside({ ordinal, total, isSheet })}
    </div>
  )
}

type DrawnViewProps = {
  readonly list: RecordListProps
  readonly grid: GridProps<RecordRow>
  readonly hasRows: boolean
  readonly isNarrow: boolean
  readonly onCreate: (values: { readonly [field: string]: unknown }) => void
}

function DrawnView({ list, grid, hasRows, isNarrow, onCreate }: DrawnViewProps) {
  const { collection, listing, group, days, onDays, look, onLook, onOpen, hrefOf } = list
  const { onCellMenu, paintOf, currentId } = grid
  const changing = useRecordActions({ collection, onOpen, hrefOf, onMenu: onCellMenu, onCreate, paintOf, currentId })
  const { reorder, announcement } = useManualOrder(collection, list.movableIn, changing.noteUndo)
  const actions: RecordActions = { ...changing, reorder }
  const view = (
    <>
      <ViewListing
        {...{ collection, listing, group, days, onDays, actions, isNarrow }}
        grid={hasRows && reorder ? withMovableRows(grid, reorder, changing.undo) : grid}
        display={look.display}
        onChange={(display) => onLook({ display })}
      />
      <span role="status" className="visually-hidden">
        {announcement}
      </span>
    </>
  )
  if (hasRows) return view
  if (grid.failure !== undefined) return <GridNotices {...grid} hasRows={false} />
  return (
    <div className="records-windows" onKeyDown={undoKeys(actions)}>
      {view}
    </div>
  )
}

/** Views with rows handle these keys in their cells. */
const undoKeys =
  ({ undo, redo }: RecordActions) =>
  (event: KeyboardEvent): void => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, [contenteditable]')
    const key = event.key.toLowerCase()
    if (isTyping || event.defaultPrevented || !(event.ctrlKey || event.metaKey) || !'zy'.includes(key)) return
    event.preventDefault()
    if (key === 'y' || event.shiftKey) redo()
    else undo()
  }

/** Falls back to the last page if the page is beyond the end, for example after its records were deleted. */
function useLastPage(
  { source, total }: ListingRows,
  { page, perPage, onPage }: RecordListProps,
  hasRows: boolean,
): void {
  const last = lastPage({ page, pageSize: perPage }, total)
  const isEmpty = hasRows && source.kind === 'page' && source.rows.length === 0 && source.loadingRows === undefined
  useEffect(() => {
    if (isEmpty && last !== undefined && page > last) onPage(last, perPage, 'replace')
  })
}

type GridDeps = {
  readonly editing: ListEditing
  readonly recalculating: readonly Field[]
  readonly hasRows: boolean
}

function useGridProps(props: RecordListProps, lines: ListingRows, { editing, recalculating, hasRows }: GridDeps) {
  const { collection, look, onLook, renderFilter, open } = props
  const { error, retry, listKey } = lines
  const { hidden } = look.layout
  const parts = useCellRenderers(collection)
  const columns = useMemo(
    () => withRecalculating(recordColumns(collection, renderFilter, hidden, parts), recalculating),
    [collection, renderFilter, hidden, parts, recalculating],
  )
  const colorsOnly = useMemo((): ListSettings => ({ ...look, footers: {} }), [look])
  const { source, decorations, element } = useDecorations({
    ...props,
    source: lines.source,
    // Group headers and summaries belong to rows.
    ...(!hasRows && { group: null, look: colorsOnly }),
  })
  const sorting = useGridSort(props)
  const menu = useColumnMenu(props, editing.gridRef)
  const grid: GridProps<RecordRow> = {
    label: collection.label,
    columns,
    source,
    idOf,
    nameOf: (line) => recordTitle(collection, line.record),
    listKey,
    ...sorting,
    selection: props.selection,
    onSelection: props.onSelection,
    ...decorations,
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
    ...(props.fieldActions && fieldProps(props.fieldActions)),
    empty: props.empty,
    ...(error && { failure: <ListFailure error={error} onRetry={retry} onClear={props.onClear} /> }),
    texts: RECORD_GRID_TEXTS,
  }
  return { grid, element }
}

const fieldProps = ({ add, rename }: FieldActions): Partial<GridProps<RecordRow>> => ({
  onRenameColumn: rename,
  renderHeaderEnd: (tabIndex) => (
    <ActionIcon aria-label={t('Add a field')} aria-haspopup="dialog" tabIndex={tabIndex} onClick={add}>
      <IconPlus size={16} stroke={1.75} />
    </ActionIcon>
  ),
})

/** Whether the number of rows is unknown; if so, the footer isn't rendered, because it would shift. */
const isWaiting = (source: GridSource<RecordRow>): boolean =>
  source.kind === 'page' && source.rows.length === 0 && source.loadingRows !== undefined

const idOf = (line: RecordRow): string => line.record.id

type InvalidPart = 'filter' | 'order'

type ListFailureProps = Pick<RecordListProps, 'onClear'> & { readonly error: Error; readonly onRetry: () => void }

/** Errors for which retrying doesn't help, and actions that simplify the query. */
const RECOVERY_ACTIONS: Readonly<Record<string, { readonly part: InvalidPart; readonly label: string }>> = {
  'invalid-filter': { part: 'filter', label: t('Clear filter') },
  'invalid-sort': { part: 'order', label: t('Clear sort and groups') },
  'invalid-group': { part: 'order', label: t('Clear sort and groups') },
}

function ListFailure({ error, onRetry, onClear }: ListFailureProps) {
  const out = RECOVERY_ACTIONS[toCallError(error)?.code ?? '']
  if (!out) return <FailureNotice error={error} onRetry={onRetry} />
  return <ErrorNotice {...describeError(error)} onRetry={() => onClear(out.part)} retryLabel={out.label} />
}

function useGridSort({ collection, sort, onSort }: RecordListProps) {
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
  { collection, look, onLook, onSort, onGroup, fieldActions }: RecordListProps,
  grid: ListEditing['gridRef'],
): ColumnMenuActions {
  const { layout } = look
  // The focused column header is removed, so focus moves to the grid.
  const focusGrid = () => grid.current?.focus()
  return {
    fields: fieldActions,
    list: { collection, look, onLook },
    sort: (columnId, direction) => onSort([{ field: fieldNameOf(collection, columnId), direction }]),
    hide: (columnId) => {
      onLook({ layout: { ...layout, hidden: [...layout.hidden, columnId] } })
      focusGrid()
    },
    focusGrid,
    group: (columnId) => onGroup(fieldNameOf(collection, columnId)),
    canGroup: (columnId) => {
      const field = collection.fields.find(({ id }) => id === columnId)
      return field !== undefined && canGroupBy(field)
    },
  }
}
