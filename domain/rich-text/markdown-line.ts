import { unreachable } from '../shared/assert-never.ts'
import { isSafeLink, type RichMark, type RichNode } from './document-schema.ts'
import { type InlineRun, inlineRuns } from './inline-runs.ts'
import { mentionAddress } from './api-links.ts'
import { printHtml } from './print-html.ts'

import type { Mention, NameOf } from './document-references.ts'

/** What stands between two lines: a break on a line of its own, or one that stays in the line. */
type LineBreak = '\\\n' | '<br>'

/** The words of a paragraph as Markdown: a line, or several with breaks between them. */
export function markdownLine(content: readonly RichNode[], lineBreak: LineBreak, nameOf: NameOf): string {
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
      return code(runs) ?? tagged('code', runs, context)
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
function code(runs: readonly InlineRun[]): string | undefined {
  const words = runs.map((run) => ('text' in run ? run.text : '`')).join('')
  return /^[^`|[\]\r\n]+$/.test(words) && words.trim() === words ? `\`${words}\`` : undefined
}

/** A character beside which a sign of emphasis counts, whatever stands on its other side. */
const isOutside = (sign: string): boolean => /^[\s\0.,;:!?()"'-]$/u.test(sign)

const isWord = (sign: string): boolean => /^[\p{L}\p{N}]$/u.test(sign)

/** Words as they are, whatever signs of Markdown they hold. */
export const escapeMarkdown = (text: string): string =>
  text
    .replace(/[\\`*_[\]<>&~|]/g, (sign) => `\\${sign}`)
    // Before a link it would make a picture of it.
    .replace(/!$/, '\\!')
    .replaceAll('\r', '&#13;')
    .replaceAll('\n', '&#10;')
