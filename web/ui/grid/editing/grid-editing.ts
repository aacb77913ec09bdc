import type { RefObject } from 'react'
import type { CellBlock } from '#web/ui/grid/selection/cell-range.ts'

export type CellTable = readonly (readonly string[])[]

export type EditMove = 'stay' | 'down' | 'up' | 'next' | 'previous'

export type CellEditor = {
  /** Typed text that replaces the value; undefined keeps the value. */
  readonly seed: string | undefined
  /**
   * Set by the editor to a function that saves its value. The grid calls it on Enter, Tab and outside clicks, then
   * closes the editor; returning `false` keeps it open because the value is invalid.
   */
  readonly commitRef: RefObject<(() => boolean) | null>
  /** Closes the editor after its value is saved, for example when an option is selected. */
  readonly onDone: (move?: EditMove) => void
  readonly onCancel: () => void
}

/** A table from the clipboard and its target cells. Values are repeated if there are more target cells than values. */
export type GridPaste = {
  readonly texts: CellTable
  readonly block: CellBlock
  /** Number of rows and columns that didn't fit. */
  readonly rowsBeyond: number
  readonly columnsBeyond: number
}

export type GridFill = {
  readonly from: CellBlock
  /** The cells to fill, excluding the source cells. */
  readonly to: CellBlock
  readonly direction: 'down' | 'up' | 'end' | 'start'
  /** Whether to continue the source series or repeat its values. */
  readonly how: 'series' | 'copy'
}

export type CellMenu<Row> = {
  readonly row: Row
  /** Undefined if the menu was opened on the row number. */
  readonly columnId: string | undefined
  readonly block: CellBlock
  readonly xPx: number
  readonly yPx: number
  /** Further commands of the view. */
  readonly commands?: readonly MenuCommand[] | undefined
}

/** Disabled without `run`; `hint` says why. */
export type MenuCommand = {
  readonly label: string
  readonly hint?: string | undefined
  readonly run: (() => void) | undefined
}

/** Column commands in the menu, as alternatives to drag and drop. */
export type ColumnCommands = {
  readonly fitWidth: () => void
  readonly canMove: (by: -1 | 1) => boolean
  readonly move: (by: -1 | 1) => void
  readonly freezeUpTo: () => void
  readonly unfreeze: () => void
  readonly isFrozenEdge: boolean
  readonly selectCells: () => void
}

export type GridHandle = {
  /** Scrolls to a row and focuses one of its cells; false if the row isn't in the list. */
  readonly goTo: (ordinal: number, columnId?: string) => boolean
  readonly edit: (ordinal: number, columnId: string, seed?: string) => boolean
  /** Ordinal of the last focused row; undefined for the header or a group header. */
  readonly ordinal: () => number | undefined
  /** Column of the active cell; undefined for the row number or if the view has no cells. */
  readonly columnId: () => string | undefined
  /** Visible columns in order; empty if the view has no cells. */
  readonly columnIds: () => readonly string[]
  /** Whether a row is in the list and not in a collapsed group. */
  readonly has: (ordinal: number) => boolean
  /** Scrolls to a row and makes it, or one of its cells, the tab stop without moving focus. */
  readonly show: (ordinal: number, columnId?: string) => boolean
  readonly focus: () => void
}

export type DroppedFiles<Row> = {
  readonly row: Row
  /** Undefined if the files were dropped on the row as a whole. */
  readonly columnId: string | undefined
  /** Must be read synchronously, because it is available only during the event. */
  readonly data: DataTransfer
  /** Drop position in viewport coordinates. */
  readonly xPx: number
  readonly yPx: number
}
