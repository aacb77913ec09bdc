import type { RichNode } from '#domain/rich-text/document-schema.ts'

/** A form that a document is printed in and read from. */
export type Form = 'html' | 'markdown'

/**
 * What a document says, as far as a form can say it. Two documents with the same meaning look the same, but for this:
 * - in both forms, white space in lines is run together, and set words have no seams;
 * - in Markdown, levels of indent are lost, and the paragraphs of a cell become lines of one.
 * Code is kept letter by letter, and files, mentions, boxes, starts, levels and widths are kept as they are.
 */
export function meaning(node: RichNode, form: Form): unknown {
  const { type, attrs = {}, content = [] } = node
  const { indent = 0, ...others } = attrs
  const said = form === 'html' ? { ...others, indent } : others
  if (type === 'paragraph' || type === 'heading') return { type, said, line: lineMeaning(content) }
  if (type === 'codeBlock') return { type, said, code: content.map(({ text = '' }) => text).join('') }
  if (form === 'markdown' && (type === 'tableHeader' || type === 'tableCell'))
    return { type, line: cellMeaning(content) }
  return { type, said, inside: content.map((child) => meaning(child, form)) }
}

const cellMeaning = (paragraphs: readonly RichNode[]): readonly string[] =>
  paragraphs.flatMap(({ content = [] }, at) => [...(at > 0 ? ['break'] : []), ...lineMeaning(content)])

/** Each visible character and each mention with its marks. */
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
