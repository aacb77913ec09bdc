import { parseFragment } from 'parse5'
import { fileAtAddress, mentionAtAddress } from '#domain/rich-text/document-references.ts'
import {
  IMAGE_WIDTHS,
  isLanguage,
  MAX_TABLE_COLUMNS,
  MAX_TABLE_ROWS,
  type RichMark,
  type RichNode,
} from '#domain/rich-text/document-schema.ts'
import { ID_PATTERN } from '#domain/shared/ids.ts'
import { EDITOR } from '#domain/specification.ts'
import { BlockWriter } from './block-writer.ts'
import {
  attributeOf,
  elementsIn,
  type HtmlElement,
  type HtmlNode,
  isElement,
  linkTo,
  marksInside,
  MAX_HTML_DEPTH,
  withMarks,
} from './read-marks.ts'

export type ReadCell = (cell: HtmlElement, type: CellName) => RichNode | undefined

type TableRow = { readonly cells: readonly RichNode[]; readonly length: number }
type CellName = 'tableHeader' | 'tableCell'
type RowSpan = Map<number, { readonly type: CellName; readonly rows: number }>

const rowsOf = (table: HtmlElement): readonly HtmlElement[] =>
  elementsIn(table, ['tr'], ['thead', 'tbody', 'tfoot']).filter((row) => cellsOf(row).length > 0)

/**
 * Reads a table with all of its cells: a merged cell has its content in the first position and is empty in the others.
 * Spans such as `colspan="100"` add only columns in which another cell starts.
 */
