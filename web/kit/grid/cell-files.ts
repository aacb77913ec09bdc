import type { DragEvent } from 'react'
import { type GridReach, rowOfPosition } from './grid-reach.ts'
import type { GridPosition } from './keyboard.ts'
import { findCell, positionOf } from './use-active-cell.ts'

/** Files held over a cell that takes them: says so to the browser, and shows the cell. */
export function holdFiles<Row>(reach: GridReach<Row>, event: DragEvent<HTMLElement>): void {
  const at = positionOf(event.currentTarget, event.target)
  const isTaken = event.dataTransfer.types.includes('Files') && at !== undefined && takesFiles(reach, at)
  showTarget(event.currentTarget, isTaken ? at : undefined)
  if (!isTaken) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'copy'
}

/** Files let go over a cell, or carried away again. */
export function dropFiles<Row>(reach: GridReach<Row>, event: DragEvent<HTMLElement>): void {
  const at = positionOf(event.currentTarget, event.target)
  showTarget(event.currentTarget, undefined)
  const { files } = event.dataTransfer
  if (event.type !== 'drop' || !at || files.length === 0 || !takesFiles(reach, at)) return
  event.preventDefault()
  giveFiles(reach, at, files)
}

/** Gives the app files for a cell; false where the cell takes none. */
export function giveFiles<Row>(reach: GridReach<Row>, at: GridPosition, files: FileList): boolean {
  const row = rowOfPosition(reach, at)
  const column = reach.columnAt(at.column)?.column
  if (row === undefined || !column || !takesFiles(reach, at)) return false
  reach.props.onFiles?.(row, column.id, [...files])
  return true
}

function takesFiles<Row>(reach: GridReach<Row>, at: GridPosition): boolean {
  const row = rowOfPosition(reach, at)
  const takes = reach.columnAt(at.column)?.column.takesFiles
  return reach.props.onFiles !== undefined && row !== undefined && (takes?.(row) ?? false)
}

/** One cell at a time is shown as taking files; outside React, because it lives no longer than a drag. */
function showTarget(grid: HTMLElement, at: GridPosition | undefined): void {
  const cell = at ? findCell(grid, at) : null
  for (const shown of grid.querySelectorAll<HTMLElement>('[data-drop]'))
    if (shown !== cell) delete shown.dataset['drop']
  if (cell) cell.dataset['drop'] = ''
}
