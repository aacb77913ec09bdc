import type { CellTable } from '#web/ui/grid/editing/grid-editing.ts'

/** Larger spans indicate an error or an attack. */
const MAX_SPAN = 1000

const TOKENS = /<!--[\s\S]*?(?:-->|$)|<[!?][^>]*>|<(\/?)([a-z][\w:-]*)((?:"[^"]*"|'[^']*'|[^'">])*)>|[^<]+|</gi

/** Elements without visible content, including the comments that LibreOffice inserts into cells. */
const HIDDEN_ELEMENTS = new Set(['style', 'script', 'title', 'head', 'xml', 'comment', 'template'])

const BLOCK_ELEMENTS = new Set(['p', 'div', 'li', 'ul', 'ol', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote'])

type Tag = { readonly name: string; readonly isClosing: boolean; readonly attributes: string }

/**
 * The cells of the only table in an HTML fragment. Undefined if there is no table, more than one, or other text,
 * because that indicates a web page instead of copied cells. Parsed without the DOM, so that no resources are loaded.
 */
export function readHtmlTable(html: string): CellTable | undefined {
  const table = tableBuilder()
  let hiddenElement: string | undefined
  for (const [token, slash, name, attributes = ''] of html.matchAll(TOKENS)) {
    if (/^<[!?]/.test(token)) continue
    if (name === undefined) {
      if (hiddenElement === undefined) table.addText(token)
      continue
    }
    const tag: Tag = { name: name.toLowerCase(), isClosing: slash === '/', attributes }
    if (hiddenElement !== undefined) {
      if (tag.isClosing && tag.name === hiddenElement) hiddenElement = undefined
    } else if (HIDDEN_ELEMENTS.has(tag.name)) {
      if (!tag.isClosing && !attributes.endsWith('/')) hiddenElement = tag.name
    } else {
      table.addTag(tag)
    }
  }
  return table.finish()
}

function padRows(rows: readonly (readonly string[])[]): CellTable {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  return rows.map((row) => (row.length === width ? row : [...row, ...Array<string>(width - row.length).fill('')]))
}

function tableBuilder() {
  const rows: string[][] = []
  let spannedRows: number[] = []
  let row: string[] | undefined
  let cell: { text: string; columns: number; rows: number } | undefined
  let depth = 0
  let tables = 0
  let hasOtherText = false

  const endCell = () => {
    if (!cell || !row) return
    while ((spannedRows[row.length] ?? 0) > 0) row.push('')
    const column = row.length
    row.push(normalizeText(cell.text), ...Array<string>(cell.columns - 1).fill(''))
    for (let i = 0; i < cell.columns; i++) spannedRows[column + i] = cell.rows
    cell = undefined
  }
  const endRow = () => {
    endCell()
    if (!row) return
    while ((spannedRows[row.length] ?? 0) > 0) row.push('')
    spannedRows = spannedRows.map((left) => Math.max(0, left - 1))
    rows.push(row)
    row = undefined
  }
  const startRow = () => {
    endRow()
    row = []
  }

  const structure: Readonly<Record<string, (tag: Tag) => void>> = {
    tr: ({ isClosing }) => (isClosing ? endRow() : startRow()),
    td: ({ isClosing, attributes }) => {
      endCell()
      if (isClosing) return
      if (!row) startRow()
      cell = { text: '', columns: spanOf(attributes, 'colspan'), rows: spanOf(attributes, 'rowspan') }
    },
  }

  return {
    addText: (text: string) => {
      if (cell) cell.text += decodeCharacterReferences(text.replaceAll(/[ \t\r\n\f]+/g, ' '))
      else if (text.trim() !== '') hasOtherText = true
    },
    addTag: (tag: Tag) => {
      if (tag.name === 'table') {
        depth = Math.max(0, depth + (tag.isClosing ? -1 : 1))
        if (depth === 1 && !tag.isClosing) tables++
        if (depth === 0) endRow()
        return
      }
      // The content of a nested table becomes part of the cell's text.
      const build = depth <= 1 ? structure[tag.name === 'th' ? 'td' : tag.name] : undefined
      if (build) build(tag)
      else if (cell) cell.text += breakOf(tag)
    },
    finish: (): CellTable | undefined => {
      endRow()
      return hasOtherText || tables > 1 || rows.length === 0 ? undefined : padRows(rows)
    },
  }
}

function spanOf(attributes: string, name: string): number {
  const found = new RegExp(`\\b${name}\\s*=\\s*["']?(\\d+)`, 'i').exec(attributes)?.[1]
  return Math.min(MAX_SPAN, Math.max(1, Number(found ?? 1)))
}

function breakOf({ name, isClosing }: Tag): string {
  if (name === 'br') return HARD_BREAK
  if (BLOCK_ELEMENTS.has(name)) return SOFT_BREAK
  return (name === 'td' || name === 'th') && isClosing ? ' ' : ''
}

/** Unicode noncharacters, which don't occur in text. */
const HARD_BREAK = '\uFDD0'
const SOFT_BREAK = '\uFDD1'

function normalizeText(text: string): string {
  return (
    text
      .replaceAll(new RegExp(` *${SOFT_BREAK}(?: |${SOFT_BREAK})*`, 'g'), SOFT_BREAK)
      .replaceAll(new RegExp(`^${SOFT_BREAK}|${SOFT_BREAK}$`, 'g'), '')
      .replaceAll(new RegExp(`[${HARD_BREAK}${SOFT_BREAK}]`, 'g'), '\n')
      .replaceAll(/ {2,}/g, ' ')
      .replaceAll(/^ | $/gm, '')
      // Empty cells contain a placeholder that gives them height.
      .replace(/^[\n\u00A0]$/, '')
      .replaceAll('\u00A0', ' ')
  )
}

export type ClipboardFlavours = { readonly text: string; readonly html: string }

/**
 * The table on the clipboard; undefined if there is none. Prefers HTML, because only HTML preserves line breaks in
 * LibreOffice cells and distinguishes quotes in a value from quotes around it. Collapsed spaces and numbers too wide
 * for their column are read from the text.
 */
export function readClipboard({ text, html }: ClipboardFlavours): CellTable | undefined {
  const table = html === '' ? undefined : readHtmlTable(html)
  const plain = text === '' ? undefined : readTabbedText(text)
  if (!table || table.length === 0) return plain
  if (!plain || plain.length !== table.length || plain[0]?.length !== table[0]?.length) return table
  return table.map((row, line) => row.map((cell, column) => preferFuller(cell, plain[line]?.[column] ?? cell)))
}

/** Excel displays these characters instead of a number that is too wide for its column. */
const TOO_NARROW = /^#+$/

/** Returns the more complete of a cell's HTML and plain text; the plain text if they differ only in spaces. */
function preferFuller(cell: string, plain: string): string {
  if (TOO_NARROW.test(cell)) return plain
  const isSame = cell.replaceAll(/ +/g, ' ') === plain.trim().replaceAll(/ +/g, ' ')
  return isSame ? plain : cell
}

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
    // Some programs end the last row with a line break.
    if (at === text.length && ending !== undefined) break
  }
  return padRows(rows)
}

