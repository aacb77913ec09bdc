import type { MouseEvent } from 'react'
import { holds, oneCell, rectOf } from '#web/ui/grid/selection/cell-range.ts'
import { blockIn, type GridContext, kindOfLine, placeOf, rowOfPosition } from '#web/ui/grid/grid-context.ts'
import { positionOf } from '#web/ui/grid/selection/use-active-cell.ts'

/** Asks the app for the menu of a cell. A link keeps the browser's menu, which can open it elsewhere. */
export function openCellMenu<Row>(reach: GridContext<Row>, event: MouseEvent<HTMLElement>): void {
  const { props, marked, bounds, columnAt } = reach
  const { target, currentTarget, clientX, clientY } = event
  const at = positionOf(currentTarget, target)
  if (!props.onCellMenu || !at || kindOfLine(reach, at.line) !== 'row') return
  if (target instanceof Element && target.closest('a, input:not([type="checkbox"]), textarea, .grid-editor')) return
  const row = rowOfPosition(reach, at)
  const columnId = columnAt(at.column)?.column.id
  const place = placeOf(reach, at)
  const rect = marked.rect && holds(marked.rect, place) ? marked.rect : rectOf(oneCell(place), bounds)
  if (row === undefined || columnId === undefined || !rect) return
  event.preventDefault()
  props.onCellMenu({ row, columnId, block: blockIn(reach, rect), xPx: clientX, yPx: clientY })
}
