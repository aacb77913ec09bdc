import type { ReactNode } from 'react'
import type { CellEditor } from '#web/ui/grid/editing/grid-editing.ts'

export type FilterSlot = {
  /** Label of the input, since the header is a separate element. */
  readonly label: string
  /** Pass this to the input: filters are tab stops only while one of them has focus. */
  readonly tabIndex: 0 | -1
}

/** A column as defined by the app. Keep the list stable between renders; otherwise every cell re-renders. */
export type GridColumn<Row> = {
  readonly id: string
  readonly header: string
  /** Shown when the header is pointed at or focused. */
  readonly description?: string
  readonly widthPx?: number
  readonly minWidthPx?: number
  readonly align?: 'start' | 'end'
  /** The column that names a row: frozen at the start, and opens the row. */
  readonly isTitle?: boolean
  readonly isSortable?: boolean
  /** Whether a double click on the header renames it. */
  readonly isRenamable?: boolean
  readonly renderCell: (row: Row) => ReactNode
  readonly renderFilter?: (slot: FilterSlot) => ReactNode
  /** Plain text for the clipboard. If not given, cells in this column are copied as empty. */
  readonly textOf?: (row: Row) => string
  /** Renders a cell's editor. If not given, the column is read-only. */
  readonly renderEditor?: (row: Row, editor: CellEditor) => ReactNode
  /** In the cell editor, Shift+Enter and Alt+Enter insert a line break. */
  readonly breaksLines?: boolean
  /** Whether this row's cell can be edited; defaults to true for every row. */
  readonly isEditable?: (row: Row) => boolean
  /** Toggles a Boolean cell: Space. */
  readonly onToggle?: (row: Row) => void
  /** Previews a cell's content, editable or not, with Space. False if there is nothing to preview. */
  readonly onPreview?: (row: Row) => boolean
  readonly takesFiles?: (row: Row) => boolean
  /** Why a cell's value is invalid; undefined if it is valid. */
  readonly faultOf?: (row: Row) => string | undefined
}

/** The user's column layout; columns missing from `order` come at the end. */
export type GridLayout = {
  readonly order: readonly string[]
  readonly hidden: readonly string[]
  readonly widthsPx: Readonly<Record<string, number>>
  /** The frozen columns in order; defaults to only the title. */
  readonly frozen?: readonly string[]
}

export const DEFAULT_LAYOUT: GridLayout = { order: [], hidden: [], widthsPx: {} }

export type PlacedColumn<Row> = {
  readonly column: GridColumn<Row>
  /** Counted from 0 across the whole grid, including the selection column. */
  readonly index: number
  readonly startPx: number
  readonly widthPx: number
  /** Whether this column is read-only although others are editable. */
  readonly isReadOnly: boolean
}

export type GridDensity = 'compact' | 'normal' | 'tall'

export const ROW_HEIGHTS_PX: Readonly<Record<GridDensity, number>> = { compact: 28, normal: 36, tall: 56 }

/** Heights for wrapped values with two, three and five lines. */
const WRAPPED_HEIGHTS_PX: typeof ROW_HEIGHTS_PX = { compact: 40, normal: 60, tall: 96 }

export const rowHeightPx = (density: GridDensity, isWrapped: boolean): number =>
  (isWrapped ? WRAPPED_HEIGHTS_PX : ROW_HEIGHTS_PX)[density]

export const HEADER_PX = 36

export const FILTERS_PX = 44

export const FOOTER_PX = 36

/** Room for a six-digit row number, or a checkbox and a link. */
export const SELECT_COLUMN_PX = 64

/** Width of the control after the last header. */
export const HEADER_END_PX = 44

export const COLUMN_WIDTH_PX = { normal: 180, min: 64, max: 1200, step: 16 } as const

/** One sorted column; the first one in a list has the highest priority. */
export type GridSort = { readonly columnId: string; readonly direction: 'asc' | 'desc' }

/** The sort order after a click on a header: ascending, descending, none. Shift keeps the other sorted columns. */
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

export function sortOf(sorting: readonly GridSort[], columnId: string): SortMark | undefined {
  const index = sorting.findIndex((sort) => sort.columnId === columnId)
  const sort = sorting[index]
  return sort && { direction: sort.direction, rank: index + 1, isOneOfSeveral: sorting.length > 1 }
}

export type SortMark = {
  readonly direction: 'asc' | 'desc'
  readonly rank: number
  readonly isOneOfSeveral: boolean
}

function following(current: GridSort | undefined, columnId: string): GridSort[] {
  if (!current) return [{ columnId, direction: 'asc' }]
  return current.direction === 'asc' ? [{ columnId, direction: 'desc' }] : []
}
