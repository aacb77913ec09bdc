import type { RefObject } from 'react'
import type { CellBlock } from '#web/ui/grid/selection/cell-range.ts'

/** Rows of texts, as a spreadsheet puts them on the clipboard. */
export type CellTable = readonly (readonly string[])[]

/** Where the focus goes when a cell has been edited. */
export type EditMove = 'stay' | 'down' | 'up' | 'next' | 'previous'

/** What a cell's editor is given, and how it says that it is done. */
export type CellEditor = {
  /** What was typed to begin with and takes the place of the value; undefined keeps the value. */
  readonly seed: string | undefined
  /**
   * The editor puts here what keeps its value. The grid calls it on Enter, Tab and a click elsewhere, then closes the
   * editor; `false` keeps it open, for a value that cannot be kept.
   */
  readonly commitRef: RefObject<(() => boolean) | null>
  /** The value is kept already, as when a choice was picked: closes the editor. */
  readonly onDone: (move?: EditMove) => void
  /** Closes the editor and leaves the value as it was. */
  readonly onCancel: () => void
}

/** A table from the clipboard and the cells it goes to. Where there are more cells than texts, the texts repeat. */
export type GridPaste = {
  readonly texts: CellTable
  readonly block: CellBlock
  /** Rows and columns of the table for which the grid had no room. */
  readonly rowsBeyond: number
  readonly columnsBeyond: number
}

/** Cells to be filled from others beside them. */
export type GridFill = {
  readonly from: CellBlock
  /** The cells to fill, without those they are filled from. */
  readonly to: CellBlock
  readonly direction: 'down' | 'up' | 'end' | 'start'
  /** Go on with what the cells begin, or repeat them. */
  readonly how: 'series' | 'copy'
}

/** A cell whose menu is wanted, the cells that are marked with it, and where on the screen. */
export type CellMenu<Row> = {
  readonly row: Row
  readonly columnId: string
  readonly block: CellBlock
  readonly xPx: number
  readonly yPx: number
}

/** What can be done with a column from its menu: the ways without a drag. */
export type ColumnCommands = {
  readonly fitWidth: () => void
  readonly canMove: (by: -1 | 1) => boolean
  readonly move: (by: -1 | 1) => void
  /** Freezes this column and all before it. */
  readonly freezeUpTo: () => void
  readonly unfreeze: () => void
  /** This column is the last of the frozen ones. */
  readonly isFrozenEdge: boolean
  readonly selectCells: () => void
}

/** How an app reaches into a grid: to show a cell, to edit it, to give the focus back. */
export type GridHandle = {
  /** Brings a row into sight and the focus to one of its cells; false when the row is not in the list. */
  readonly goTo: (ordinal: number, columnId?: string) => boolean
  /** The same, and begins to edit. */
  readonly edit: (ordinal: number, columnId: string, seed?: string) => boolean
  /** The row of the cell that had the focus last, by its ordinal; undefined on a header or the head of a group. */
  readonly ordinal: () => number | undefined
  /** Brings a row into sight and makes it the one the keyboard comes to next; the focus stays where it is. */
  readonly show: (ordinal: number) => boolean
  /** Gives the focus to the cell that had it last. */
  readonly focus: () => void
}

/** Files that were dropped or pasted. */
export type DroppedFiles<Row> = {
  readonly row: Row
  /** Undefined when they are for the row as a whole. */
  readonly columnId: string | undefined
  /** What it holds must be asked for at once: it is gone after the event. */
  readonly data: DataTransfer
  /** Where they were let go, in the window. */
  readonly xPx: number
  readonly yPx: number
}
