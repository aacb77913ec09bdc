import { runOnCells, startEditing } from './keyboard/cell-commands.ts'
import { columnCommands, fitColumn } from './columns/column-commands.ts'
import { pressHeader, watchHeaderTouches } from './columns/column-drag.ts'
import { pressRowNumber } from './rows/move-row.ts'
import { EditorBox } from './editing/editor-box.tsx'
import {
  blockIn,
  type GridContext,
  type GridInteractions,
  kindOfLine,
  loadedRows,
  placeOf,
  positionAt,
  rowOfPosition,
} from './grid-context.ts'
import { pasteTarget, pressCell } from './selection/range-drag.ts'
import type { ClipboardEvent, DragEvent, MouseEvent } from 'react'
import { type CellBlock, containsCell, oneCell, rectOf } from './selection/cell-range.ts'
import { findCell, positionOf } from './selection/use-active-cell.ts'
import { type ClipboardFlavours, readClipboard, writeClipboard } from './clipboard/clipboard-table.ts'
import type { CellTable } from './editing/grid-editing.ts'
import type { GridPosition } from './keyboard/keyboard.ts'

type DropTargetKind = 'cell' | 'row' | undefined

/** Accepts dragged files over a cell or row that supports files, and highlights it. */
function dragFilesOver<Row>(context: GridContext<Row>, event: DragEvent<HTMLElement>): void {
  const at = positionOf(event.currentTarget, event.target)
  const kind = event.dataTransfer.types.includes('Files') && at ? dropTargetAt(context, at) : undefined
  showTarget(event.currentTarget, at, kind)
  if (!kind) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'copy'
}

function dropFiles<Row>(context: GridContext<Row>, event: DragEvent<HTMLElement>): void {
  const { currentTarget, target, dataTransfer, type, clientX, clientY } = event
  const at = positionOf(currentTarget, target)
  showTarget(currentTarget, undefined, undefined)
  if (type !== 'drop' || !at || dataTransfer.files.length === 0) return
  if (deliverFiles(context, at, { data: dataTransfer, xPx: clientX, yPx: clientY })) event.preventDefault()
}

/** Passes files pasted into the active cell to the app; false if the cell doesn't accept files. */
function pasteFiles<Row>(context: GridContext<Row>, data: DataTransfer): boolean {
  const at = context.cell.active
  return dropTargetAt(context, at) === 'cell' && deliverFiles(context, at, { data, xPx: 0, yPx: 0 })
}

type FileTransfer = { readonly data: DataTransfer; readonly xPx: number; readonly yPx: number }

function deliverFiles<Row>(context: GridContext<Row>, at: GridPosition, transfer: FileTransfer): boolean {
  const row = rowOfPosition(context, at)
  const kind = dropTargetAt(context, at)
  if (row === undefined || !kind) return false
  const columnId = kind === 'cell' ? context.columnAt(at.column)?.column.id : undefined
  context.props.onFiles?.({ row, columnId, ...transfer })
  return true
}

function dropTargetAt<Row>(context: GridContext<Row>, at: GridPosition): DropTargetKind {
  const row = rowOfPosition(context, at)
  const { onFiles, rowTakesFiles } = context.props
  if (!onFiles || row === undefined || kindOfLine(context, at.line) !== 'row') return undefined
  if (context.columnAt(at.column)?.column.takesFiles?.(row)) return 'cell'
  return rowTakesFiles?.(row) ? 'row' : undefined
}

/** Highlights a single drop target. Managed outside React, because it exists only while dragging. */
function showTarget(grid: HTMLElement, at: GridPosition | undefined, kind: DropTargetKind): void {
  const cell = at && kind ? findCell(grid, at) : null
  const place = kind === 'row' ? cell?.closest<HTMLElement>('[data-line]') : cell
  for (const shown of grid.querySelectorAll<HTMLElement>('[data-drop]'))
    if (shown !== place) delete shown.dataset['drop']
  if (place) place.dataset['drop'] = ''
}

function copyCells<Row>(context: GridContext<Row>, event: ClipboardEvent, isCut: boolean): void {
  const { cellRange } = context
  if (isHandledElsewhere(context, event) || !cellRange.rect) return
  const block = blockIn(context, cellRange.rect)
  if (block.rowCount === 0 || block.columnIds.length === 0) return
  event.preventDefault()
  const rows = loadedRows(context.props.source, block.rows)
  if (!rows) return void copyUnloaded(context, block, isCut)
  const { text, html } = writeClipboard(textsOf(context, block, rows))
  event.clipboardData.setData('text/plain', text)
  event.clipboardData.setData('text/html', html)
  reportCopied(context, block, isCut)
}

function reportCopied<Row>({ props, texts, announce }: GridContext<Row>, block: CellBlock, isCut: boolean): void {
  announce(texts.copied(block.rowCount * block.columnIds.length))
  if (isCut) props.onClear?.(block)
}

function pasteCells<Row>(context: GridContext<Row>, event: ClipboardEvent): void {
  const { clipboardData } = event
  if (isHandledElsewhere(context, event)) return
  // An image has no text. Cells copied from a spreadsheet include an image of the cells, but are treated as text.
  const isFileOnly = clipboardData.files.length > 0 && !clipboardData.types.includes('text/plain')
  if (isFileOnly && pasteFiles(context, clipboardData)) return event.preventDefault()
  const table = readClipboard({ text: clipboardData.getData('text/plain'), html: clipboardData.getData('text/html') })
  if (table && pasteTable(context, table)) event.preventDefault()
}

