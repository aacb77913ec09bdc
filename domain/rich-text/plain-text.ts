import type { RichNode } from './document-schema.ts'

/** A document as plain text, one line a block: what search reads and the grid shows. */
export function plainText(document: RichNode): string {
  const lines: string[] = []
  collect(document, lines)
  return lines.join('\n')
}

function collect(node: RichNode, lines: string[]): void {
  if (node.type === 'paragraph' || node.type === 'heading') {
    lines.push((node.content ?? []).map((part) => (part.type === 'hardBreak' ? '\n' : (part.text ?? ''))).join(''))
    return
  }
  for (const child of node.content ?? []) collect(child, lines)
}
