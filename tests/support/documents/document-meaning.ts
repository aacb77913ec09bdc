import type { RichNode } from '#domain/rich-text/document-schema.ts'

export type Form = 'html' | 'markdown'

/**
 * The part of a document's content that a format preserves, for comparisons. Both formats merge white space and
 * adjacent texts with the same marks; Markdown loses indentation and joins the paragraphs of a table cell with line
 * breaks. Code, files, mentions, checkboxes, list starts, heading levels and widths are preserved.
 */
export function meaning(node: RichNode, form: Form): unknown {
  const { type, attrs = {}, content = [] } = node
  const { indent = 0, ...others } = attrs
  const attributes = form === 'html' ? { ...others, indent } : others
  if (type === 'paragraph' || type === 'heading') return { type, attributes, line: lineMeaning(content) }
  if (type === 'codeBlock') return { type, attributes, code: content.map(({ text = '' }) => text).join('') }
  if (form === 'markdown' && (type === 'tableHeader' || type === 'tableCell'))
    return { type, line: cellMeaning(content) }
  return { type, attributes, inside: content.map((child) => meaning(child, form)) }
}

const cellMeaning = (paragraphs: readonly RichNode[]): readonly string[] =>
  paragraphs.flatMap(({ content = [] }, at) => [...(at > 0 ? ['break'] : []), ...lineMeaning(content)])

/** Visible characters and mentions, with their marks. */
function lineMeaning(content: readonly RichNode[]): readonly string[] {
  return content.flatMap((node) => {
    const { type, attrs, text = '', marks = [] } = node
    if (type === 'hardBreak') return ['break']
    const set = marks
      .map((mark) => `${mark.type}${mark.attrs?.['href'] ?? ''}`)
      .toSorted()
      .join('+')
    if (type === 'mention') return [`${JSON.stringify([attrs?.['kind'], attrs?.['id'], attrs?.['collection']])} ${set}`]
    return [...text.replace(/\s/gu, '')].map((sign) => `${sign} ${set}`)
  })
}
