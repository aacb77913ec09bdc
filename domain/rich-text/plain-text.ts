import type { RichDocument, RichNode } from './document-schema.ts'

/** Placeholder for a mention, because names aren't searched and not every reader can see them. */
const MENTION_SIGN = '@'

/** Plain text with one line per block and tab-separated cells; used for search and the grid. */
export function plainText(document: RichNode): string {
  const lines: string[] = []
  collect(document, lines)
  return lines.join('\n')
}

function collect(node: RichNode, lines: string[]): void {
  const { type, attrs, content = [] } = node
  if (type === 'paragraph' || type === 'heading' || type === 'codeBlock') {
    lines.push(content.map(inlineText).join(''))
  } else if (type === 'tableRow') {
    lines.push(content.map((cell) => plainText(cell).replace(/[\t\n]/g, ' ')).join('\t'))
  } else if (type === 'image') {
    if (attrs?.['alt']) lines.push(String(attrs['alt']))
  } else {
    for (const child of content) collect(child, lines)
  }
}

function inlineText({ type, text = '' }: RichNode): string {
  if (type === 'hardBreak') return '\n'
  return type === 'mention' ? MENTION_SIGN : text
}

/** Converts each line of text to a paragraph. */
export function documentOfText(text: string): RichDocument {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  return {
    type: 'doc',
    content: lines.map((line) =>
      line === '' ? { type: 'paragraph' } : { type: 'paragraph', content: [{ type: 'text', text: line }] },
    ),
  }
}
