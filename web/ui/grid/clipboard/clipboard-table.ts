import type { CellTable } from '#web/ui/grid/editing/grid-editing.ts'
import { readHtmlTable, squared } from './clipboard-html.ts'

/** A table in the two flavours that every spreadsheet understands. */
export type ClipboardFlavours = { readonly text: string; readonly html: string }

/**
 * The table on a clipboard; undefined when there is nothing. The HTML says more where there is any: it alone keeps line
 * breaks within LibreOffice's cells and tells quotes in a text from quotes around one. What it leaves out is taken from
 * the text: spaces of which HTML makes one, and numbers that did not fit into their column.
 */
export function readClipboard({ text, html }: ClipboardFlavours): CellTable | undefined {
  const table = html === '' ? undefined : readHtmlTable(html)
  const plain = text === '' ? undefined : readTabbedText(text)
  if (!table || table.length === 0) return plain
  if (!plain || plain.length !== table.length || plain[0]?.length !== table[0]?.length) return table
  return table.map((row, line) => row.map((cell, column) => fuller(cell, plain[line]?.[column] ?? cell)))
}

/** Excel draws these instead of a number for which the column is too narrow. */
const TOO_NARROW = /^#+$/

/** The one of two flavours of a cell that says more: the text, where it says the same but for its spaces. */
function fuller(cell: string, plain: string): string {
  if (TOO_NARROW.test(cell)) return plain
  const isSame = cell.replaceAll(/ +/g, ' ') === plain.trim().replaceAll(/ +/g, ' ')
  return isSame ? plain : cell
}

/** Rows of tabbed text: cells with a tab or a line break in them stand in quotes, with their own quotes doubled. */
export function readTabbedText(text: string): CellTable {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at <= text.length) {
    const cell = quotedCell(text, at) ?? plainCell(text, at)
    row.push(cell.value)
    const ending = text[cell.end]
    at = cell.end + 1
    if (ending === '\t') continue
    if (ending === '\r' && text[at] === '\n') at++
    rows.push(row)
    row = []
    // What follows the last line break is no row: programs differ in whether they end with one.
    if (at === text.length && ending !== undefined) break
  }
  return squared(rows)
}

/** A table as a spreadsheet would put it on the clipboard. A single cell is given as it is, to be pasted anywhere. */
export function writeClipboard(table: CellTable): ClipboardFlavours {
  const [first] = table
  const single = table.length === 1 && first?.length === 1 ? first[0] : undefined
  return {
    text: single ?? table.map((row) => row.map(tabbedCell).join('\t')).join('\r\n'),
    html: `<meta charset="utf-8"><style>br{mso-data-placement:same-cell}</style><table>${table
      .map((row) => `<tr>${row.map(htmlCell).join('')}</tr>`)
      .join('')}</table>`,
  }
}

type ReadCell = { readonly value: string; readonly end: number }

const NEEDS_QUOTES = /[\t\r\n]|""/

/** Quotes that need not be there are part of the text: Excel puts none around a text only because it has some. */
function quotedCell(text: string, at: number): ReadCell | undefined {
  if (text[at] !== '"') return undefined
  let close = text.indexOf('"', at + 1)
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
  if (close < 0 || !isEnding(text[close + 1])) return undefined
  const inside = text.slice(at + 1, close)
  if (!NEEDS_QUOTES.test(inside)) return undefined
  return { value: inside.replaceAll('""', '"').replaceAll(/\r\n?/g, '\n'), end: close + 1 }
}

function plainCell(text: string, at: number): ReadCell {
  let end = at
  while (!isEnding(text[end])) end++
  return { value: text.slice(at, end), end }
}

function isEnding(character: string | undefined): boolean {
  return character === undefined || character === '\t' || character === '\n' || character === '\r'
}

function tabbedCell(text: string): string {
  return /[\t\r\n]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** What a spreadsheet would take for a formula or round as a number: it is told to leave these as they are. */
const LOOKS_LIKE_MORE = /^(?:[=@]|[+-](?![\d.,\s]*$)|0\d|\d{16})/

/** Excel is told by the style, LibreOffice by the number format. */
const AS_TEXT = ` style='mso-number-format:"\\@"' sdnum="1033;0;@"`

function htmlCell(text: string): string {
  const style = LOOKS_LIKE_MORE.test(text) ? AS_TEXT : ''
  return `<td${style}>${escaped(text)}</td>`
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return (
    text
      .replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '')
      // Spaces of which HTML would make one, and those it would drop at the ends.
      .replaceAll(/ (?= )|^ | $/gm, '&nbsp;')
      .replaceAll('\t', '&#9;')
      .replaceAll(/\r\n?|\n/g, '<br>')
  )
}
