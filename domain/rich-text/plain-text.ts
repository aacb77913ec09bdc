import type { RichNode } from './document-schema.ts'
import { mentionOf, type NameOf } from './things-in-document.ts'

/**
 * A document as plain text, one line a block, the cells of a table with tabs between them: what search reads and the
 * grid shows. A mention says nothing, unless there is a name for it that whoever reads may know.
 */
export function plainText(document: RichNode, nameOf: NameOf = () => undefined): string {
  const lines: string[] = []
  collect(document, { lines, nameOf })
  return lines.join('\n')
}

type Writing = { readonly lines: string[]; readonly nameOf: NameOf }

function collect(node: RichNode, writing: Writing): void {
  const { lines, nameOf } = writing
  const { type, attrs, content = [] } = node
  if (type === 'paragraph' || type === 'heading' || type === 'codeBlock') {
    lines.push(content.map((part) => word(part, nameOf)).join(''))
  } else if (type === 'tableRow') {
    lines.push(content.map((cell) => plainText(cell, nameOf).replace(/[\t\n]/g, ' ')).join('\t'))
  } else if (type === 'image') {
    if (attrs?.['alt']) lines.push(String(attrs['alt']))
  } else {
    for (const child of content) collect(child, writing)
  }
}

function word(node: RichNode, nameOf: NameOf): string {
  if (node.type === 'hardBreak') return '\n'
  const mention = mentionOf(node)
  return mention ? (nameOf(mention) ?? '') : (node.text ?? '')
}
