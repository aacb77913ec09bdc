import { unreachable } from '../shared/assert-never.ts'
import type { RichNode } from './document-schema.ts'
import { fileAddress } from './api-links.ts'
import { escapeMarkdown, markdownLine } from './markdown-line.ts'
import { printHtml } from './print-html.ts'
import type { NameOf } from './document-references.ts'

/**
 * A stored document as Markdown (CommonMark, with the tables, tasks and strokes of GitHub's). What Markdown has no sign
 * for stands as HTML that it allows: underline as `<u>`, an empty line as `&nbsp;`, a table without a head as `<table>`.
 * Levels of indent have no form there and are left out.
 */
export function printMarkdown(document: RichNode, nameOf: NameOf = () => undefined): string {
  return blocks(document, nameOf).join('\n')
}

/** The lines of the blocks in a node, with an empty one between each two. */
function blocks({ content = [] }: RichNode, nameOf: NameOf): readonly string[] {
  return content.flatMap((node, at) => {
    const lines = block(node, nameOf)
    if (at === 0) return lines
    // Two lists in a row would be read as one.
    const continuesList = listMarker(node) !== undefined && listMarker(node) === listMarker(content[at - 1])
    return [...(continuesList ? ['', '<!-- -->', ''] : ['']), ...lines]
  })
}

/** What the items of a list begin with. */
function listMarker(node: RichNode | undefined): '-' | '1.' | undefined {
  if (node?.type === 'orderedList') return '1.'
  return node?.type === 'bulletList' || node?.type === 'taskList' ? '-' : undefined
}

function block(node: RichNode, nameOf: NameOf): readonly string[] {
  const { type, attrs = {}, content = [] } = node
  switch (type) {
    case 'paragraph':
      return paragraph(node, nameOf)
    case 'heading':
      return [`${'#'.repeat(Number(attrs['level'] ?? 1))} ${escapeClosingHash(markdownLine(content, '<br>', nameOf))}`]
    case 'bulletList':
    case 'taskList':
      return content.flatMap((item) => listItem(item, '- ', nameOf))
    case 'orderedList':
      return content.flatMap((item, at) => listItem(item, `${Number(attrs['start'] ?? 1) + at}. `, nameOf))
    case 'blockquote':
      return blocks(node, nameOf).map((line) => (line === '' ? '>' : `> ${line}`))
    case 'codeBlock':
      return code(node)
    case 'horizontalRule':
      return ['---']
    case 'table':
      return table(node, nameOf)
    case 'image':
      return [image(node)]
    case 'file':
      return [`[file](${fileAddress(String(attrs['file']))})`]
    case 'doc':
    case 'listItem':
    case 'taskItem':
    case 'tableRow':
    case 'tableHeader':
    case 'tableCell':
      return blocks(node, nameOf)
    case 'text':
    case 'hardBreak':
    case 'mention':
      return [markdownLine([node], '<br>', nameOf)]
    default:
      return unreachable(type)
  }
}

/** HTML that Markdown takes as it is: on one line. */
const html = (node: RichNode, nameOf: NameOf): string => printHtml(node, nameOf).replaceAll('\n', '&#10;')

function paragraph(node: RichNode, nameOf: NameOf): readonly string[] {
  const { content = [] } = node
  // A line that begins with a break would be HTML of its own, without a paragraph around it.
  if (content[0]?.type === 'hardBreak') return [html(node, nameOf)]
  return markdownLine(content, '\\\n', nameOf).split('\n')
}

/** Signs at the end of a heading would be read as its frame. */
const escapeClosingHash = (line: string): string => line.replace(/(?<=[ \t])#(?=#*$)/, '\\#')

/** An item, all of its lines as far in as its text begins. */
function listItem(item: RichNode, marker: string, nameOf: NameOf): readonly string[] {
  const margin = ' '.repeat(marker.length)
  const lines = item.type === 'taskItem' ? task(item, nameOf) : blocks(item, nameOf)
  return lines.map((line, at) => (at === 0 ? marker + line : line === '' ? '' : margin + line))
}

/** A task, whose box stands before its words, whatever these begin with. */
function task({ attrs, content: [first, ...others] = [] }: RichNode, nameOf: NameOf): readonly string[] {
  const box = attrs?.['checked'] === true ? '[x]' : '[ ]'
  const [line = '', ...lines] = markdownLine(first?.content ?? [], '\\\n', nameOf).split('\n')
  const below = others.length > 0 ? ['', ...blocks({ type: 'taskItem', content: others }, nameOf)] : []
  return [`${box} ${line}`, ...lines, ...below]
}

/** Code between fences that are longer than any in it. */
function code({ attrs, content = [] }: RichNode): readonly string[] {
  const text = content.map((part) => part.text ?? '').join('')
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([signs]) => signs.length))
  const fence = '`'.repeat(longest + 1)
  return [fence + String(attrs?.['language'] ?? ''), ...text.split('\n'), fence]
}

/** Signs cannot say how wide a picture is, and not every word that may stand in its place. */
function image(node: RichNode): string {
  const { file, alt = '', width } = node.attrs ?? {}
  const words = String(alt)
  const isPlain = width === undefined && escapeMarkdown(words) === words && words.trim() === words
  return isPlain ? `![${words}](${fileAddress(String(file))})` : html(node, () => undefined)
}

/** Signs can say no table but one with a head, and all of a cell on one line. */
function table(node: RichNode, nameOf: NameOf): readonly string[] {
  const [head, ...rows] = node.content ?? []
  const isHeaded = holdsAlone(head, 'tableHeader') && rows.every((row) => holdsAlone(row, 'tableCell'))
  if (!isHeaded) return [html(node, nameOf)]
  const [first = '', ...lines] = [head, ...rows].map((row) => tableRow(row?.content ?? [], nameOf))
  return [first, `|${' --- |'.repeat(head?.content?.length ?? 0)}`, ...lines]
}

const holdsAlone = (row: RichNode | undefined, type: RichNode['type']): boolean =>
  row?.content?.every((cell) => cell.type === type) === true

function tableRow(cells: readonly RichNode[], nameOf: NameOf): string {
  const printed = cells.map(({ content = [] }) => {
    const line = content.flatMap((paragraph, at) => [
      ...(at > 0 ? [{ type: 'hardBreak' } as const] : []),
      ...(paragraph.content ?? []),
    ])
    return line.length === 0 ? '' : markdownLine(line, '<br>', nameOf)
  })
  return `| ${printed.join(' | ')} |`
}
