import type { MouseEvent } from 'react'
import {
  type CellBounds,
  type CellPlace,
  type CellRect,
  countOf,
  holds,
  oneCell,
  takeFirst,
  withFocusCell,
} from './cell-range.ts'
import { type DragArea, edgeScroll, followDrag, swallowClick } from './drag.ts'
import { blockIn, type GridContext, kindOfLine, placeOf, positionAt } from '#web/ui/grid/grid-context.ts'
import type { GridPosition } from '#web/ui/grid/keyboard/keyboard.ts'
import { positionOf } from './use-active-cell.ts'
import type { GridFill } from '#web/ui/grid/editing/grid-editing.ts'
import type { GridLines } from '#web/ui/grid/rows/row-window.ts'

type PasteTarget = { readonly rect: CellRect; readonly rowsBeyond: number; readonly columnsBeyond: number }

/**
 * The target cells of a paste: the whole selection when the table fits into it a whole number of times, otherwise an
 * area of the table's size from the first selected cell. Group headers are skipped.
 */
export function pasteTarget(
  marked: CellRect,
  size: { readonly rows: number; readonly columns: number },
  lines: GridLines,
  bounds: CellBounds,
): PasteTarget {
  const { firstLine, endLine, firstColumn, endColumn } = marked
  const markedRows = countOf(lines.rowsIn({ first: firstLine, end: endLine }))
  const isFilled = markedRows > 0 && markedRows % size.rows === 0 && (endColumn - firstColumn) % size.columns === 0
  if (isFilled) return { rect: marked, rowsBeyond: 0, columnsBeyond: 0 }

  const rows = takeFirst(lines.rowsIn({ first: firstLine, end: bounds.lines }), size.rows)
  const columns = Math.min(size.columns, bounds.endColumn - firstColumn)
  const lastLine = lines.lineOfRow((rows.at(-1)?.end ?? 0) - 1) ?? firstLine
  return {
    rect: { firstLine, endLine: lastLine + 1, firstColumn, endColumn: firstColumn + columns },
    rowsBeyond: size.rows - countOf(rows),
    columnsBeyond: size.columns - columns,
  }
}

type FillTarget = {
  readonly from: CellRect
  readonly to: CellRect
  readonly direction: GridFill['direction']
}

/**
 * The cells that dragging the handle fills: vertically or horizontally, whichever is further; nothing within the
 * selection.
 */
export function fillTarget(from: CellRect, toward: CellPlace): FillTarget | undefined {
  const up = from.firstLine - toward.line
  const down = toward.line - from.endLine + 1
  const start = from.firstColumn - toward.column
  const end = toward.column - from.endColumn + 1
  const most = Math.max(up, down, start, end)
  if (most <= 0) return undefined
  if (down === most) {
    return { from, to: { ...from, firstLine: from.endLine, endLine: toward.line + 1 }, direction: 'down' }
  }
  if (up === most) return { from, to: { ...from, firstLine: toward.line, endLine: from.firstLine }, direction: 'up' }
  if (end === most) {
    return { from, to: { ...from, firstColumn: from.endColumn, endColumn: toward.column + 1 }, direction: 'end' }
  }
  return { from, to: { ...from, firstColumn: toward.column, endColumn: from.firstColumn }, direction: 'start' }
}

export function wholeOf({ from, to }: FillTarget): CellRect {
  return {
    firstLine: Math.min(from.firstLine, to.firstLine),
    endLine: Math.max(from.endLine, to.endLine),
    firstColumn: Math.min(from.firstColumn, to.firstColumn),
    endColumn: Math.max(from.endColumn, to.endColumn),
  }
}

/** The selection is filled from its first row or column. A single row is filled from the row above. */
export function fillByKey(marked: CellRect, to: 'down' | 'end', lines: GridLines): FillTarget | undefined {
  const { firstLine, endLine, firstColumn, endColumn } = marked
  if (to === 'end') {
    if (endColumn - firstColumn < 2) return undefined
    const split = firstColumn + 1
    return { from: { ...marked, endColumn: split }, to: { ...marked, firstColumn: split }, direction: 'end' }
  }
  const rows = lines.rowsIn({ first: firstLine, end: endLine })
  const first = countOf(rows) > 1 ? lines.lineOfRow(rows[0]?.first ?? 0) : firstLine - 1
  if (first === undefined || lines.lineAt(first)?.kind !== 'row') return undefined
  const split = first + 1
  return {
    from: { ...marked, firstLine: first, endLine: split },
    to: { ...marked, firstLine: split },
    direction: 'down',
  }
}

const CONTROLS = 'button, input, select, textarea, [contenteditable], [data-select], .grid-editor'

/** A press on a cell focuses it, and a drag selects cells. Shift extends the selection. */
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

/** Before the context menu opens: the selection stays when it contains the cell. */
function pressForMenu<Row>(reach: GridContext<Row>, event: MouseEvent, at: GridPosition): void {
  const { marked, cell } = reach
  if (event.button !== 2) return
  event.preventDefault()
  if (marked.range && marked.rect && holds(marked.rect, placeOf(reach, at))) return
  marked.unmark()
  cell.send(at)
}

/** The pressed cell, unless the press is on a control or opens a link elsewhere. */
function pressedCell<Row>(reach: GridContext<Row>, event: MouseEvent<HTMLElement>): GridPosition | undefined {
  const { target, currentTarget } = event
  const at = positionOf(currentTarget, target)
  if (!at || !(target instanceof Element) || target.closest(CONTROLS)) return undefined
  const isForBrowser = (event.ctrlKey || event.metaKey) && target.closest('a')
  const isCell = kindOfLine(reach, at.line) === 'row' && at.column >= reach.bounds.firstColumn
  return isCell && !isForBrowser ? at : undefined
}

/** An open editor is saved first; if that fails, the press does nothing. */
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

/** Follows a drag from cell to cell; beyond the visible edges the grid scrolls along. */
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

/** The cell under the pointer, or the nearest one beyond the edges. */
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
