import { unreachable } from '../shared/result.ts'
import { type RichMark, type RichNode, isSafeLink } from './document-schema.ts'
import { type Mention, type NameOf, fileAddress, mentionAddress } from './document-references.ts'
import { printHtml } from './print-html.ts'
import { type InlineRun, inlineRuns } from './inline-runs.ts'

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

/** What stands between two lines: a break on a line of its own, or one that stays in the line. */
type LineBreak = '\\\n' | '<br>'

/** The words of a paragraph as Markdown: a line, or several with breaks between them. */
function markdownLine(content: readonly RichNode[], lineBreak: LineBreak, nameOf: NameOf): string {
  const printed = inline(inlineRuns(content), { before: '\n', after: '\n', nameOf, isInLink: false })
  if (printed === '') return '&nbsp;'
  const lines = printed.split(BREAK).map(keepEdgeSpaces).map(escapeLineStart)
  // Beside an empty line the usual break would end the paragraph.
  return lines.reduce(
    (above: string, line) =>
      above + (above === '' || above.endsWith('<br>') || line === '' ? '<br>' : lineBreak) + line,
  )
}

/** Stands for a break until the line is whole; no text that is kept holds this character. */
const BREAK = '\0'

/** White space at the edges of a line would be lost. */
const keepEdgeSpaces = (line: string): string =>
  line.replace(/^[ \t]+|[ \t]+$/g, (spaces) => [...spaces].map((space) => (space === ' ' ? '&#32;' : '&#9;')).join(''))

/** What would make a heading, a list, a quote or a line of its own at the beginning of a line. */
const escapeLineStart = (line: string): string =>
  line
    .replace(/^(?:[#+=:-]|\d{1,9}(?=[.)]))/, (sign) => (/\d/.test(sign) ? sign : `\\${sign}`))
    .replace(/^(\d{1,9})([.)])/, '$1\\$2')

/** Where a run stands: the characters beside it, which decide whether signs of emphasis are read as such. */
type InlineContext = {
  readonly before: string
  readonly after: string
  readonly nameOf: NameOf
  readonly isInLink: boolean
}

function inline(runs: readonly InlineRun[], context: InlineContext): string {
  let printed = ''
  for (const [at, run] of runs.entries()) {
    const before = printed.at(-1) ?? context.before
    const following = runs[at + 1]
    const after = following ? firstCharacter(following) : context.after
    printed += printRun(run, { ...context, before, after })
  }
  return printed
}

/** The first character of what a run prints, as far as that decides anything. */
function firstCharacter(run: InlineRun): string {
  if ('isBreak' in run) return '\n'
  if ('text' in run) return escapeMarkdown(run.text)[0] ?? '\n'
  // The sign of a mark or of a mention: punctuation, whichever it is.
  return '*'
}

function printRun(run: InlineRun, context: InlineContext): string {
  if ('text' in run) return escapeMarkdown(run.text)
  if ('isBreak' in run) return BREAK
  if ('mention' in run) return mention(run.mention, context)
  return marked(run.mark, run.runs, context)
}

/** A link to what is mentioned; inside a link there can be no other. */
function mention(mentioned: Mention, { nameOf, isInLink }: InlineContext): string {
  if (isInLink) return printHtml({ type: 'mention', attrs: mentioned }, nameOf).replaceAll('\n', '&#10;')
  return `[@${escapeMarkdown(nameOf(mentioned) ?? mentioned.kind)}](${mentionAddress(mentioned)})`
}

function marked({ type, attrs }: RichMark, runs: readonly InlineRun[], context: InlineContext): string {
  switch (type) {
    case 'bold': {
      const [only, ...others] = runs
      const isItalic = only && 'mark' in only && only.mark.type === 'italic' && others.length === 0
      return (isItalic && delimited('***', only.runs, context)) || emphasis('**', 'strong', runs, context)
    }
    case 'italic':
      return emphasis('*', 'em', runs, context)
    case 'underline':
      return tagged('u', runs, context)
    case 'strike':
      return emphasis('~~', 's', runs, context)
    case 'code':
      return inlineCode(runs) ?? tagged('code', runs, context)
    case 'link': {
      const words = inline(runs, { ...context, before: '[', after: ']', isInLink: true })
      const href = attrs?.['href']
      if (typeof href !== 'string' || !isSafeLink(href)) return words
      return `[${words}](<${href.replace(/[\\<>&|]/g, (sign) => `\\${sign}`)}>)`
    }
    default:
      return unreachable(type)
  }
}

/** Words between signs of emphasis; between tags where the signs would not be read as such. */
const emphasis = (sign: string, tag: string, runs: readonly InlineRun[], context: InlineContext): string =>
  delimited(sign, runs, context) ?? tagged(tag, runs, context)

const tagged = (tag: string, runs: readonly InlineRun[], context: InlineContext): string =>
  `<${tag}>${inline(runs, { ...context, before: '>', after: '<' })}</${tag}>`

function delimited(sign: string, runs: readonly InlineRun[], context: InlineContext): string | undefined {
  const words = inline(runs, { ...context, before: '*', after: '*' })
  const isApart = isOutside(context.before) && isOutside(context.after)
  return isApart && isWord(words[0] ?? ' ') && isWord(words.at(-1) ?? ' ') ? sign + words + sign : undefined
}

/** Code between its signs, where nothing in it or at its edges means anything. */
function inlineCode(runs: readonly InlineRun[]): string | undefined {
  const words = runs.map((run) => ('text' in run ? run.text : '`')).join('')
  return /^[^`|[\]\r\n]+$/.test(words) && words.trim() === words ? `\`${words}\`` : undefined
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