function readTable(rows: readonly HtmlElement[], readCell: ReadCell): RichNode | undefined {
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
    // One column above the limit is enough to reject the table.
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

/** Pads rows to equal length. A table above the size limit isn't padded, because it is rejected. */
function padRows(lines: readonly TableRow[]): readonly RichNode[] {
  const longest = lines.reduce((most, { length }) => Math.max(most, length), 0)
  const isKept = longest <= MAX_TABLE_COLUMNS && lines.length <= MAX_TABLE_ROWS
  return lines.map(({ cells }) => {
    const missing = isKept ? Math.max(0, longest - cells.length) : 0
    const filled = Array.from({ length: missing }, () => empty('tableCell'))
    return { type: 'tableRow', content: [...cells.slice(0, longest), ...filled] }
  })
}

/** Maximum length of the alternative text that replaces an image. */
const MAX_ALT = 1000

function imageOf(element: HtmlElement): RichNode | undefined {
  const file = element.tagName === 'img' ? fileOf(element, 'src') : undefined
  if (file === undefined) return undefined
  return { type: 'image', attrs: { file, alt: altOf(element), ...widthOf(element) } }
}

/** Width of an image in percent of the line, if given. */
function widthOf(element: HtmlElement): { readonly width?: number } {
  const said = attributeOf(element, 'data-width') ?? /^(\d+)%$/.exec(attributeOf(element, 'width') ?? '')?.[1]
  const width = IMAGE_WIDTHS.find((known) => String(known) === said)
  return width === undefined ? {} : { width }
}

const altOf = (element: HtmlElement): string =>
  (attributeOf(element, 'alt') ?? '').slice(0, MAX_ALT).replaceAll('\0', '')

function cardOf(element: HtmlElement): RichNode | undefined {
  const file = element.tagName === 'a' ? fileOf(element, 'href') : undefined
  return file === undefined ? undefined : { type: 'file', attrs: { file } }
}

function mentionIn(element: HtmlElement): RichNode | undefined {
  const kind = attributeOf(element, 'data-mention')
  const [id, collection] = [idIn(element, 'data-id'), idIn(element, 'data-collection')]
  if (kind === 'user' && id !== undefined) return { type: 'mention', attrs: { kind, id } }
  if (kind === 'record' && id !== undefined && collection !== undefined)
    return { type: 'mention', attrs: { kind, id, collection } }
  const mentioned = element.tagName === 'a' ? mentionAtAddress(attributeOf(element, 'href') ?? '') : undefined
  return mentioned && { type: 'mention', attrs: mentioned }
}

const fileOf = (element: HtmlElement, address: 'src' | 'href'): string | undefined =>
  idIn(element, 'data-file') ?? fileAtAddress(attributeOf(element, address) ?? '')

function idIn(element: HtmlElement, name: string): string | undefined {
  const id = attributeOf(element, name)
  return id !== undefined && ID_PATTERN.test(id) ? id : undefined
}

/** Code in `<pre>`, with its language; undefined when nested too deeply. */
function readCode(pre: HtmlElement): RichNode | undefined {
  const text = textOf(pre.childNodes, 0)
  if (text === undefined) return undefined
  const language = [pre, ...pre.childNodes.filter(isElement)].map(languageOf).find((each) => each !== undefined)
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  return {
    type: 'codeBlock',
    ...(language !== undefined && { attrs: { language } }),
    ...(lines !== '' && { content: [{ type: 'text', text: lines }] }),
  }
}

function textOf(nodes: readonly HtmlNode[], depth: number): string | undefined {
  if (depth > MAX_HTML_DEPTH) return undefined
  let text = ''
  for (const node of nodes) {
    const part = partOf(node, depth)
    if (part === undefined) return undefined
    text += part
  }
  return text
}

function partOf(node: HtmlNode, depth: number): string | undefined {
  if ('value' in node) return node.value
  if (!isElement(node)) return ''
  if (node.tagName === 'br') return '\n'
  return node.tagName === 'script' || node.tagName === 'style' ? '' : textOf(node.childNodes, depth + 1)
}

function languageOf(element: HtmlElement): string | undefined {
  const classes = attributeOf(element, 'class') ?? ''
  const named = attributeOf(element, 'data-language') ?? /(?:^|\s)lang(?:uage)?-(\S+)/.exec(classes)?.[1]
  const language = named?.toLowerCase()
  return isLanguage(language) ? language : undefined
}

/** Maximum nesting depth of a checkbox within its list item. */
const MAX_CHECKBOX_DEPTH = 4

/**
 * Whether a task list item is done, according to our own, Tiptap's or Google Docs' attributes, or a checkbox before the
 * text as on GitHub. Undefined for other items.
 */
function readTaskState(item: HtmlElement): boolean | undefined {
  const said = attributeOf(item, 'data-checked') ?? ariaChecked(item)
  if (said !== undefined) return said !== 'false'
  const box = firstElement(item.childNodes, MAX_CHECKBOX_DEPTH)
  const isBox = box?.tagName === 'input' && attributeOf(box, 'type')?.toLowerCase() === 'checkbox'
  return isBox ? attributeOf(box, 'checked') !== undefined : undefined
}

const ariaChecked = (item: HtmlElement): string | undefined =>
  attributeOf(item, 'role') === 'checkbox' ? attributeOf(item, 'aria-checked') : undefined

function firstElement(nodes: readonly HtmlNode[], depth: number): HtmlElement | undefined {
  const first = nodes.find((node) => isElement(node) || ('value' in node && node.value.trim() !== ''))
  if (first === undefined || !isElement(first)) return undefined
  return first.childNodes.length === 0 || depth === 0 ? first : firstElement(first.childNodes, depth - 1)
}

const IGNORED_ELEMENTS = new Set(
  'applet audio canvas embed frame frameset head iframe math noembed noframes noscript object script select style svg template textarea title video'.split(
    ' ',
  ),
)

const BLOCKS = new Set(
  'address article aside body caption center dd details dialog div dl dt fieldset figcaption figure footer form header hgroup html legend main nav p search section summary table tbody td tfoot th thead tr'.split(
    ' ',
  ),
)

/**
 * Converts HTML to a draft for `checkDocument`: known elements, and the text of all others. Nothing is executed or
 * fetched. Undefined when nested too deeply.
 */
export function readHtml(html: string): RichNode | undefined {
  const writer = new BlockWriter('doc')
  const isRead = readAll(parseFragment(html).childNodes, { writer, marks: [], depth: 0 })
  return isRead ? writer.finish() : undefined
}

type ReadState = { readonly writer: BlockWriter; readonly marks: readonly RichMark[]; readonly depth: number }

type Reader = (element: HtmlElement, reading: ReadState) => boolean

function readAll(nodes: readonly HtmlNode[], reading: ReadState): boolean {
  return reading.depth <= MAX_HTML_DEPTH && nodes.every((node) => readNode(node, reading))
}

function readNode(node: HtmlNode, reading: ReadState): boolean {
  if ('value' in node) {
    reading.writer.line.text(node.value, reading.marks)
    return true
  }
  if (!isElement(node) || IGNORED_ELEMENTS.has(node.tagName)) return true
  const deeper = { ...reading, depth: reading.depth + 1 }
  return (READERS.get(node.tagName) ?? readOther)(node, deeper)
}

const readOther: Reader = (element, reading) => {
  const { writer, marks } = reading
  const mention = mentionIn(element)
  if (mention) return writer.line.mention(mention, marks)
  const card = cardOf(element)
  if (card && writer.put(card)) return true
  if (BLOCKS.has(element.tagName)) return readLine(element, reading)
  return readAll(element.childNodes, { ...reading, marks: marksInside(element, marks) })
}

const readLine: Reader = (element, reading) =>
  reading.writer.within({ block: 'paragraph', attrs: indentOf(element) }, () => readAll(element.childNodes, reading))

const readHeading: Reader = (element, reading) => {
  const level = Math.min(Number(element.tagName.slice(1)), EDITOR.headingLevels.length)
  const attrs = { level, ...indentOf(element) }
  return reading.writer.within({ block: 'heading', attrs }, () => readAll(element.childNodes, reading))
}

const readBulletList: Reader = (element, reading) =>
  reading.writer.list({ type: 'bulletList' }, () => readAll(element.childNodes, reading))

const readOrderedList: Reader = (element, reading) =>
  reading.writer.list({ type: 'orderedList', attrs: startOf(element) }, () => readAll(element.childNodes, reading))

const readItem: Reader = (element, reading) => {
  const checked = readTaskState(element)
  const fill = () => readAll(element.childNodes, reading)
  const attrs = indentOf(element)
  if (checked === undefined) return reading.writer.item('listItem', attrs, fill)
  return reading.writer.item('taskItem', { ...attrs, ...(checked && { checked }) }, fill)
}

const readQuote: Reader = (element, reading) => reading.writer.quote(() => readAll(element.childNodes, reading))

const readPre: Reader = (element, reading) => {
  const code = readCode(element)
  if (!code) return false
  if (reading.writer.put(code)) return true
  const lines = (code.content?.[0]?.text ?? '').split('\n')
  return lines.every((line) =>
    reading.writer.within({ block: 'paragraph', attrs: {} }, () => {
      reading.writer.line.text(line, withMarks(reading.marks, [{ type: 'code' }]))
      return true
    }),
  )
}

const readImage: Reader = (element, { writer, marks }) => {
  const image = imageOf(element)
  if (image && writer.put(image)) return true
  // Loading an image from another server would tell that server who reads the document and when.
  const address = image ? '' : (attributeOf(element, 'src') ?? '')
  const [link] = linkTo(address)
  const words = altOf(element).trim() || (link ? address.trim() : '')
  const isLinked = marks.some(({ type }) => type === 'link')
  writer.line.text(words, link && !isLinked ? withMarks(marks, [link]) : marks)
  return true
}

const readTableOrLines: Reader = (element, reading) => {
  const { writer, marks, depth } = reading
  const rows = rowsOf(element)
  if (rows.length === 0 || !writer.takes('table')) return readLine(element, reading)
  const captions = element.childNodes.filter((node) => isElement(node) && node.tagName === 'caption')
  if (!readAll(captions, reading)) return false
  const table = readTable(rows, (cell, type) => {
    const inside = new BlockWriter(type)
    return readAll(cell.childNodes, { writer: inside, marks, depth: depth + 1 }) ? inside.finish() : undefined
  })
  return table !== undefined && writer.put(table)
}

const READERS: ReadonlyMap<string, Reader> = new Map([
  ['br', (_element, { writer }) => writer.line.lineBreak()],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name): [string, Reader] => [name, readHeading]),
  ...['ul', 'menu', 'dir'].map((name): [string, Reader] => [name, readBulletList]),
  ['ol', readOrderedList],
  ['li', readItem],
  ['blockquote', readQuote],
  ...['pre', 'listing', 'xmp'].map((name): [string, Reader] => [name, readPre]),
  ['hr', (_element, { writer }) => writer.put({ type: 'horizontalRule' }) || true],
  ['img', readImage],
  ['table', readTableOrLines],
])

function indentOf(element: HtmlElement): { readonly indent?: number } {
  const indent = Number(attributeOf(element, 'data-indent') ?? 0)
  return Number.isInteger(indent) && indent >= EDITOR.minIndent && indent <= EDITOR.maxIndent ? { indent } : {}
}

function startOf(element: HtmlElement): { readonly start?: number } {
  const start = Number(attributeOf(element, 'start') ?? 1)
  return Number.isInteger(start) && start >= 0 && start <= 1_000_000 && start !== 1 ? { start } : {}
}
