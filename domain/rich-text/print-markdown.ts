import { unreachable } from '../shared/assert-never.ts'
import type { RichMark, RichNode } from './document-schema.ts'
import { type InlineRun, inlineRuns } from './inline-runs.ts'
import { printHtml } from './print-html.ts'
import { isSafeLink } from './safe-link.ts'

/**
 * A stored document as Markdown (CommonMark). What Markdown has no sign for stands as HTML that it allows: underline as
 * `<u>`, an empty line as `&nbsp;`. Levels of indent have no form there and are left out.
 */
export function printMarkdown(document: RichNode): string {
  return blocks(document.content ?? []).join('\n')
}

/** The lines of blocks, with an empty one between each two. */
function blocks(nodes: readonly RichNode[]): readonly string[] {
  return nodes.flatMap((node, at) => {
    const lines = block(node)
    if (at === 0) return lines
    // Two lists in a row would be read as one.
    const isOneMore = isList(node) && nodes[at - 1]?.type === node.type
    return [...(isOneMore ? ['', '<!-- -->', ''] : ['']), ...lines]
  })
}

const isList = ({ type }: RichNode): boolean => type === 'bulletList' || type === 'orderedList'

function block(node: RichNode): readonly string[] {
  switch (node.type) {
    case 'doc':
      return blocks(node.content ?? [])
    case 'paragraph':
      return paragraphLines(node)
    case 'heading':
      return [`${'#'.repeat(Number(node.attrs?.['level'] ?? 1))} ${endKept(paragraph(node, '<br>'))}`]
    case 'bulletList':
      return (node.content ?? []).flatMap((item) => listItem(item, '- '))
    case 'orderedList': {
      const start = Number(node.attrs?.['start'] ?? 1)
      return (node.content ?? []).flatMap((item, at) => listItem(item, `${start + at}. `))
    }
    case 'listItem':
      return blocks(node.content ?? [])
    case 'text':
    case 'hardBreak':
      return [paragraph({ type: 'paragraph', content: [node] }, '<br>')]
    default:
      return unreachable(node.type)
  }
}

/** An item, all of its lines as far in as its text begins. */
function listItem(item: RichNode, sign: string): readonly string[] {
  const margin = ' '.repeat(sign.length)
  return block(item).map((line, at) => (at === 0 ? sign + line : line === '' ? '' : margin + line))
}

function paragraphLines(node: RichNode): readonly string[] {
  const [first] = node.content ?? []
  // A line that begins with a break would be HTML of its own, without a paragraph around it.
  if (first?.type === 'hardBreak') return [printHtml(node).replace(/[\r\n]+/g, ' ')]
  return paragraph(node, '\\\n').split('\n')
}

/** A line, or several with breaks between them. */
function paragraph({ content = [] }: RichNode, lineBreak: string): string {
  const printed = inline(inlineRuns(content), { before: '\n', after: '\n' })
  if (printed === '') return '&nbsp;'
  const lines = printed.split(BREAK).map(edgesKept).map(beginningKept)
  // Beside an empty line the usual break would end the paragraph.
  return lines.reduce(
    (above, line) => above + (above === '' || above.endsWith('<br>') || line === '' ? '<br>' : lineBreak) + line,
  )
}

/** Stands for a break until the line is whole; no text that is kept holds this character. */
const BREAK = '\0'

/** White space at the edges of a line would be lost. */
const edgesKept = (line: string): string =>
  line.replace(/^[ \t]+|[ \t]+$/g, (spaces) => [...spaces].map((space) => (space === ' ' ? '&#32;' : '&#9;')).join(''))

/** What would make a heading, a list, a quote or a line of its own at the beginning of a line. */
const beginningKept = (line: string): string =>
  line
    .replace(/^(?:[#+=-]|\d{1,9}(?=[.)]))/, (sign) => (/\d/.test(sign) ? sign : `\\${sign}`))
    .replace(/^(\d{1,9})([.)])/, '$1\\$2')

/** Signs at the end of a heading would be read as its frame. */
const endKept = (line: string): string => line.replace(/#(?=#*$)/, '\\#')

/** The characters beside a run, which decide whether signs of emphasis are read as such. */
type Beside = { readonly before: string; readonly after: string }

function inline(runs: readonly InlineRun[], beside: Beside): string {
  let printed = ''
  for (const [at, run] of runs.entries()) {
    const before = printed.at(-1) ?? beside.before
    const following = runs[at + 1]
    const after = following ? firstSign(following) : beside.after
    printed += printRun(run, { before, after })
  }
  return printed
}

/** The first character of what a run prints, as far as that decides anything. */
function firstSign(run: InlineRun): string {
  if ('isBreak' in run) return '\n'
  if ('text' in run) return escapeMarkdown(run.text)[0] ?? '\n'
  // The sign of a mark: punctuation, whichever it is.
  return '*'
}

function printRun(run: InlineRun, beside: Beside): string {
  if ('text' in run) return escapeMarkdown(run.text)
  if ('isBreak' in run) return BREAK
  return marked(run.mark, run.runs, beside)
}

function marked({ type, attrs }: RichMark, runs: readonly InlineRun[], beside: Beside): string {
  switch (type) {
    case 'bold': {
      const [only, ...others] = runs
      const isItalic = only && 'mark' in only && only.mark.type === 'italic' && others.length === 0
      return (isItalic && signed('***', only.runs, beside)) || emphasis('**', 'strong', runs, beside)
    }
    case 'italic':
      return emphasis('*', 'em', runs, beside)
    case 'underline':
      return `<u>${inline(runs, { before: '>', after: '<' })}</u>`
    case 'link': {
      const words = inline(runs, { before: '[', after: ']' })
      const href = attrs?.['href']
      if (typeof href !== 'string' || !isSafeLink(href)) return words
      return `[${words}](<${href.replace(/[\\<>&]/g, (sign) => `\\${sign}`)}>)`
    }
    default:
      return unreachable(type)
  }
}

/** Words between signs of emphasis; between tags where the signs would not be read as such. */
const emphasis = (sign: string, tag: string, runs: readonly InlineRun[], beside: Beside): string =>
  signed(sign, runs, beside) ?? `<${tag}>${inline(runs, { before: '>', after: '<' })}</${tag}>`

function signed(sign: string, runs: readonly InlineRun[], { before, after }: Beside): string | undefined {
  const words = inline(runs, { before: '*', after: '*' })
  const isRead = isOutside(before) && isWord(words[0] ?? ' ') && isOutside(after) && isWord(words.at(-1) ?? ' ')
  return isRead ? sign + words + sign : undefined
}

/** A character beside which a sign of emphasis counts, whatever stands on its other side. */
const isOutside = (sign: string): boolean => /^[\s\0.,;:!?()"'-]$/u.test(sign)

const isWord = (sign: string): boolean => /^[\p{L}\p{N}]$/u.test(sign)

/** Words as they are, whatever signs of Markdown they hold. */
const escapeMarkdown = (text: string): string =>
  text
    .replace(/[\\`*_[\]<>&~|]/g, (sign) => `\\${sign}`)
    // Before a link it would make a picture of it.
    .replace(/!$/, '\\!')
    .replaceAll('\r', '&#13;')
    .replaceAll('\n', '&#10;')
