import { runOnCells, startEditing } from './keyboard/cell-commands.ts'
import { columnCommands, fitColumn, moveColumnTo } from './columns/column-commands.ts'

import { EditorBox } from './editing/editor-box.tsx'
import {
  blockIn,
  type GridContext,
  type GridInteractions,
  kindOfLine,
  placeOf,
  positionAt,
  rowOfPosition,
} from './grid-context.ts'
import { pasteTarget, pressCell } from './selection/range-drag.ts'
import type { ClipboardEvent, DragEvent, MouseEvent } from 'react'
import { type CellBlock, holds, oneCell, rectOf } from './selection/cell-range.ts'
import { findCell, positionOf } from './selection/use-active-cell.ts'
import { type ClipboardFlavours, readClipboard, writeClipboard } from './clipboard/clipboard-table.ts'
import type { CellTable } from './editing/grid-editing.ts'
import { rowAt } from './grid-props.ts'

import { canMoveTo, shownColumns } from './columns/column-layout.ts'
import { type DragArea, edgeScroll, followDrag, swallowClick } from './selection/drag.ts'
import type { GridPosition } from './keyboard/keyboard.ts'

type Taking = 'cell' | 'row' | undefined

/** Accepts dragged files over a cell or row that takes them, and highlights it. */
function dragFilesOver<Row>(reach: GridContext<Row>, event: DragEvent<HTMLElement>): void {
  const at = positionOf(event.currentTarget, event.target)
  const taking = event.dataTransfer.types.includes('Files') && at ? whatTakes(reach, at) : undefined
  showTarget(event.currentTarget, at, taking)
  if (!taking) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'copy'
}

function dropFiles<Row>(reach: GridContext<Row>, event: DragEvent<HTMLElement>): void {
  const { currentTarget, target, dataTransfer, type, clientX, clientY } = event
  const at = positionOf(currentTarget, target)
  showTarget(currentTarget, undefined, undefined)
  if (type !== 'drop' || !at || dataTransfer.files.length === 0) return
  if (giveFiles(reach, at, { data: dataTransfer, xPx: clientX, yPx: clientY })) event.preventDefault()
}

