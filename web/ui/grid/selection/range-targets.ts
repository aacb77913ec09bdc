import { type CellBounds, type CellPlace, type CellRect, countOf, takeFirst } from './cell-range.ts'
import type { GridFill } from '#web/ui/grid/editing/grid-editing.ts'
import type { GridLines } from '#web/ui/grid/rows/grid-lines.ts'

/** Where a table from the clipboard goes, and for how much of it there is no room. */
export type PasteTarget = { readonly rect: CellRect; readonly rowsBeyond: number; readonly columnsBeyond: number }

/**
 * The cells a table is pasted to: all marked ones when it fits into them a whole number of times, else as many as it has,
 * from the first marked one on. Heads of groups are passed over.
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

/** Cells to fill beside those that are marked, and which way that is. */
export type FillTarget = {
  readonly from: CellRect
  readonly to: CellRect
  readonly direction: GridFill['direction']
}

/** What dragging the handle to a cell fills: up and down or sideways, whichever is further; nothing within the marked cells. */
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

/** The marked cells together with those that would be filled. */
export function wholeOf({ from, to }: FillTarget): CellRect {
  return {
    firstLine: Math.min(from.firstLine, to.firstLine),
    endLine: Math.max(from.endLine, to.endLine),
    firstColumn: Math.min(from.firstColumn, to.firstColumn),
    endColumn: Math.max(from.endColumn, to.endColumn),
  }
}

/**
 * What the keys fill: the marked cells with the first row or column of them. Of a single row every cell is filled with
 * the one above it.
 */
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
