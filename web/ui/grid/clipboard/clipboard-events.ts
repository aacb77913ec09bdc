import type { ClipboardEvent } from 'react'
import { pasteFiles } from './cell-files.ts'
import { type CellBlock, oneCell } from '#web/ui/grid/selection/cell-range.ts'
import { type ClipboardFlavours, readClipboard, writeClipboard } from './clipboard-table.ts'
import type { CellTable } from '#web/ui/grid/editing/grid-editing.ts'
import { blockIn, type GridContext, positionAt } from '#web/ui/grid/grid-context.ts'
import { rowAt } from '#web/ui/grid/grid-source.ts'
import { pasteTarget } from '#web/ui/grid/selection/range-targets.ts'

/** Puts the marked cells on the clipboard, and empties them when they are cut. */
export function copyCells<Row>(reach: GridContext<Row>, event: ClipboardEvent, isCut: boolean): void {
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

/** Gives the app what is on the clipboard: files, where the cell takes them, or a table. */
export function pasteCells<Row>(reach: GridContext<Row>, event: ClipboardEvent): void {
  const { clipboardData } = event
  if (isOthers(reach, event)) return
  // A picture has no text; cells copied from a spreadsheet come with a picture of themselves, and are texts.
  const isFileOnly = clipboardData.files.length > 0 && !clipboardData.types.includes('text/plain')
  if (isFileOnly && pasteFiles(reach, clipboardData)) return event.preventDefault()
  const table = readClipboard({ text: clipboardData.getData('text/plain'), html: clipboardData.getData('text/html') })
  if (table && pasteTable(reach, table)) event.preventDefault()
}

/** Gives the app a table and the cells it goes to, and marks them; false where nothing can be pasted. */
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

/** Whether the clipboard is an input's or the browser's at the moment: something is typed, or words are selected. */
function isOthers<Row>({ gridRef }: GridContext<Row>, { target, defaultPrevented }: ClipboardEvent): boolean {
  const grid = gridRef.current
  if (defaultPrevented || !grid || !(target instanceof Element) || !grid.contains(target)) return true
  if (target.closest('.grid-editor, input:not([type="checkbox"]), textarea, select, [contenteditable]')) return true
  const selection = document.getSelection()
  return selection !== null && !selection.isCollapsed && grid.contains(selection.anchorNode)
}

/** The rows of marked cells; undefined as soon as one of them is not loaded. */
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

/** Copies rows that must be read first: the clipboard is promised what is on its way, as long as the key press counts. */
async function copyLater<Row>(reach: GridContext<Row>, block: CellBlock, isCut: boolean): Promise<void> {
  const reading = reach.props.onCopyUnloaded?.(block.rows)
  // The clipboard is there for pages that came over a safe line only.
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
