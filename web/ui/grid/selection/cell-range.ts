import type { GridLines, Span } from '#web/ui/grid/rows/row-window.ts'

export type CellPlace = { readonly line: number; readonly column: number }

/**
 * Selected cells between `anchor`, which keeps keyboard focus, and `focus`. A selection of whole rows or columns grows
 * with the list.
 */
export type CellRange = {
  readonly anchor: CellPlace
  readonly focus: CellPlace
  readonly covers: 'cells' | 'rows' | 'columns' | 'all'
}

export type CellBounds = { readonly lines: number; readonly firstColumn: number; readonly endColumn: number }

export type CellRect = {
  readonly firstLine: number
  readonly endLine: number
  readonly firstColumn: number
  readonly endColumn: number
}

/** A block of cells, with rows by ordinal in the whole list and columns by ID. Excludes group headers. */
export type CellBlock = {
  readonly rows: readonly Span[]
  readonly rowCount: number
  readonly columnIds: readonly string[]
}

export function oneCell(place: CellPlace): CellRange {
  return { anchor: place, focus: place, covers: 'cells' }
}

export function widened(range: CellRange, to: 'rows' | 'columns' | 'all'): CellRange {
  const isOtherAxis = range.covers !== 'cells' && range.covers !== to
  return { ...range, covers: isOtherAxis ? 'all' : to }
}

export function rectOf({ anchor, focus, covers }: CellRange, bounds: CellBounds): CellRect | undefined {
  const hasAllLines = covers === 'columns' || covers === 'all'
  const hasAllColumns = covers === 'rows' || covers === 'all'
  const rect = {
    firstLine: hasAllLines ? 0 : Math.max(0, Math.min(anchor.line, focus.line)),
    endLine: hasAllLines ? bounds.lines : Math.min(bounds.lines, Math.max(anchor.line, focus.line) + 1),
    firstColumn: hasAllColumns
      ? bounds.firstColumn
      : Math.max(bounds.firstColumn, Math.min(anchor.column, focus.column)),
    endColumn: hasAllColumns ? bounds.endColumn : Math.min(bounds.endColumn, Math.max(anchor.column, focus.column) + 1),
  }
  return rect.firstLine < rect.endLine && rect.firstColumn < rect.endColumn ? rect : undefined
}

/**
 * Trims group headers from both ends of a range, so that it starts and ends with a row; undefined if it contains no
 * rows.
 */
export function clippedAtGroupHeaders(rect: CellRect, lines: GridLines): CellRect | undefined {
  if (!lines.isGrouped) return rect
  const isHeader = (line: number) => lines.lineAt(line)?.kind === 'group'
  let { firstLine, endLine } = rect
  while (firstLine < endLine && isHeader(firstLine)) firstLine++
  while (firstLine < endLine && isHeader(endLine - 1)) endLine--
  return firstLine < endLine ? { ...rect, firstLine, endLine } : undefined
}

export function isOneCell(rect: CellRect): boolean {
  return rect.endLine - rect.firstLine === 1 && rect.endColumn - rect.firstColumn === 1
}

export function containsCell(rect: CellRect, { line, column }: CellPlace): boolean {
  return line >= rect.firstLine && line < rect.endLine && column >= rect.firstColumn && column < rect.endColumn
}

export function blockOf(
  rect: CellRect,
  lines: GridLines,
  idOfColumn: (column: number) => string | undefined,
): CellBlock {
  const rows = lines.rowsIn({ first: rect.firstLine, end: rect.endLine })
  const columns = Array.from({ length: rect.endColumn - rect.firstColumn }, (_, i) => rect.firstColumn + i)
  return { rows, rowCount: countOf(rows), columnIds: columns.flatMap((column) => idOfColumn(column) ?? []) }
}

export function countOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { first, end }) => sum + end - first, 0)
}

export function takeFirst(spans: readonly Span[], count: number): Span[] {
  let left = count
  return spans.flatMap(({ first, end }) => {
    const taken = Math.min(left, end - first)
    left -= taken
    return taken > 0 ? [{ first, end: first + taken }] : []
  })
}

/**
 * The part of the selection in a single line. Contains only primitive values, so that an unchanged line doesn't
 * re-render.
 */
export type LineSelection = {
  readonly firstColumn: number
  readonly endColumn: number
  /** Selection marks: `t` top edge, `b` bottom edge, `h` fill handle, `r` tinted cells. */
  readonly edges: string
}

const NOT_IN_RANGE: LineSelection = { firstColumn: 0, endColumn: 0, edges: '' }

export function selectionOfLine(rect: CellRect | undefined, line: number, hasHandle: boolean): LineSelection {
  if (!rect || line < rect.firstLine || line >= rect.endLine) return NOT_IN_RANGE
  const { firstColumn, endColumn, endLine, firstLine } = rect
  const isLast = line === endLine - 1
  const handle = hasHandle && isLast ? 'h' : ''
  if (isOneCell(rect)) return handle === '' ? NOT_IN_RANGE : { firstColumn, endColumn, edges: handle }
  return { firstColumn, endColumn, edges: `r${line === firstLine ? 't' : ''}${isLast ? 'b' : ''}${handle}` }
}

/**
 * The selection marks of a cell, including `s` and `e` for the start and end edges; undefined outside the selection.
 */
export function selectionOfCell({ firstColumn, endColumn, edges }: LineSelection, column: number): string | undefined {
  if (edges === '' || column < firstColumn || column >= endColumn) return undefined
  const isLast = column === endColumn - 1
  const shared = isLast ? edges : edges.replace('h', '')
  if (!edges.includes('r')) return shared
  return `${shared}${column === firstColumn ? 's' : ''}${isLast ? 'e' : ''}`
}