/** Passes the pasted table and its target cells to the app, and selects the cells; false if nothing can be pasted. */
function pasteTable<Row>(context: GridContext<Row>, table: CellTable): boolean {
  const { cellRange, props, lines, bounds, cell } = context
  const size = { rows: table.length, columns: table[0]?.length ?? 0 }
  if (!props.onPaste || !cellRange.rect || size.columns === 0) return false
  const { rect, rowsBeyond, columnsBeyond } = pasteTarget(cellRange.rect, size, lines, bounds)
  props.onPaste({ texts: table, block: blockIn(context, rect), rowsBeyond, columnsBeyond })
  if (rect === cellRange.rect) return true
  const first = { line: rect.firstLine, column: rect.firstColumn }
  const last = { line: rect.endLine - 1, column: rect.endColumn - 1 }
  cell.focus(positionAt(context, first))
  cellRange.select({ ...oneCell(first), focus: last }, positionAt(context, first))
  return true
}

/** Whether the clipboard event belongs to an input or to selected text. */
function isHandledElsewhere<Row>({ gridRef }: GridContext<Row>, { target, defaultPrevented }: ClipboardEvent): boolean {
  const grid = gridRef.current
  if (defaultPrevented || !grid || !(target instanceof Element) || !grid.contains(target)) return true
  if (target.closest('.grid-editor, input:not([type="checkbox"]), textarea, select, [contenteditable]')) return true
  const selection = document.getSelection()
  return selection !== null && !selection.isCollapsed && grid.contains(selection.anchorNode)
}

function textsOf<Row>({ props }: GridContext<Row>, { columnIds }: CellBlock, rows: readonly Row[]): CellTable {
  const columns = columnIds.flatMap((id) => props.columns.find((column) => column.id === id) ?? [])
  return rows.map((row) => columns.map((column) => column.textOf?.(row) ?? ''))
}

/** Copies rows that must be loaded first; the clipboard API accepts a promise during the key event. */
async function copyUnloaded<Row>(context: GridContext<Row>, block: CellBlock, isCut: boolean): Promise<void> {
  const reading = context.props.onCopyUnloaded?.(block.rows)
  // The clipboard API is only available in secure contexts.
  if (!reading || !('clipboard' in navigator) || !('ClipboardItem' in window))
    return context.announce(context.texts.notCopied)
  const written = reading.then((rows) => {
    if (!rows) throw new DOMException('Refused', 'AbortError')
    return writeClipboard(textsOf(context, block, rows))
  })
  const flavour = async (type: string, part: keyof ClipboardFlavours) => new Blob([(await written)[part]], { type })
  const item = { 'text/plain': flavour('text/plain', 'text'), 'text/html': flavour('text/html', 'html') }
  const isWritten = await navigator.clipboard.write([new ClipboardItem(item)]).then(
    () => true,
    () => false,
  )
  if (isWritten) reportCopied(context, block, isCut)
  else context.announce(context.texts.notCopied)
}

/** Elements that keep the browser's context menu. */
const OWN_MENU = 'a:not([data-open]), input:not([type="checkbox"]), textarea, .grid-editor'

/**
 * Opens the context menu for a cell, or for the row when its number is clicked. A link in a value keeps the browser's
 * menu.
 */
function openCellMenu<Row>(context: GridContext<Row>, event: MouseEvent<HTMLElement>): void {
  const { props, cellRange, bounds, columnAt } = context
  const { target, currentTarget, clientX, clientY } = event
  const at = positionOf(currentTarget, target)
  if (!props.onCellMenu || !at || kindOfLine(context, at.line) !== 'row') return
  if (target instanceof Element && target.closest(OWN_MENU)) return
  const row = rowOfPosition(context, at)
  const columnId = columnAt(at.column)?.column.id
  const place = placeOf(context, at)
  const isInRange = cellRange.rect && containsCell(cellRange.rect, place)
  const rect = isInRange ? cellRange.rect : rectOf({ ...oneCell(place), covers: columnId ? 'cells' : 'rows' }, bounds)
  if (row === undefined || !rect) return
  event.preventDefault()
  props.onCellMenu({ row, columnId, block: blockIn(context, rect), xPx: clientX, yPx: clientY })
}

/** `getContext` returns the current context, for handlers that outlive an event. */
export function gridInteractions<Row>(getContext: () => GridContext<Row>): GridInteractions<Row> {
  return {
    run: (command, at) => runOnCells(getContext(), command, at),
    edit: (at, seed) => startEditing(getContext(), at, seed),
    press: (event) =>
      pressHeader(getContext, event) || pressRowNumber(getContext, event) || pressCell(getContext, event),
    copy: (event, isCut) => copyCells(getContext(), event, isCut),
    paste: (event) => pasteCells(getContext(), event),
    watchTouches: (grid) => watchHeaderTouches(getContext, grid),
    menu: (event) => openCellMenu(getContext(), event),
    dragFiles: (event) => dragFilesOver(getContext(), event),
    dropFiles: (event) => dropFiles(getContext(), event),
    fitColumn: (columnId) => fitColumn(getContext(), columnId),
    commandsOf: (props, column) => columnCommands(props, column, getContext),
    EditorBox,
  }
}
