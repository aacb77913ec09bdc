import { MAX_TABLE_COLUMNS, MAX_TABLE_ROWS, type RichNode } from '#domain/rich-text/document-schema.ts'
import { attributeOf, elementsIn, type HtmlElement } from './read-marks.ts'

export type ReadCell = (cell: HtmlElement, type: CellName) => RichNode | undefined

type TableRow = { readonly cells: readonly RichNode[]; readonly length: number }
type CellName = 'tableHeader' | 'tableCell'
type RowSpan = Map<number, { readonly type: CellName; readonly rows: number }>

export const rowsOf = (table: HtmlElement): readonly HtmlElement[] =>
  elementsIn(table, ['tr'], ['thead', 'tbody', 'tfoot']).filter((row) => cellsOf(row).length > 0)

/**
 * A table with all of its cells: a merged cell is in its first position, and the others are empty. Spans such as
 * `colspan="100"` add no columns in which no other cell starts.
 */
export function readTable(rows: readonly HtmlElement[], readCell: ReadCell): RichNode | undefined {
  const reaching: RowSpan = new Map()
  const read = rows.map((row) => readRow(row, reaching, readCell))
  const lines = read.filter((line) => line !== undefined)
  return lines.length === read.length ? { type: 'table', content: padRows(lines) } : undefined
}

const cellsOf = (row: HtmlElement): readonly HtmlElement[] => elementsIn(row, ['td', 'th'], [])

const empty = (type: CellName): RichNode => ({ type, content: [{ type: 'paragraph' }] })

function readRow(row: HtmlElement, reaching: RowSpan, readCell: ReadCell): TableRow | undefined {
  const line: RichNode[] = []
  let length = 0
  const coverFromAbove = () => {
    for (let above = reaching.get(line.length); above && above.rows > 0; above = reaching.get(line.length)) {
      if (line.length > MAX_TABLE_COLUMNS) return
      reaching.set(line.length, { ...above, rows: above.rows - 1 })
      line.push(empty(above.type))
    }
  }
  for (const cell of cellsOf(row)) {
    coverFromAbove()
    length = line.length + 1
    const type = cell.tagName === 'th' ? 'tableHeader' : 'tableCell'
    const read = readCell(cell, type)
    if (!read) return undefined
    // One column too many is enough to reject it.
    const columns = spanOf(cell, 'colspan', MAX_TABLE_COLUMNS + 1 - line.length)
    const below = spanOf(cell, 'rowspan', MAX_TABLE_ROWS) - 1
    for (let nth = 0; nth < columns; nth += 1) {
      if (below > 0) reaching.set(line.length, { type, rows: below })
      line.push(nth === 0 ? read : empty(type))
    }
  }
  coverFromAbove()
  return { cells: line, length }
}

function spanOf(cell: HtmlElement, name: 'colspan' | 'rowspan', most: number): number {
  const span = Number(attributeOf(cell, name) ?? 1)
  return Number.isInteger(span) && span > 1 ? Math.max(1, Math.min(span, most)) : 1
}

/** Rows of equal length. A table above the size limit is not padded, because it is rejected. */
function padRows(lines: readonly TableRow[]): readonly RichNode[] {
  const longest = lines.reduce((most, { length }) => Math.max(most, length), 0)
  const isKept = longest <= MAX_TABLE_COLUMNS && lines.length <= MAX_TABLE_ROWS
  return lines.map(({ cells }) => {
    const missing = isKept ? Math.max(0, longest - cells.length) : 0
    const filled = Array.from({ length: missing }, () => empty('tableCell'))
    return { type: 'tableRow', content: [...cells.slice(0, longest), ...filled] }
  })
}