/** Passes pasted files to the app for the active cell; false where it takes none. */
function pasteFiles<Row>(reach: GridContext<Row>, data: DataTransfer): boolean {
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

/** One drop target is highlighted at a time; outside React, because it exists only during a drag. */
function showTarget(grid: HTMLElement, at: GridPosition | undefined, taking: Taking): void {
  const cell = at && taking ? findCell(grid, at) : null
  const place = taking === 'row' ? cell?.closest<HTMLElement>('[data-line]') : cell
  for (const shown of grid.querySelectorAll<HTMLElement>('[data-drop]'))
    if (shown !== place) delete shown.dataset['drop']
  if (place) place.dataset['drop'] = ''
}

/** Distance in px after which a press is a drag rather than a click. */
const SLACK_PX = 6

/** Distance to the edge in px at which the grid scrolls along. */
const EDGE_PX = 32

/** Starts dragging a column from its header. Returns whether the press was on the header itself. */
function pressHeader<Row>(reachNow: () => GridContext<Row>, event: MouseEvent<HTMLElement>): boolean {
  const { target, currentTarget: grid, clientX } = event
  const header = target instanceof Element ? target.closest<HTMLElement>('.grid-head-cell') : null
  const columnId = header?.dataset['columnId']
  if (!(target instanceof Element) || columnId === undefined) return false
  const isOnOther = target.closest('button:not([data-sort]), .grid-resize') !== null
  if (!isOnOther && event.button === 0 && reachNow().props.onLayout) dragColumn(reachNow, grid, columnId, clientX)
  return true
}

function dragColumn<Row>(reachNow: () => GridContext<Row>, grid: HTMLElement, columnId: string, startX: number): void {
  const mark = dropIndicator(grid)
  let atX = startX
  let to: number | undefined
  const show = () => {
    const { props, layout } = reachNow()
    const headers = otherHeaders(grid, shownColumns(props.columns, layout).ids, columnId)
    const found = dropPlace(headers, atX)
    to = found && canMoveTo(props.columns, layout, columnId, found.place) ? found.place : undefined
    mark.show(to === undefined ? undefined : found?.edgePx)
  }
  const scroll = edgeScroll(grid, () => middleOf(grid), show)
  followDrag({
    onMove: ({ xPx, yPx }) => {
      atX = xPx
      if (!mark.isDragging() && Math.abs(xPx - startX) < SLACK_PX) return
      show()
      scroll.moveTo({ xPx, yPx })
    },
    onEnd: ({ isCalledOff }) => {
      scroll.stop()
      if (mark.isDragging()) swallowClick()
      mark.remove()
      if (to !== undefined && !isCalledOff) moveColumnTo(reachNow(), columnId, to)
    },
  })
}

type Header = { readonly place: number; readonly startPx: number; readonly endPx: number }

function otherHeaders(grid: Element, ids: readonly string[], movedId: string): Header[] {
  const isRtl = getComputedStyle(grid).direction === 'rtl'
  const others = ids.filter((id) => id !== movedId)
  return others.flatMap((id, place) => {
    const rect = grid.querySelector(`[data-column-id="${CSS.escape(id)}"]`)?.getBoundingClientRect()
    if (!rect) return []
    return isRtl ? { place, startPx: rect.right, endPx: rect.left } : { place, startPx: rect.left, endPx: rect.right }
  })
}

function dropPlace(headers: readonly Header[], atX: number): { place: number; edgePx: number } | undefined {
  const isBeyond = ({ startPx, endPx }: Header) => (endPx > startPx ? 1 : -1) * ((startPx + endPx) / 2 - atX) > 0
  const next = headers.find(isBeyond)
  if (next) return { place: next.place, edgePx: next.startPx }
  const last = headers.at(-1)
  return last && { place: last.place + 1, edgePx: last.endPx }
}

function middleOf(grid: Element): DragArea {
  const { left, right } = grid.getBoundingClientRect()
  return {
    left: left + EDGE_PX,
    right: right - EDGE_PX,
    top: Number.NEGATIVE_INFINITY,
    bottom: Number.POSITIVE_INFINITY,
  }
}

/** The line at the drop position; outside React, because it exists only during a drag. */
function dropIndicator(grid: HTMLElement) {
  const line = document.createElement('div')
  line.className = 'grid-drop-mark'
  line.hidden = true
  return {
    isDragging: () => line.isConnected,
    show: (edgePx: number | undefined) => {
      if (!line.isConnected) grid.parentElement?.append(line)
      grid.dataset['dragging'] = 'column'
      line.hidden = edgePx === undefined
      line.style.left = `${(edgePx ?? 0) - grid.getBoundingClientRect().left - 1}px`
    },
    remove: () => {
      delete grid.dataset['dragging']
      line.remove()
    },
  }
}

function copyCells<Row>(reach: GridContext<Row>, event: ClipboardEvent, isCut: boolean): void {
  const { marked } = reach
  if (isOthers(reach, event) || !marked.rect) return
  const block = blockIn(reach, marked.rect)
  if (block.rowCount === 0 || block.columnIds.length === 0) return
  event.preventDefault()
  const rows = loadedRows(reach, block)
  if (!rows) return void copyLater(reach, block, isCut)
  const { text, html } = writeClipboard(textsOf(reach, block, rows))
  event.clipboardData.setData('text/plain', text)
  event.clipboardData.setData('text/html', html)
  haveCopied(reach, block, isCut)
}

function haveCopied<Row>({ props, texts, say }: GridContext<Row>, block: CellBlock, isCut: boolean): void {
  say(texts.copied(block.rowCount * block.columnIds.length))
  if (isCut) props.onClear?.(block)
}

function pasteCells<Row>(reach: GridContext<Row>, event: ClipboardEvent): void {
  const { clipboardData } = event
  if (isOthers(reach, event)) return
  // An image has no text; cells copied from a spreadsheet come with an image of themselves and count as text.
  const isFileOnly = clipboardData.files.length > 0 && !clipboardData.types.includes('text/plain')
  if (isFileOnly && pasteFiles(reach, clipboardData)) return event.preventDefault()
  const table = readClipboard({ text: clipboardData.getData('text/plain'), html: clipboardData.getData('text/html') })
  if (table && pasteTable(reach, table)) event.preventDefault()
}

/** Passes a table and its target cells to the app and selects them; false when nothing can be pasted. */
function pasteTable<Row>(reach: GridContext<Row>, table: CellTable): boolean {
  const { marked, props, lines, bounds, cell } = reach
  const size = { rows: table.length, columns: table[0]?.length ?? 0 }
  if (!props.onPaste || !marked.rect || size.columns === 0) return false
  const { rect, rowsBeyond, columnsBeyond } = pasteTarget(marked.rect, size, lines, bounds)
  props.onPaste({ texts: table, block: blockIn(reach, rect), rowsBeyond, columnsBeyond })
  if (rect === marked.rect) return true
  const first = { line: rect.firstLine, column: rect.firstColumn }
  const last = { line: rect.endLine - 1, column: rect.endColumn - 1 }
  cell.send(positionAt(reach, first))
  marked.mark({ ...oneCell(first), head: last }, positionAt(reach, first))
  return true
}

/** Whether the clipboard event belongs to an input or to selected text. */
function isOthers<Row>({ gridRef }: GridContext<Row>, { target, defaultPrevented }: ClipboardEvent): boolean {
  const grid = gridRef.current
  if (defaultPrevented || !grid || !(target instanceof Element) || !grid.contains(target)) return true
  if (target.closest('.grid-editor, input:not([type="checkbox"]), textarea, select, [contenteditable]')) return true
  const selection = document.getSelection()
  return selection !== null && !selection.isCollapsed && grid.contains(selection.anchorNode)
}

/** The rows of a cell range; undefined as soon as one of them is not loaded. */
function loadedRows<Row>({ props }: GridContext<Row>, { rows }: CellBlock): readonly Row[] | undefined {
  const found: Row[] = []
  for (const { first, end } of rows) {
    for (let ordinal = first; ordinal < end; ordinal++) {
      const row = rowAt(props.source, ordinal)
      if (row === undefined) return undefined
      found.push(row)
    }
  }
  return found
}

function textsOf<Row>({ props }: GridContext<Row>, { columnIds }: CellBlock, rows: readonly Row[]): CellTable {
  const columns = columnIds.flatMap((id) => props.columns.find((column) => column.id === id) ?? [])
  return rows.map((row) => columns.map((column) => column.textOf?.(row) ?? ''))
}

/**
 * Copies rows that must be loaded first: the clipboard accepts a promise while the key press counts as user
 * activation.
 */
async function copyLater<Row>(reach: GridContext<Row>, block: CellBlock, isCut: boolean): Promise<void> {
  const reading = reach.props.onCopyUnloaded?.(block.rows)
  // The clipboard API exists only in secure contexts.
  if (!reading || !('clipboard' in navigator) || !('ClipboardItem' in window)) return reach.say(reach.texts.notCopied)
  const written = reading.then((rows) => {
    if (!rows) throw new DOMException('Refused', 'AbortError')
    return writeClipboard(textsOf(reach, block, rows))
  })
  const flavour = async (type: string, part: keyof ClipboardFlavours) => new Blob([(await written)[part]], { type })
  const item = { 'text/plain': flavour('text/plain', 'text'), 'text/html': flavour('text/html', 'html') }
  const isWritten = await navigator.clipboard.write([new ClipboardItem(item)]).then(
    () => true,
    () => false,
  )
  if (isWritten) haveCopied(reach, block, isCut)
  else reach.say(reach.texts.notCopied)
}

/** Opens the context menu of a cell. A link keeps the browser's menu, which can open it in a new tab. */
function openCellMenu<Row>(reach: GridContext<Row>, event: MouseEvent<HTMLElement>): void {
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

/** `reachNow` returns the current context, for handlers that outlive one event. */
export function gridInteractions<Row>(reachNow: () => GridContext<Row>): GridInteractions<Row> {
  return {
    run: (command, at) => runOnCells(reachNow(), command, at),
    edit: (at, seed) => startEditing(reachNow(), at, seed),
    press: (event) => pressHeader(reachNow, event) || pressCell(reachNow, event),
    copy: (event, isCut) => copyCells(reachNow(), event, isCut),
    paste: (event) => pasteCells(reachNow(), event),
    menu: (event) => openCellMenu(reachNow(), event),
    holdFiles: (event) => dragFilesOver(reachNow(), event),
    dropFiles: (event) => dropFiles(reachNow(), event),
    fitColumn: (columnId) => fitColumn(reachNow(), columnId),
    commandsOf: (props, column) => columnCommands(props, column, reachNow),
    EditorBox,
  }
}
