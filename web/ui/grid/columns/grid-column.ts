import type { ReactNode } from 'react'
import type { CellEditor } from '#web/ui/grid/editing/grid-editing.ts'

export type FilterSlot = {
  /** Label of the input, since the header is a separate element. */
  readonly label: string
  /** Pass on to the input: filters are tab stops only while one of them has focus. */
  readonly tabIndex: 0 | -1
}

/** One column as the app describes it. Keep the list stable between renders, or every cell renders again. */
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
  /** Plain text for the clipboard. Without it, cells of this column are copied empty. */
  readonly textOf?: (row: Row) => string
  /** Renders the editor of a cell. Without it the column is read-only. */
  readonly renderEditor?: (row: Row, editor: CellEditor) => ReactNode
  /** In its editor Shift+Enter and Alt+Enter insert a line break. */
  readonly breaksLines?: boolean
  /** Whether the cell of this row can be edited; default: every row. */
  readonly isEditable?: (row: Row) => boolean
  /** Toggles a Boolean cell: Space. */
  readonly onToggle?: (row: Row) => void
  /** Previews a cell's content, editable or not: Space. False when there is nothing to preview. */
  readonly onPreview?: (row: Row) => boolean
  readonly takesFiles?: (row: Row) => boolean
  /** Why the value of a cell is invalid; undefined when it is valid. */
  readonly faultOf?: (row: Row) => string | undefined
}

/** The column layout of the user; columns missing from `order` follow at the end. */
export type GridLayout = {
  readonly order: readonly string[]
  readonly hidden: readonly string[]
  readonly widthsPx: Readonly<Record<string, number>>
  /** The frozen columns in order; default: only the title. */
  readonly frozen?: readonly string[]
}

export const DEFAULT_LAYOUT: GridLayout = { order: [], hidden: [], widthsPx: {} }

export type PlacedColumn<Row> = {
  readonly column: GridColumn<Row>
  /** Counted from 0 over the whole grid, the selection column included. */
  readonly index: number
  readonly startPx: number
  readonly widthPx: number
  /** Other columns are editable, this one is not. */
  readonly isReadOnly: boolean
}

export type GridDensity = 'compact' | 'normal' | 'tall'

export const ROW_HEIGHTS_PX: Readonly<Record<GridDensity, number>> = { compact: 28, normal: 36, tall: 56 }

/** Heights for wrapped values of two, three and five lines. */
const WRAPPED_HEIGHTS_PX: typeof ROW_HEIGHTS_PX = { compact: 40, normal: 60, tall: 96 }

export const rowHeightPx = (density: GridDensity, isWrapped: boolean): number =>
  (isWrapped ? WRAPPED_HEIGHTS_PX : ROW_HEIGHTS_PX)[density]

export const HEADER_PX = 36

export const FILTERS_PX = 44

export const FOOTER_PX = 36

/** Room for a row number of six digits, or a checkbox and a link. */
export const SELECT_COLUMN_PX = 64

/** The control after the last header. */
export const HEADER_END_PX = 44

export const COLUMN_WIDTH_PX = { normal: 180, min: 64, max: 1200, step: 16 } as const

/** One sorted column; the first of a list has the highest priority. */
export type GridSort = { readonly columnId: string; readonly direction: 'asc' | 'desc' }

/** The sort order after a click on a header: ascending, descending, none. Shift keeps the other columns. */
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
