import type { MouseEvent } from 'react'
import { type CellPlace, holds, oneCell, withFocusCell } from './cell-range.ts'
import { type DragArea, edgeScroll, followDrag, swallowClick } from './drag.ts'
import { blockIn, type GridContext, kindOfLine, placeOf, positionAt } from '#web/ui/grid/grid-context.ts'
import type { GridPosition } from '#web/ui/grid/keyboard/keyboard.ts'
import { type FillTarget, fillTarget, wholeOf } from './range-targets.ts'
import { positionOf } from './use-active-cell.ts'

/** What in a cell has presses of its own. */
const CONTROLS = 'button, input, select, textarea, [contenteditable], [data-select], .grid-editor'

/** A press on a cell: the focus goes there, and a drag from there marks cells. Shift takes the marked ones up to there. */
export function pressCell<Row>(reachNow: () => GridContext<Row>, event: MouseEvent<HTMLElement>): void {
  const reach = reachNow()
  const { target, currentTarget } = event
  const at = pressedCell(reach, event)
  if (!at || !settled(reach, event)) return
  if (event.button !== 0) return pressForMenu(reach, event, at)

  event.preventDefault()
  if (target instanceof Element && target.closest('[data-fill]')) return dragHandle(reachNow, currentTarget)
  if (event.shiftKey) {
    const from = reach.cell.active
    extendTo(reach, from, placeOf(reach, at))
    return dragRange(reachNow, currentTarget, { from, isExtending: true })
  }
  reach.marked.unmark()
  reach.cell.send(at)
  dragRange(reachNow, currentTarget, { from: at, isExtending: false })
}

/** Before the menu of a cell: the marked cells stay marked when it is one of them. */
function pressForMenu<Row>(reach: GridContext<Row>, event: MouseEvent, at: GridPosition): void {
  const { marked, cell } = reach
  if (event.button !== 2) return
  event.preventDefault()
  if (marked.range && marked.rect && holds(marked.rect, placeOf(reach, at))) return
  marked.unmark()
  cell.send(at)
}

/** The cell of a press that is the grid's own: not a control's, and not one that opens a link elsewhere. */
function pressedCell<Row>(reach: GridContext<Row>, event: MouseEvent<HTMLElement>): GridPosition | undefined {
  const { target, currentTarget } = event
  const at = positionOf(currentTarget, target)
  if (!at || !(target instanceof Element) || target.closest(CONTROLS)) return undefined
  const isForBrowser = (event.ctrlKey || event.metaKey) && target.closest('a')
  const isCell = kindOfLine(reach, at.line) === 'row' && at.column >= reach.bounds.firstColumn
  return isCell && !isForBrowser ? at : undefined
}

/** What is being edited elsewhere is kept first; where it cannot be, the press does nothing. */
function settled<Row>({ editing }: GridContext<Row>, event: MouseEvent): boolean {
  if (!editing.edited || editing.settle(undefined)) return true
  event.preventDefault()
  return false
}

function extendTo<Row>(reach: GridContext<Row>, from: GridPosition, head: CellPlace): void {
  const { marked, extent } = reach
  const anchor = { line: Math.max(0, from.line - extent.headLines), column: from.column }
  marked.mark(withFocusCell(marked.range ?? oneCell(anchor), head), from)
}

function dragRange<Row>(
  reachNow: () => GridContext<Row>,
  grid: HTMLElement,
  { from, isExtending }: { readonly from: GridPosition; readonly isExtending: boolean },
): void {
  let hasMoved = isExtending
  followCells(reachNow, grid, {
    onCell: (place) => {
      const reach = reachNow()
      const isStart = place.line === from.line - reach.extent.headLines && place.column === from.column
      if (isStart && !hasMoved) return
      hasMoved = true
      extendTo(reach, from, place)
    },
    onEnd: ({ isCalledOff }) => {
      if (hasMoved) swallowClick()
      if (isCalledOff) reachNow().marked.unmark()
    },
  })
}

/** Drags the corner of the marked cells over those that are to be filled from them. */
function dragHandle<Row>(reachNow: () => GridContext<Row>, grid: HTMLElement): void {
  const from = reachNow().marked.rect
  let target: FillTarget | undefined
  if (!from) return
  followCells(reachNow, grid, {
    onCell: (place) => {
      target = fillTarget(from, place)
      reachNow().marked.preview(target && wholeOf(target))
    },
    onEnd: ({ isCalledOff, hasCtrl }) => {
      const reach = reachNow()
      reach.marked.preview(undefined)
      if (!target || isCalledOff) return
      swallowClick()
      const { direction } = target
      const how = hasCtrl ? 'copy' : 'series'
      const to = blockIn(reach, target.to)
      if (to.rowCount > 0) reach.props.onFill?.({ from: blockIn(reach, from), to, direction, how })
      const { firstLine, firstColumn, endLine, endColumn } = wholeOf(target)
      const first = { line: firstLine, column: firstColumn }
      const at = positionAt(reach, first)
      reach.cell.send(at)
      reach.marked.mark({ ...oneCell(first), head: { line: endLine - 1, column: endColumn - 1 } }, at)
    },
  })
}

type CellDrag = {
  readonly onCell: (place: CellPlace) => void
  readonly onEnd: (end: { readonly isCalledOff: boolean; readonly hasCtrl: boolean }) => void
}

/** Follows a drag from cell to cell; beyond the edges of what is in sight the grid scrolls along. */
function followCells<Row>(reachNow: () => GridContext<Row>, grid: HTMLElement, { onCell, onEnd }: CellDrag): void {
  let at = { xPx: 0, yPx: 0 }
  let last = ''
  const look = () => {
    const reach = reachNow()
    const found = cellUnder(grid, areaOf(reach, grid), at)
    if (!found || kindOfLine(reach, found.line) !== 'row') return
    const place = { line: found.line, column: Math.max(found.column, reach.bounds.firstColumn) }
    const key = `${place.line} ${place.column}`
    if (key === last) return
    last = key
    onCell(placeOf(reach, place))
  }
  const scroll = edgeScroll(grid, () => areaOf(reachNow(), grid), look)
  followDrag({
    onMove: (to) => {
      at = to
      look()
      scroll.moveTo(to)
    },
    onEnd: (end) => {
      scroll.stop()
      onEnd(end)
    },
  })
}

/** Where cells are: under the header, and beside the frozen columns for as long as others are scrolled behind these. */
function areaOf<Row>({ paneStartPx }: GridContext<Row>, grid: HTMLElement): DragArea {
  const frame = grid.getBoundingClientRect()
  const head = grid.querySelector('.grid-head')?.getBoundingClientRect()
  const startPx = Math.abs(grid.scrollLeft) > 1 ? paneStartPx : 0
  const isRtl = getComputedStyle(grid).direction === 'rtl'
  const left = frame.left + grid.clientLeft
  return {
    left: left + (isRtl ? 0 : startPx),
    right: left + grid.clientWidth - (isRtl ? startPx : 0),
    top: head?.bottom ?? frame.top,
    bottom: frame.top + grid.clientTop + grid.clientHeight,
  }
}

/** The cell under the pointer, or the nearest one where the pointer is beyond the edge. */
function cellUnder(
  grid: HTMLElement,
  area: DragArea,
  { xPx, yPx }: { readonly xPx: number; readonly yPx: number },
): GridPosition | undefined {
  const x = Math.min(Math.max(xPx, area.left + 1), area.right - 2)
  const y = Math.min(Math.max(yPx, area.top + 1), area.bottom - 2)
  const found = document.elementFromPoint(x, y)
  return found ? positionOf(grid, found) : undefined
}
