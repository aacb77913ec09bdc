import type { ReactNode } from 'react'
import type { CellEditor } from '#web/ui/grid/editing/grid-editing.ts'

export type FilterSlot = {
  /** Label of the input, because the header is a separate element. */
  readonly label: string
  /** Pass this to the input; filter inputs are tab stops only while one of them has focus. */
  readonly tabIndex: 0 | -1
}

/** A column defined by the app. The list must be stable between renders; otherwise every cell re-renders. */
export type GridColumn<Row> = {
  readonly id: string
  readonly header: string
  /** Shown while the header is hovered or focused. */
  readonly description?: string
  /** A notice about the column's values, shown as an icon next to the header. */
  readonly status?: string
  readonly widthPx?: number
  readonly minWidthPx?: number
  readonly align?: 'start' | 'end'
  /** The column that identifies a row: it is frozen at the start, and its cells open the row. */
  readonly isTitle?: boolean
  readonly isSortable?: boolean
  /** Whether double-clicking the header renames the column. */
  readonly isRenamable?: boolean
  readonly renderCell: (row: Row) => ReactNode
  readonly renderFilter?: (slot: FilterSlot) => ReactNode
  /** Plain text for the clipboard. Without it, the column is copied as empty cells. */
  readonly textOf?: (row: Row) => string
  /** Renders a cell's editor. Without it, the column is read-only. */
  readonly renderEditor?: (row: Row, editor: CellEditor) => ReactNode
  /** Whether Shift+Enter and Alt+Enter insert a line break in the cell editor. */
  readonly breaksLines?: boolean
  /** Whether the row's cell can be edited; defaults to true. */
  readonly isEditable?: (row: Row) => boolean
  /** Toggles a Boolean cell when Space is pressed. */
  readonly onToggle?: (row: Row) => void
  /**
   * Previews a cell's content when Space is pressed, even in read-only cells. Returns false if there is nothing to
   * preview.
   */
  readonly onPreview?: (row: Row) => boolean
  readonly takesFiles?: (row: Row) => boolean
  /** Why a cell's value is invalid; undefined if it is valid. */
  readonly faultOf?: (row: Row) => string | undefined
}

/** The user's column layout; columns not listed in `order` come last. */
export type GridLayout = {
  readonly order: readonly string[]
  readonly hidden: readonly string[]
  readonly widthsPx: Readonly<Record<string, number>>
  /** Frozen columns in order; by default, only the title column. */
  readonly frozen?: readonly string[]
}

export const DEFAULT_LAYOUT: GridLayout = { order: [], hidden: [], widthsPx: {} }

export type PlacedColumn<Row> = {
  readonly column: GridColumn<Row>
  /** Zero-based index across the whole grid, including the selection column. */
  readonly index: number
  readonly startPx: number
  readonly widthPx: number
  /** Whether the column is read-only in a grid with editable columns. */
  readonly isReadOnly: boolean
}

export type GridDensity = 'compact' | 'normal' | 'tall'

export const ROW_HEIGHTS_PX: Readonly<Record<GridDensity, number>> = { compact: 28, normal: 36, tall: 56 }

/** Row heights that fit two, three and five lines of wrapped text. */
const WRAPPED_HEIGHTS_PX: typeof ROW_HEIGHTS_PX = { compact: 40, normal: 60, tall: 96 }

export const rowHeightPx = (density: GridDensity, isWrapped: boolean): number =>
  (isWrapped ? WRAPPED_HEIGHTS_PX : ROW_HEIGHTS_PX)[density]

export const HEADER_PX = 36

export const FILTERS_PX = 44

export const FOOTER_PX = 36

/** Fits a six-digit row number, or a checkbox and a link. */
export const SELECT_COLUMN_PX = 64

/** Width of the control after the last header. */
export const HEADER_END_PX = 44

export const COLUMN_WIDTH_PX = { normal: 180, min: 64, max: 1200, step: 16 } as const

/** A sorted column; the first one in a list has the highest priority. */
export type GridSort = { readonly columnId: string; readonly direction: 'asc' | 'desc' }

/** The sort order after a header is clicked: ascending, descending, none. Shift keeps the other sorted columns. */
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
