import { unreachable } from '../shared/result.ts'
import { isSafeLink, type RichMark, type RichNode, MARK_ORDER, type MarkName } from './document-schema.ts'
import { type Mention, type NameOf, fileAddress, mentionOf } from './document-references.ts'

const INDENT_EM = 2

/**
 * Converts a stored document to HTML for use in other programs. The output contains no scripts, and link targets are
 * checked again. Indentation uses `data-indent` and a margin; files and mentions link to the API by ID.
 */
export function printHtml(node: RichNode, nameOf: NameOf = () => undefined): string {
  const inside = () => (node.content ?? []).map((child) => printHtml(child, nameOf)).join('')
  const attribute = (name: string) => node.attrs?.[name]
  switch (node.type) {
    case 'doc':
      return inside()
    case 'paragraph':
      return `<p${indent(node)}>${line(node, nameOf)}</p>`
    case 'heading': {
      const level = Number(attribute('level') ?? 1)
      return `<h${level}${indent(node)}>${line(node, nameOf)}</h${level}>`
    }
    case 'bulletList':
      return `<ul>${inside()}</ul>`
    case 'orderedList':
      return `<ol${printAttribute('start', attribute('start'))}>${inside()}</ol>`
    case 'taskList':
      return `<ul data-type="taskList">${inside()}</ul>`
    case 'listItem':
      return `<li${indent(node)}>${inside()}</li>`
    case 'taskItem': {
      const isChecked = attribute('checked') === true
      const box = `<input type="checkbox" disabled${isChecked ? ' checked' : ''}>`
      return `<li data-type="taskItem" data-checked="${isChecked}"${indent(node)}>${box}${inside()}</li>`
    }
    case 'blockquote':
      return `<blockquote>${inside()}</blockquote>`
    case 'codeBlock':
      return code(node)
    case 'horizontalRule':
      return '<hr>'
    case 'table':
      return `<table><tbody>${inside()}</tbody></table>`
    case 'tableRow':
      return `<tr>${inside()}</tr>`
    case 'tableHeader':
      return `<th>${inside()}</th>`
    case 'tableCell':
      return `<td>${inside()}</td>`
    case 'image':
      return image(node)
    case 'file': {
      const file = String(attribute('file'))
      return `<p><a${printAttribute('data-file', file)}${printAttribute('href', fileAddress(file))}>file</a></p>`
    }
    case 'text':
    case 'hardBreak':
    case 'mention':
      return line({ type: 'paragraph', content: [node] }, nameOf)
    default:
      return unreachable(node.type)
  }
}

const printAttribute = (name: string, value: string | number | boolean | undefined): string =>
  value === undefined ? '' : ` ${name}="${escapeHtml(String(value))}"`

function indent({ attrs }: RichNode): string {
  const level = Number(attrs?.['indent'] ?? 0)
  return level === 0 ? '' : ` data-indent="${level}" style="margin-inline-start:${level * INDENT_EM}em"`
}

/** A trailing line feed is doubled, because HTML parsers drop one. */
function code({ attrs, content = [] }: RichNode): string {
  const text = content.map((part) => part.text ?? '').join('')
  const language = attrs?.['language']
  const classAttribute = language === undefined ? '' : printAttribute('class', `language-${language}`)
  return `<pre><code${classAttribute}>${escapeHtml(text)}${text.endsWith('\n') ? '\n' : ''}</code></pre>`
}

function image({ attrs = {} }: RichNode): string {
  const { file, alt = '', width } = attrs
  const address = printAttribute('data-file', file) + printAttribute('src', fileAddress(String(file)))
  const shape = width === undefined ? '' : printAttribute('data-width', width) + printAttribute('width', `${width}%`)
  return `<img${address}${printAttribute('alt', alt)}${shape}>`
}

function line({ content = [] }: RichNode, nameOf: NameOf): string {
  return inlineRuns(content)
    .map((run) => inline(run, nameOf))
    .join('')
}

function inline(run: InlineRun, nameOf: NameOf): string {
  if ('text' in run) return escapeHtml(run.text)
  if ('isBreak' in run) return '<br>'
  if ('mention' in run) return mention(run.mention, nameOf)
  return marked(run.mark, run.runs.map((inner) => inline(inner, nameOf)).join(''))
}

function mention(mentioned: Mention, nameOf: NameOf): string {
  const collection = mentioned.kind === 'record' ? printAttribute('data-collection', mentioned.collection) : ''
  const ids = printAttribute('data-mention', mentioned.kind) + printAttribute('data-id', mentioned.id) + collection
  return `<span${ids}>@${escapeHtml(nameOf(mentioned) ?? mentioned.kind)}</span>`
}

function marked({ type, attrs }: RichMark, html: string): string {
  switch (type) {
    case 'bold':
      return `<strong>${html}</strong>`
    case 'italic':
      return `<em>${html}</em>`
    case 'underline':
      return `<u>${html}</u>`
    case 'strike':
      return `<s>${html}</s>`
    case 'code':
      return `<code>${html}</code>`
    case 'link': {
      const href = attrs?.['href']
      if (typeof href !== 'string' || !isSafeLink(href)) return html
      return `<a href="${escapeHtml(href)}" rel="noopener noreferrer">${html}</a>`
    }
    default:
      return unreachable(type)
  }
}

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // HTML parsers convert a carriage return to a line feed.
  '\r': '&#13;',
}

const escapeHtml = (text: string): string => text.replace(/[&<>"'\r]/g, (sign) => ESCAPED[sign] ?? sign)

export type InlineRun =
  | { readonly text: string }
  | { readonly isBreak: true }
  | { readonly mention: Mention }
  | { readonly mark: RichMark; readonly runs: readonly InlineRun[] }

/** Nests the marks in a line, with each mark around the longest possible run of text. */
export function inlineRuns(
  content: readonly RichNode[],
  marks: readonly MarkName[] = MARK_ORDER,
): readonly InlineRun[] {
  const [name, ...inner] = marks
  if (name === undefined) return content.map(plainRun)
  const runs: InlineRun[] = []
  for (let from = 0; from < content.length; ) {
    const mark = markOf(content[from], name)
    let end = from + 1
    while (end < content.length && isSameMark(markOf(content[end], name), mark)) end += 1
    const inside = inlineRuns(content.slice(from, end), inner)
    if (mark) runs.push({ mark, runs: inside })
    else runs.push(...inside)
    from = end
  }
  return runs
}

function plainRun(node: RichNode): InlineRun {
  const mention = mentionOf(node)
  if (mention) return { mention }
  return node.type === 'hardBreak' ? { isBreak: true } : { text: node.text ?? '' }
}

const markOf = (node: RichNode | undefined, name: MarkName): RichMark | undefined =>
  node?.marks?.find(({ type }) => type === name)

const isSameMark = (one: RichMark | undefined, other: RichMark | undefined): boolean =>
  one?.type === other?.type && one?.attrs?.['href'] === other?.attrs?.['href']
