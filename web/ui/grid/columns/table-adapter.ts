import { useCreateAtom } from '@tanstack/react-store'
import {
  type ColumnDef,
  type ColumnOrderState,
  type ColumnPinningState,
  type ColumnSizingState,
  type ColumnVisibilityState,
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useCallback, useLayoutEffect, useMemo } from 'react'
import { frozenWithin } from './column-order.ts'
import {
  COLUMN_WIDTH_PX,
  DEFAULT_LAYOUT,
  type GridColumn,
  type GridLayout,
  type GridSort,
  type PlacedColumn,
} from './grid-column.ts'

const features = tableFeatures({
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSortingFeature,
})

/** The table owns columns only: rows are addressed by ordinal outside it, so that a million of them cost it nothing. */
const NO_ROWS: object[] = []

/** What the grid wants of its columns. */
export type GridTableInput<Row> = {
  readonly columns: readonly GridColumn<Row>[]
  readonly layout: GridLayout | undefined
  readonly onLayout: ((layout: GridLayout) => void) | undefined
  readonly sort: readonly GridSort[]
  /** The room frozen columns may take. */
  readonly frozenRoomPx: number
  /** The grid's own columns that stand before these, such as the checkboxes. */
  readonly firstIndex: number
}

/** The columns as they are to be drawn, and the way to change them. */
export type GridTable<Row> = {
  readonly frozen: readonly PlacedColumn<Row>[]
  readonly center: readonly PlacedColumn<Row>[]
  readonly frozenPx: number
  readonly centerPx: number
  readonly sort: readonly GridSort[]
  /** Gives a column a width; only the final one of a drag is told to the app. Returns the width it got. */
  readonly setWidth: (columnId: string, widthPx: number, isFinal: boolean) => number
}

/**
 * The one door to TanStack Table. The app's values are written into atoms which the table reads, and everything drawn is
 * handed on as plain values, because the table's own column objects keep their identity and would go stale in memoised
 * children.
 */
export function useGridTable<Row>(input: GridTableInput<Row>): GridTable<Row> {
  const { columns, layout = DEFAULT_LAYOUT, onLayout, firstIndex } = input
  const pinned = usePinning(columns, layout, input.frozenRoomPx)
  const order = useMemo(() => [...layout.order], [layout.order])
  const hidden = useMemo(() => visibilityOf(layout.hidden), [layout.hidden])
  const sorting = useMemo(() => sortingOf(input.sort), [input.sort])

  const columnOrder = useSyncedAtom<ColumnOrderState>(order)
  const columnPinning = useSyncedAtom<ColumnPinningState>(pinned)
  const columnSizing = useSyncedAtom<ColumnSizingState>(layout.widthsPx)
  const columnVisibility = useSyncedAtom<ColumnVisibilityState>(hidden)
  const sortingAtom = useSyncedAtom<SortingState>(sorting)
  // New options make a new table object, and that would draw every row anew.
  const options = useMemo(() => {
    const atoms = { columnOrder, columnPinning, columnSizing, columnVisibility, sorting: sortingAtom }
    return { features, columns: columns.map(definitionOf), data: NO_ROWS, atoms, manualSorting: true }
  }, [columns, columnOrder, columnPinning, columnSizing, columnVisibility, sortingAtom])
  const table = useTable(options)
  const state = table.state

  const setWidth = useCallback(
    (columnId: string, widthPx: number, isFinal: boolean) => {
      const { minSize, maxSize } = table.getColumn(columnId)?.columnDef ?? {}
      const min = minSize ?? COLUMN_WIDTH_PX.min
      const width = Math.round(Math.min(Math.max(widthPx, min), maxSize ?? COLUMN_WIDTH_PX.max))
      table.setColumnSizing((sizes) => ({ ...sizes, [columnId]: width }))
      if (isFinal) onLayout?.({ ...layout, widthsPx: { ...layout.widthsPx, [columnId]: width } })
      return width
    },
    [table, layout, onLayout],
  )

  return useMemo(() => {
    const byId = new Map(columns.map((column) => [column.id, column]))
    const frozen = placed(table.getStartVisibleLeafColumns(), byId, firstIndex)
    const center = placed(table.getCenterVisibleLeafColumns(), byId, firstIndex + frozen.length)
    const sort = state.sorting.map(({ id, desc }): GridSort => ({ columnId: id, direction: desc ? 'desc' : 'asc' }))
    return { frozen, center, frozenPx: widthOf(frozen), centerPx: widthOf(center), sort, setWidth }
  }, [table, state, columns, firstIndex, setWidth])
}

/** An atom that follows a value of the app and may run ahead of it, as a width does while it is dragged. */
function useSyncedAtom<Value>(value: Value) {
  const atom = useCreateAtom<Value>(value)
  useLayoutEffect(() => atom.set(value), [atom, value])
  return atom
}

function definitionOf<Row>(column: GridColumn<Row>): ColumnDef<typeof features, object> {
  return {
    id: column.id,
    header: column.header,
    size: column.widthPx ?? COLUMN_WIDTH_PX.normal,
    minSize: column.minWidthPx ?? COLUMN_WIDTH_PX.min,
    maxSize: COLUMN_WIDTH_PX.max,
  }
}

function placed<Row>(
  tableColumns: readonly { readonly id: string; getSize(): number }[],
  byId: ReadonlyMap<string, GridColumn<Row>>,
  firstIndex: number,
): PlacedColumn<Row>[] {
  let startPx = 0
  const canAnyEdit = [...byId.values()].some((column) => column.renderEditor !== undefined)
  return tableColumns.flatMap((tableColumn, i) => {
    const column = byId.get(tableColumn.id)
    if (!column) return []
    const widthPx = tableColumn.getSize()
    const isReadOnly = canAnyEdit && column.renderEditor === undefined
    const place = { column, index: firstIndex + i, startPx, widthPx, isReadOnly }
    startPx += widthPx
    return [place]
  })
}

function widthOf<Row>(columns: readonly PlacedColumn<Row>[]): number {
  const last = columns.at(-1)
  return last ? last.startPx + last.widthPx : 0
}

/** The frozen columns for which there is room; the same object for as long as they are the same columns. */
function usePinning<Row>(columns: readonly GridColumn<Row>[], layout: GridLayout, roomPx: number): ColumnPinningState {
  const key = JSON.stringify(frozenWithin(columns, layout, roomPx))
  return useMemo(() => {
    // What was written as a list of texts a line above.
    const start = JSON.parse(key) as string[]
    return { start, end: [] }
  }, [key])
}

function visibilityOf(hidden: readonly string[]): ColumnVisibilityState {
  return Object.fromEntries(hidden.map((id) => [id, false]))
}

function sortingOf(sort: readonly GridSort[]): SortingState {
  return sort.map(({ columnId, direction }) => ({ id: columnId, desc: direction === 'desc' }))
}
