import { unreachable } from '../shared/assert-never.ts'
import type { RichMark, RichNode } from './document-schema.ts'
import { type InlineRun, inlineRuns } from './inline-runs.ts'
import { isSafeLink } from './safe-link.ts'

/** How far one level of indent is from the next, in widths of a letter. */
const INDENT_EM = 2

/**
 * A stored document as HTML, for other programs: no scripts, no classes, every address asked again whether it may be
 * followed. Levels of indent stand in `data-indent`, and as a margin for who does not know that.
 */
export function printHtml(node: RichNode): string {
  switch (node.type) {
    case 'doc':
      return blocks(node)
    case 'paragraph':
      return `<p${indent(node)}>${line(node)}</p>`
    case 'heading': {
      const level = Number(node.attrs?.['level'] ?? 1)
      return `<h${level}${indent(node)}>${line(node)}</h${level}>`
    }
    case 'bulletList':
      return `<ul>${blocks(node)}</ul>`
    case 'orderedList': {
      const start = Number(node.attrs?.['start'] ?? 1)
      return `<ol${start === 1 ? '' : ` start="${start}"`}>${blocks(node)}</ol>`
    }
    case 'listItem':
      return `<li${indent(node)}>${blocks(node)}</li>`
    case 'text':
    case 'hardBreak':
      return inlineRuns([node]).map(inline).join('')
    default:
      return unreachable(node.type)
  }
}

const blocks = ({ content = [] }: RichNode): string => content.map(printHtml).join('')

const line = ({ content = [] }: RichNode): string => inlineRuns(content).map(inline).join('')

function indent({ attrs }: RichNode): string {
  const level = Number(attrs?.['indent'] ?? 0)
  return level === 0 ? '' : ` data-indent="${level}" style="margin-inline-start:${level * INDENT_EM}em"`
}

function inline(run: InlineRun): string {
  if ('text' in run) return escapeHtml(run.text)
  if ('isBreak' in run) return '<br>'
  return marked(run.mark, run.runs.map(inline).join(''))
}

function marked({ type, attrs }: RichMark, html: string): string {
  switch (type) {
    case 'bold':
      return `<strong>${html}</strong>`
    case 'italic':
      return `<em>${html}</em>`
    case 'underline':
      return `<u>${html}</u>`
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
  // Every reader would make a line feed of it.
  '\r': '&#13;',
}

const escapeHtml = (text: string): string => text.replace(/[&<>"'\r]/g, (sign) => ESCAPED[sign] ?? sign)
