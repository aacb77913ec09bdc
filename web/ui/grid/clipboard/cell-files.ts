import type { DragEvent } from 'react'
import { type GridContext, kindOfLine, rowOfPosition } from '#web/ui/grid/grid-context.ts'
import type { GridPosition } from '#web/ui/grid/keyboard/keyboard.ts'
import { findCell, positionOf } from '#web/ui/grid/selection/use-active-cell.ts'

/** What takes files: a cell, or its row as a whole. */
type Taking = 'cell' | 'row' | undefined

/** Files held over a cell or a row that takes them: says so to the browser, and shows which. */
export function dragFilesOver<Row>(reach: GridContext<Row>, event: DragEvent<HTMLElement>): void {
  const at = positionOf(event.currentTarget, event.target)
  const taking = event.dataTransfer.types.includes('Files') && at ? whatTakes(reach, at) : undefined
  showTarget(event.currentTarget, at, taking)
  if (!taking) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'copy'
}

/** Files let go over a cell or a row, or carried away again. */
export function dropFiles<Row>(reach: GridContext<Row>, event: DragEvent<HTMLElement>): void {
  const { currentTarget, target, dataTransfer, type, clientX, clientY } = event
  const at = positionOf(currentTarget, target)
  showTarget(currentTarget, undefined, undefined)
  if (type !== 'drop' || !at || dataTransfer.files.length === 0) return
  if (giveFiles(reach, at, { data: dataTransfer, xPx: clientX, yPx: clientY })) event.preventDefault()
}

/** Gives the app the files on the clipboard for the active cell; false where it takes none. */
export function pasteFiles<Row>(reach: GridContext<Row>, data: DataTransfer): boolean {
  const at = reach.cell.active
  return whatTakes(reach, at) === 'cell' && giveFiles(reach, at, { data, xPx: 0, yPx: 0 })
}

type Given = { readonly data: DataTransfer; readonly xPx: number; readonly yPx: number }

function giveFiles<Row>(reach: GridContext<Row>, at: GridPosition, given: Given): boolean {
  const row = rowOfPosition(reach, at)
  const taking = whatTakes(reach, at)
  if (row === undefined || !taking) return false
  const columnId = taking === 'cell' ? reach.columnAt(at.column)?.column.id : undefined
  reach.props.onFiles?.({ row, columnId, ...given })
  return true
}

function whatTakes<Row>(reach: GridContext<Row>, at: GridPosition): Taking {
  const row = rowOfPosition(reach, at)
  const { onFiles, rowTakesFiles } = reach.props
  if (!onFiles || row === undefined || kindOfLine(reach, at.line) !== 'row') return undefined
  if (reach.columnAt(at.column)?.column.takesFiles?.(row)) return 'cell'
  return rowTakesFiles?.(row) ? 'row' : undefined
}

/** One place at a time is shown as taking files; outside React, because it lives no longer than a drag. */
function showTarget(grid: HTMLElement, at: GridPosition | undefined, taking: Taking): void {
  const cell = at && taking ? findCell(grid, at) : null
  const place = taking === 'row' ? cell?.closest<HTMLElement>('[data-line]') : cell
  for (const shown of grid.querySelectorAll<HTMLElement>('[data-drop]'))
    if (shown !== place) delete shown.dataset['drop']
  if (place) place.dataset['drop'] = ''
}