/**
 * A table in the clipboard format of spreadsheets. A single cell is copied as plain text, so that it can be pasted
 * anywhere.
 */
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

/** Excel quotes a cell only if necessary, so unnecessary quotes are part of the value. */
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

/** Values to mark as text, because a spreadsheet would interpret them as a formula or round them. */
const NEEDS_TEXT_FORMAT = /^(?:[=@]|[+-](?![\d.,\s]*$)|0\d|\d{16})/

/** Excel reads the style; LibreOffice reads the number format. */
const TEXT_FORMAT = ` style='mso-number-format:"\\@"' sdnum="1033;0;@"`

function htmlCell(text: string): string {
  const style = NEEDS_TEXT_FORMAT.test(text) ? TEXT_FORMAT : ''
  return `<td${style}>${escapeHtml(text)}</td>`
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeHtml(text: string): string {
  return text
    .replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '')
    .replaceAll(/ (?= )|^ | $/gm, '&nbsp;')
    .replaceAll('\t', '&#9;')
    .replaceAll(/\r\n?|\n/g, '<br>')
}

/** HTML entities for Latin-1 characters from code 160, which older spreadsheets use for all non-ASCII characters. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'

const NAMED: ReadonlyMap<string, string> = new Map([
  ...LATIN_1.split(' ').map((name, at): [string, string] => [name, String.fromCodePoint(160 + at)]),
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['euro', '€'],
  ['ndash', '–'],
  ['mdash', '—'],
  ['lsquo', '‘'],
  ['rsquo', '’'],
  ['sbquo', '‚'],
  ['ldquo', '“'],
  ['rdquo', '”'],
  ['bdquo', '„'],
  ['hellip', '…'],
  ['bull', '•'],
  ['trade', '™'],
])

function decodeCharacterReferences(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(
    /&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi,
    (whole: string, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED.get(name) ?? whole
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
    },
  )
}
