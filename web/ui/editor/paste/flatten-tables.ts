import { MAX_COLUMNS, MAX_ROWS } from '#web/ui/editor/nodes/table-limits.ts'

/** Blocks that a cell cannot hold; their words stand in lines of their own. */
const BLOCKS_IN_CELLS =
  'h1, h2, h3, h4, h5, h6, ul, ol, li, dl, dt, dd, blockquote, pre, table, tbody, thead, tr, td, th, hr'

/** Another element with the same content in its place. */
export function rename(element: Element, tagName: string): HTMLElement {
  const other = element.ownerDocument.createElement(tagName)
  other.append(...element.childNodes)
  element.replaceWith(other)
  return other
}

const span = (cell: HTMLTableCellElement, name: 'colSpan' | 'rowSpan', most: number): number =>
  Math.min(Math.max(cell[name], 1), most)

type Line = (HTMLTableCellElement | undefined)[]

/** The cells by their places: one that was merged stands in the first of its places, and the others are empty. */
function placed(table: HTMLTableElement): Line[] {
  const rows = [...table.rows]
  const lines: Line[] = rows.map(() => [])
  rows.forEach((row, y) => {
    let x = 0
    for (const cell of row.cells) {
      // A place that a cell above or before reaches into is there, and empty.
      while (lines[y] && x in lines[y]) x += 1
      const width = span(cell, 'colSpan', MAX_COLUMNS + 1)
      const height = span(cell, 'rowSpan', rows.length - y)
      for (const line of lines.slice(y, y + height)) for (let dx = 0; dx < width; dx += 1) line[x + dx] = undefined
      if (lines[y]) lines[y][x] = cell
    }
  })
  const width = lines.reduce((most, line) => Math.max(most, line.length), 0)
  return lines.map((line) => Array.from({ length: width }, (_, x) => line[x]))
}

/** A table of so many cells that it could not be kept becomes lines, with tabs between what stood in the cells. */
function asLines(table: HTMLTableElement): void {
  const lines = [...table.rows].map((row) => {
    const line = table.ownerDocument.createElement('p')
    line.textContent = [...row.cells].map((cell) => cell.textContent?.trim() ?? '').join('\t')
    return line
  })
  table.replaceWith(...lines)
}

function flatten(table: HTMLTableElement): void {
  const document = table.ownerDocument
  const grid = placed(table)
  if (grid.length > MAX_ROWS || (grid[0]?.length ?? 0) > MAX_COLUMNS) return asLines(table)
  const body = document.createElement('tbody')
  for (const line of grid) {
    const row = document.createElement('tr')
    for (const cell of line) {
      const plain = document.createElement(cell?.tagName === 'TH' ? 'th' : 'td')
      if (cell) plain.append(...cell.childNodes)
      for (const block of plain.querySelectorAll(BLOCKS_IN_CELLS)) rename(block, 'div')
      row.append(plain)
    }
    body.append(row)
  }
  table.replaceChildren(body)
}

/** Makes every table one of plain cells: nothing merged, each row as long as the others, lines of words in the cells. */
export function flattenTables(body: HTMLElement): void {
  for (const table of body.querySelectorAll('table')) {
    const isInside = table.parentElement?.closest('td, th')
    if (!isInside && body.contains(table)) flatten(table)
  }
}
