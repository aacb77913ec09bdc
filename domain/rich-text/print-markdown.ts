import { unreachable } from '../shared/result.ts'
import { type RichMark, type RichNode, isSafeLink } from './document-schema.ts'
import { type Mention, type NameOf, fileAddress, mentionAddress } from './document-references.ts'
import { printHtml, type InlineRun, inlineRuns } from './print-html.ts'

/**
 * Converts a stored document to CommonMark with GitHub's tables, task lists and strikethrough. Other formatting uses
 * HTML: underline as `<u>`, an empty line as `&nbsp;`, a table without a header as `<table>`. Indentation is lost.
 */
export function printMarkdown(document: RichNode, nameOf: NameOf = () => undefined): string {
  return blocks(document, nameOf).join('\n')
}

/** Blocks are separated by empty lines. */
function blocks({ content = [] }: RichNode, nameOf: NameOf): readonly string[] {
  return content.flatMap((node, at) => {
    const lines = block(node, nameOf)
    if (at === 0) return lines
    // Two adjacent lists would otherwise be parsed as one.
    const continuesList = listMarker(node) !== undefined && listMarker(node) === listMarker(content[at - 1])
    return [...(continuesList ? ['', '<!-- -->', ''] : ['']), ...lines]
  })
}

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

/** Single-line HTML, which Markdown passes through. */
const html = (node: RichNode, nameOf: NameOf): string => printHtml(node, nameOf).replaceAll('\n', '&#10;')

function paragraph(node: RichNode, nameOf: NameOf): readonly string[] {
  const { content = [] } = node
  // A leading `<br>` would start an HTML block.
  if (content[0]?.type === 'hardBreak') return [html(node, nameOf)]
  return markdownLine(content, '\\\n', nameOf).split('\n')
}

/** A trailing `#` would be parsed as a closing heading sequence. */
const escapeClosingHash = (line: string): string => line.replace(/(?<=[ \t])#(?=#*$)/, '\\#')

/** Indents all lines to align with the item's text. */
function listItem(item: RichNode, marker: string, nameOf: NameOf): readonly string[] {
  const margin = ' '.repeat(marker.length)
  const lines = item.type === 'taskItem' ? task(item, nameOf) : blocks(item, nameOf)
  return lines.map((line, at) => (at === 0 ? marker + line : line === '' ? '' : margin + line))
}

function task({ attrs, content: [first, ...others] = [] }: RichNode, nameOf: NameOf): readonly string[] {
  const box = attrs?.['checked'] === true ? '[x]' : '[ ]'
  const [line = '', ...lines] = markdownLine(first?.content ?? [], '\\\n', nameOf).split('\n')
  const below = others.length > 0 ? ['', ...blocks({ type: 'taskItem', content: others }, nameOf)] : []
  return [`${box} ${line}`, ...lines, ...below]
}

/** The fence must be longer than any fence in the code. */
function code({ attrs, content = [] }: RichNode): readonly string[] {
  const text = content.map((part) => part.text ?? '').join('')
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([signs]) => signs.length))
  const fence = '`'.repeat(longest + 1)
  return [fence + String(attrs?.['language'] ?? ''), ...text.split('\n'), fence]
}

/** Markdown can't express image widths or every alt text. */
function image(node: RichNode): string {
  const { file, alt = '', width } = node.attrs ?? {}
  const words = String(alt)
  const isPlain = width === undefined && escapeMarkdown(words) === words && words.trim() === words
  return isPlain ? `![${words}](${fileAddress(String(file))})` : html(node, () => undefined)
}

/** Markdown tables require a header and single-line cells. */
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

/** Line break syntax: at the end of a line, or inline. */
type LineBreak = '\\\n' | '<br>'

function markdownLine(content: readonly RichNode[], lineBreak: LineBreak, nameOf: NameOf): string {
  const printed = inline(inlineRuns(content), { before: '\n', after: '\n', nameOf, isInLink: false })
  if (printed === '') return '&nbsp;'
  const lines = printed.split(BREAK).map(keepEdgeSpaces).map(escapeLineStart)
  // Next to an empty line, `\` would end the paragraph.
  return lines.reduce(
    (above: string, line) =>
      above + (above === '' || above.endsWith('<br>') || line === '' ? '<br>' : lineBreak) + line,
  )
}

/** Placeholder for a line break until the line is complete; stored text never contains NUL. */
const BREAK = '\0'

/** Whitespace at the start or end of a line would be lost. */
const keepEdgeSpaces = (line: string): string =>
  line.replace(/^[ \t]+|[ \t]+$/g, (spaces) => [...spaces].map((space) => (space === ' ' ? '&#32;' : '&#9;')).join(''))

/** Escapes characters that would start a heading, list, quote or rule. */
const escapeLineStart = (line: string): string =>
  line
    .replace(/^(?:[#+=:-]|\d{1,9}(?=[.)]))/, (sign) => (/\d/.test(sign) ? sign : `\\${sign}`))
    .replace(/^(\d{1,9})([.)])/, '$1\\$2')

/** Adjacent characters determine whether emphasis delimiters are recognized. */
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

function firstCharacter(run: InlineRun): string {
  if ('isBreak' in run) return '\n'
  if ('text' in run) return escapeMarkdown(run.text)[0] ?? '\n'
  // The output for marks and mentions starts with punctuation.
  return '*'
}

function printRun(run: InlineRun, context: InlineContext): string {
  if ('text' in run) return escapeMarkdown(run.text)
  if ('isBreak' in run) return BREAK
  if ('mention' in run) return mention(run.mention, context)
  return marked(run.mark, run.runs, context)
}

/** Links can't be nested. */
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

/** Uses HTML tags if the delimiters would not be recognized. */
const emphasis = (sign: string, tag: string, runs: readonly InlineRun[], context: InlineContext): string =>
  delimited(sign, runs, context) ?? tagged(tag, runs, context)

const tagged = (tag: string, runs: readonly InlineRun[], context: InlineContext): string =>
  `<${tag}>${inline(runs, { ...context, before: '>', after: '<' })}</${tag}>`

function delimited(sign: string, runs: readonly InlineRun[], context: InlineContext): string | undefined {
  const words = inline(runs, { ...context, before: '*', after: '*' })
  const isApart = isOutside(context.before) && isOutside(context.after)
  return isApart && isWord(words[0] ?? ' ') && isWord(words.at(-1) ?? ' ') ? sign + words + sign : undefined
}

function inlineCode(runs: readonly InlineRun[]): string | undefined {
  const words = runs.map((run) => ('text' in run ? run.text : '`')).join('')
  return /^[^`|[\]\r\n]+$/.test(words) && words.trim() === words ? `\`${words}\`` : undefined
}

/** Delimiters next to these characters are always recognized. */
const isOutside = (sign: string): boolean => /^[\s\0.,;:!?()"'-]$/u.test(sign)

const isWord = (sign: string): boolean => /^[\p{L}\p{N}]$/u.test(sign)

const escapeMarkdown = (text: string): string =>
  text
    .replace(/[\\`*_[\]<>&~|]/g, (sign) => `\\${sign}`)
    // An exclamation mark before a link would make it an image.
    .replace(/!$/, '\\!')
    .replaceAll('\r', '&#13;')
    .replaceAll('\n', '&#10;')
