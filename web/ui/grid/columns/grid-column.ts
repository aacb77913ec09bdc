import type { ReactNode } from 'react'
import type { CellEditor } from '#web/ui/grid/editing/grid-editing.ts'

/** What a column filter needs to know of its place in the grid. */
export type FilterSlot = {
  /** The name to give the input, since the header stands apart from it. */
  readonly label: string
  /** Pass on to the input: filters are tab stops only while the focus walks among them. */
  readonly tabIndex: 0 | -1
}

/** One column as the app describes it. Keep the list stable between renders, or every cell is drawn anew. */
export type GridColumn<Row> = {
  readonly id: string
  readonly header: string
  readonly widthPx?: number
  readonly minWidthPx?: number
  /** Numbers stand at the end, in tabular figures. */
  readonly align?: 'start' | 'end'
  /** The one column that names a row: frozen at the start, and the way to open it. */
  readonly isTitle?: boolean
  readonly isSortable?: boolean
  readonly renderCell: (row: Row) => ReactNode
  readonly renderFilter?: (slot: FilterSlot) => ReactNode
  /** What a copy gives: the value as plain text. Without it, cells of this column are copied empty. */
  readonly textOf?: (row: Row) => string
  /** Draws the editor of a cell, in the cell's place and as large as it needs. Without it the column is read-only. */
  readonly renderEditor?: (row: Row, editor: CellEditor) => ReactNode
  /** Its editor breaks a line where Shift or Alt is held with Enter. */
  readonly breaksLines?: boolean
  /** Whether this row's cell may be edited; every row's may where this is left out. */
  readonly isEditable?: (row: Row) => boolean
  /** Turns a cell of yes and no over: the space bar. */
  readonly onToggle?: (row: Row) => void
  /** Looks closer at what a cell holds, whether it may be edited or not: the space bar. False where there is nothing. */
  readonly onLook?: (row: Row) => boolean
  /** Whether files can be dropped on this row's cell. */
  readonly takesFiles?: (row: Row) => boolean
  /** What is wrong with a cell's value, in words; undefined when nothing is. */
  readonly faultOf?: (row: Row) => string | undefined
}

/** How the person arranged the columns; columns the order does not name follow behind it. */
export type GridLayout = {
  readonly order: readonly string[]
  readonly hidden: readonly string[]
  readonly widthsPx: Readonly<Record<string, number>>
  /** The columns that stay in sight at the start, in their order; the title alone where this is left out. */
  readonly frozen?: readonly string[]
}

/** The columns as the app gave them. */
export const DEFAULT_LAYOUT: GridLayout = { order: [], hidden: [], widthsPx: {} }

/** A shown column and where it stands inside its pane. */
export type PlacedColumn<Row> = {
  readonly column: GridColumn<Row>
  /** Counted from 0 over the whole grid, the selection column included. */
  readonly index: number
  readonly startPx: number
  readonly widthPx: number
  /** Other columns can be edited, this one cannot. */
  readonly isReadOnly: boolean
}

/** How tall a row is drawn. */
export type GridDensity = 'compact' | 'normal' | 'tall'

/** Row heights in pixels; every row of a grid has the same. */
export const ROW_HEIGHTS_PX: Readonly<Record<GridDensity, number>> = { compact: 28, normal: 36, tall: 56 }

/** The same where long values go on in further lines: two of them, three, five. */
const WRAPPED_HEIGHTS_PX: typeof ROW_HEIGHTS_PX = { compact: 40, normal: 60, tall: 96 }

/** How tall every row is. */
export const rowHeightPx = (density: GridDensity, isWrapped: boolean): number =>
  (isWrapped ? WRAPPED_HEIGHTS_PX : ROW_HEIGHTS_PX)[density]

/** Height of the header line in pixels. */
export const HEADER_PX = 36

/** Height of the line of column filters in pixels. */
export const FILTERS_PX = 44

/** Height of the line below the rows in pixels. */
export const FOOTER_PX = 36

/** The column of checkboxes, wide enough for a finger. */
export const SELECT_COLUMN_PX = 44

/** Widths a column can have, and the step of the keyboard. */
export const COLUMN_WIDTH_PX = { normal: 180, min: 64, max: 1200, step: 16 } as const

/** One sorted column; the first of a list is the strongest. */
export type GridSort = { readonly columnId: string; readonly direction: 'asc' | 'desc' }

/**
 * What a click on a header makes of the sorting: ascending, descending, none, and again. A plain click drops all other
 * columns and begins at ascending unless the column was the only one; with shift the column is added or moves on its
 * own. A column that comes to "none" leaves the list.
 */
export function nextSorting(
  sorting: readonly GridSort[],
  columnId: string,
  click: { isAdding: boolean },
): readonly GridSort[] {
  const current = sorting.find((sort) => sort.columnId === columnId)
  if (!click.isAdding) {
    const isAlone = sorting.length === 1
    return following(isAlone ? current : undefined, columnId)
  }
  if (!current) return [...sorting, ...following(undefined, columnId)]
  return sorting.flatMap((sort) => (sort.columnId === columnId ? following(sort, columnId) : [sort]))
}

/** How a header says its column is sorted, for `aria-sort` and the arrow. */
export function sortOf(sorting: readonly GridSort[], columnId: string): SortMark | undefined {
  const index = sorting.findIndex((sort) => sort.columnId === columnId)
  const sort = sorting[index]
  return sort && { direction: sort.direction, rank: index + 1, isOneOfSeveral: sorting.length > 1 }
}

/** A column's part in the sorting; `rank` counts from 1. */
export type SortMark = {
  readonly direction: 'asc' | 'desc'
  readonly rank: number
  readonly isOneOfSeveral: boolean
}

function following(current: GridSort | undefined, columnId: string): GridSort[] {
  if (!current) return [{ columnId, direction: 'asc' }]
  return current.direction === 'asc' ? [{ columnId, direction: 'desc' }] : []
}
