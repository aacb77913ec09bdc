import { parseFragment } from 'parse5'
import type { RichMark, RichNode } from '#domain/rich-text/document-schema.ts'
import { EDITOR } from '#domain/specification.ts'
import { BlockWriter } from './block-writer.ts'
import { attributeOf, MAX_HTML_DEPTH, type HtmlElement, type HtmlNode, isElement } from './html-elements.ts'
import { readCode } from './read-code.ts'
import { linkTo, marksInside, withMarks } from './read-marks.ts'
import { readTable, rowsOf } from './read-table.ts'
import { readTaskState } from './read-tasks.ts'
import { altOf, cardOf, imageOf, mentionIn } from './read-embeds.ts'

/** What is not shown, or runs. */
const IGNORED_ELEMENTS = new Set(
  'applet audio canvas embed frame frameset head iframe math noembed noframes noscript object script select style svg template textarea title video'.split(
    ' ',
  ),
)

/** What stands on lines of its own. */
const BLOCKS = new Set(
  'address article aside body caption center dd details dialog div dl dt fieldset figcaption figure footer form header hgroup html legend main nav p search section summary table tbody td tfoot th thead tr'.split(
    ' ',
  ),
)

/**
 * HTML as a document: what the schema knows, and everything else by its words. Nothing of it is run or fetched. The
 * answer is a draft, for `checkDocument` to judge; undefined when it is nested too deeply to be read.
 */
export function readHtml(html: string): RichNode | undefined {
  const writer = new BlockWriter('doc')
  const isRead = readAll(parseFragment(html).childNodes, { writer, marks: [], depth: 0 })
  return isRead ? writer.finish() : undefined
}

type ReadState = { readonly writer: BlockWriter; readonly marks: readonly RichMark[]; readonly depth: number }

/** Reads one kind of element. False when it cannot be read. */
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
  // A picture from elsewhere would tell its server who reads, and when.
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
