import type { RichDocument } from './document-schema.ts'

/** Plain text as a document: one paragraph a line. */
export function documentOfText(text: string): RichDocument {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  return {
    type: 'doc',
    content: lines.map((line) =>
      line === '' ? { type: 'paragraph' } : { type: 'paragraph', content: [{ type: 'text', text: line }] },
    ),
  }
}
