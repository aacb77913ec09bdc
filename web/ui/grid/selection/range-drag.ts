import type { MouseEvent as ReactMouseEvent } from 'react'
import {
  type CellBounds,
  type CellPlace,
  type CellRect,
  countOf,
  containsCell,
  oneCell,
  takeFirst,
} from './cell-range.ts'
import { blockIn, type GridContext, kindOfLine, placeOf, positionAt } from '#web/ui/grid/grid-context.ts'
import type { GridPosition } from '#web/ui/grid/keyboard/keyboard.ts'
import { positionOf } from './use-active-cell.ts'
import type { GridFill } from '#web/ui/grid/editing/grid-editing.ts'
import type { GridLines } from '#web/ui/grid/rows/row-window.ts'
import { type DragArea, edgeScroll, followDrag, swallowClick } from '#web/ui/browser/pointer-drag.ts'

type PasteTarget = { readonly rect: CellRect; readonly rowsBeyond: number; readonly columnsBeyond: number }

/**
 * Target cells of a paste: the whole selection if its size is a multiple of the table's size, otherwise an area of the
 * table's size starting at the first selected cell. Skips group headers.
 */
export function pasteTarget(
  selected: CellRect,
  size: { readonly rows: number; readonly columns: number },
  lines: GridLines,
  bounds: CellBounds,
): PasteTarget {
  const { firstLine, endLine, firstColumn, endColumn } = selected
  const markedRows = countOf(lines.rowsIn({ first: firstLine, end: endLine }))
  const isFilled = markedRows > 0 && markedRows % size.rows === 0 && (endColumn - firstColumn) % size.columns === 0
  if (isFilled) return { rect: selected, rowsBeyond: 0, columnsBeyond: 0 }

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

/** The cells to fill when dragging the handle: vertically or horizontally, whichever distance is greater. */
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

export function unionOf({ from, to }: FillTarget): CellRect {
  return {
    firstLine: Math.min(from.firstLine, to.firstLine),
    endLine: Math.max(from.endLine, to.endLine),
    firstColumn: Math.min(from.firstColumn, to.firstColumn),
    endColumn: Math.max(from.endColumn, to.endColumn),
  }
}

/** Fills the selection from its first row or column. A single row is filled from the row above. */
export function fillByKey(selected: CellRect, to: 'down' | 'end', lines: GridLines): FillTarget | undefined {
  const { firstLine, endLine, firstColumn, endColumn } = selected
  if (to === 'end') {
    if (endColumn - firstColumn < 2) return undefined
    const split = firstColumn + 1
    return { from: { ...selected, endColumn: split }, to: { ...selected, firstColumn: split }, direction: 'end' }
  }
  const rows = lines.rowsIn({ first: firstLine, end: endLine })
  const first = countOf(rows) > 1 ? lines.lineOfRow(rows[0]?.first ?? 0) : firstLine - 1
  if (first === undefined || lines.lineAt(first)?.kind !== 'row') return undefined
  const split = first + 1
  return {
    from: { ...selected, firstLine: first, endLine: split },
    to: { ...selected, firstLine: split },
    direction: 'down',
  }
}

const CONTROLS = 'button, input, select, textarea, [contenteditable], [data-select], .grid-editor'

/** Pressing a cell focuses it, and dragging selects cells. Shift extends the selection. */
export function pressCell<Row>(getContext: () => GridContext<Row>, event: ReactMouseEvent<HTMLElement>): void {
  const context = getContext()
  const { target, currentTarget } = event
  const at = pressedCell(context, event)
  if (!at || !commitOpenEditor(context, event)) return
  if (event.button !== 0) return pressForMenu(context, event, at)

  event.preventDefault()
  if (target instanceof Element && target.closest('[data-fill]')) return dragHandle(getContext, currentTarget)
  if (event.shiftKey) {
    const from = context.cell.active
    extendTo(context, from, placeOf(context, at))
    return dragRange(getContext, currentTarget, { from, isExtending: true })
  }
  context.cellRange.clear()
  context.cell.focus(at)
  dragRange(getContext, currentTarget, { from: at, isExtending: false })
}

/** Runs before the context menu opens; the selection is kept if it contains the cell. */
function pressForMenu<Row>(context: GridContext<Row>, event: ReactMouseEvent, at: GridPosition): void {
  const { cellRange, cell } = context
  if (event.button !== 2) return
  event.preventDefault()
  if (cellRange.range && cellRange.rect && containsCell(cellRange.rect, placeOf(context, at))) return
  cellRange.clear()
  cell.focus(at)
}

/** The pressed cell; undefined if a control was pressed, or a link that opens elsewhere. */
function pressedCell<Row>(context: GridContext<Row>, event: ReactMouseEvent<HTMLElement>): GridPosition | undefined {
  const { target, currentTarget } = event
  const at = positionOf(currentTarget, target)
  if (!at || !(target instanceof Element) || target.closest(CONTROLS)) return undefined
  const opensLink = (event.ctrlKey || event.metaKey) && target.closest('a')
  const isCell = kindOfLine(context, at.line) === 'row' && at.column >= context.bounds.firstColumn
  return isCell && !opensLink ? at : undefined
}

/** Saves an open editor first; if that fails, the press is ignored. */
function commitOpenEditor<Row>({ editing }: GridContext<Row>, event: ReactMouseEvent): boolean {
  if (!editing.edited || editing.commit(undefined)) return true
  event.preventDefault()
  return false
}

function extendTo<Row>(context: GridContext<Row>, from: GridPosition, focus: CellPlace): void {
  const { cellRange, extent } = context
  const anchor = { line: Math.max(0, from.line - extent.headerLines), column: from.column }
  cellRange.select({ ...(cellRange.range ?? oneCell(anchor)), focus }, from)
}

function dragRange<Row>(
  getContext: () => GridContext<Row>,
  grid: HTMLElement,
  { from, isExtending }: { readonly from: GridPosition; readonly isExtending: boolean },
): void {
  let hasMoved = isExtending
  trackCells(getContext, grid, {
    onCell: (place) => {
      const context = getContext()
      const isStart = place.line === from.line - context.extent.headerLines && place.column === from.column
      if (isStart && !hasMoved) return
      hasMoved = true
      extendTo(context, from, place)
    },
    onEnd: ({ isCanceled }) => {
      if (hasMoved) swallowClick()
      if (isCanceled) getContext().cellRange.clear()
    },
  })
}

function dragHandle<Row>(getContext: () => GridContext<Row>, grid: HTMLElement): void {
  const from = getContext().cellRange.rect
  let target: FillTarget | undefined
  if (!from) return
  trackCells(getContext, grid, {
    onCell: (place) => {
      target = fillTarget(from, place)
      getContext().cellRange.preview(target && unionOf(target))
    },
    onEnd: ({ isCanceled, hasCtrl }) => {
      const context = getContext()
      context.cellRange.preview(undefined)
      if (!target || isCanceled) return
      swallowClick()
      const { direction } = target
      const how = hasCtrl ? 'copy' : 'series'
      const to = blockIn(context, target.to)
      if (to.rowCount > 0) context.props.onFill?.({ from: blockIn(context, from), to, direction, how })
      const { firstLine, firstColumn, endLine, endColumn } = unionOf(target)
      const first = { line: firstLine, column: firstColumn }
      const at = positionAt(context, first)
      context.cell.focus(at)
      context.cellRange.select({ ...oneCell(first), focus: { line: endLine - 1, column: endColumn - 1 } }, at)
    },
  })
}

type CellDrag = {
  readonly onCell: (place: CellPlace) => void
  readonly onEnd: (end: { readonly isCanceled: boolean; readonly hasCtrl: boolean }) => void
}

/** Tracks a drag from cell to cell; at the visible edges, the grid scrolls. */
function trackCells<Row>(getContext: () => GridContext<Row>, grid: HTMLElement, { onCell, onEnd }: CellDrag): void {
  let at = { xPx: 0, yPx: 0 }
  let last = ''
  const update = () => {
    const context = getContext()
    const found = cellUnder(grid, cellArea(context, grid), at)
    if (!found || kindOfLine(context, found.line) !== 'row') return
    const place = { line: found.line, column: Math.max(found.column, context.bounds.firstColumn) }
    const key = `${place.line} ${place.column}`
    if (key === last) return
    last = key
    onCell(placeOf(context, place))
  }
  const scroll = edgeScroll(grid, () => cellArea(getContext(), grid), update)
  followDrag({
    onMove: (to) => {
      at = to
      update()
      scroll.moveTo(to)
    },
    onEnd: (end) => {
      scroll.stop()
      onEnd(end)
    },
  })
}

function cellArea<Row>({ paneStartPx }: GridContext<Row>, grid: HTMLElement): DragArea {
  const frame = grid.getBoundingClientRect()
  const header = grid.querySelector('.grid-header')?.getBoundingClientRect()
  const startPx = Math.abs(grid.scrollLeft) > 1 ? paneStartPx : 0
  const isRtl = getComputedStyle(grid).direction === 'rtl'
  const left = frame.left + grid.clientLeft
  return {
    left: left + (isRtl ? 0 : startPx),
    right: left + grid.clientWidth - (isRtl ? startPx : 0),
    top: header?.bottom ?? frame.top,
    bottom: frame.top + grid.clientTop + grid.clientHeight,
  }
}

/** The cell under the pointer, or the nearest one if the pointer is outside the visible area. */
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
