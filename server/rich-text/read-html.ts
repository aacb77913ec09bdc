import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import type { MarkName, RichMark, RichNode } from '#domain/rich-text/document-schema.ts'
import { isSafeLink } from '#domain/rich-text/safe-link.ts'
import { EDITOR } from '#domain/specification.ts'
import { BlockWriter } from './block-writer.ts'

type Node = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

/** HTML is read no deeper than this; what an honest program writes is far from it. */
export const DEEPEST_HTML = 256

/** What is not shown, or runs. */
const UNREAD = new Set(
  'applet audio canvas embed frame frameset head iframe math noembed noframes noscript object script select style svg template textarea title video'.split(
    ' ',
  ),
)

/** What stands on lines of its own. */
const BLOCKS = new Set(
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form header hgroup hr html legend main menu nav p pre search section summary table tbody td tfoot th thead tr'.split(
    ' ',
  ),
)

const MARK_OF: Readonly<Record<string, MarkName>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  cite: 'italic',
  dfn: 'italic',
  var: 'italic',
  u: 'underline',
  ins: 'underline',
}

/**
 * HTML as a document: headings, lists, marks and links that we keep, everything else by its words. Nothing of it is run
 * or fetched. The answer is a draft, for `checkDocument` to judge; undefined when it is nested too deeply to be read.
 */
export function readHtml(html: string): RichNode | undefined {
  const writer = new BlockWriter()
  const isRead = readAll(parseFragment(html).childNodes, { writer, marks: [], depth: 0 })
  return isRead ? writer.finish() : undefined
}

type Reading = { readonly writer: BlockWriter; readonly marks: readonly RichMark[]; readonly depth: number }

function readAll(nodes: readonly Node[], reading: Reading): boolean {
  return reading.depth <= DEEPEST_HTML && nodes.every((node) => readNode(node, reading))
}

function readNode(node: Node, reading: Reading): boolean {
  if ('value' in node) {
    reading.writer.line.text(node.value, reading.marks)
    return true
  }
  if (!('tagName' in node) || UNREAD.has(node.tagName)) return true
  return readElement(node, { ...reading, depth: reading.depth + 1 })
}

function readElement(element: Element, reading: Reading): boolean {
  const { tagName, childNodes } = element
  const { writer } = reading
  const heading = /^h([1-6])$/.exec(tagName)?.[1]
  const inside = () => readAll(childNodes, reading)
  if (tagName === 'br') return writer.line.lineBreak()
  if (heading !== undefined) {
    const level = Math.min(Number(heading), EDITOR.headingLevels.length)
    return writer.within({ block: 'heading', attrs: { level, ...indentOf(element) } }, inside)
  }
  if (tagName === 'ul' || tagName === 'menu' || tagName === 'dir') return writer.list({ type: 'bulletList' }, inside)
  if (tagName === 'ol') return writer.list({ type: 'orderedList', attrs: startOf(element) }, inside)
  if (tagName === 'li') return writer.item(indentOf(element), inside)
  if (BLOCKS.has(tagName)) return writer.within({ block: 'paragraph', attrs: indentOf(element) }, inside)
  return readAll(childNodes, { ...reading, marks: marksInside(element, reading.marks) })
}

const attribute = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((each) => each.name === name)?.value

function indentOf(element: Element): { readonly indent?: number } {
  const indent = Number(attribute(element, 'data-indent') ?? 0)
  return Number.isInteger(indent) && indent >= EDITOR.minIndent && indent <= EDITOR.maxIndent ? { indent } : {}
}

function startOf(element: Element): { readonly start?: number } {
  const start = Number(attribute(element, 'start') ?? 1)
  return Number.isInteger(start) && start >= 0 && start <= 1_000_000 && start !== 1 ? { start } : {}
}

/** The marks of what stands inside an element: by its name, and by its style as programs write it for the clipboard. */
function marksInside(element: Element, marks: readonly RichMark[]): readonly RichMark[] {
  const style = attribute(element, 'style') ?? ''
  const named = MARK_OF[element.tagName]
  const own: RichMark[] = [
    // Google Docs puts everything into a bold that it takes back at once.
    ...(named && !(named === 'bold' && isLight(style)) ? [{ type: named }] : []),
    ...MARK_STYLES.flatMap(([type, sign]) => (sign.test(style) && type !== named ? [{ type }] : [])),
    ...linkOf(element),
  ]
  return own.length === 0 ? marks : [...marks.filter(({ type }) => own.every((mark) => mark.type !== type)), ...own]
}

const isLight = (style: string): boolean => /(?:^|;)\s*font-weight\s*:\s*(?:normal|lighter|[1-5]00)\b/i.test(style)

const MARK_STYLES: readonly (readonly [MarkName, RegExp])[] = [
  ['bold', /(?:^|;)\s*font-weight\s*:\s*(?:bold|bolder|[6-9]00)\b/i],
  ['italic', /(?:^|;)\s*font-style\s*:\s*(?:italic|oblique)\b/i],
  ['underline', /(?:^|;)\s*text-decoration(?:-line)?\s*:[^;]*\bunderline\b/i],
]

function linkOf(element: Element): readonly RichMark[] {
  const href = element.tagName === 'a' ? (attribute(element, 'href') ?? '').trim() : ''
  return href !== '' && isSafeLink(href) ? [{ type: 'link', attrs: { href } }] : []
}
