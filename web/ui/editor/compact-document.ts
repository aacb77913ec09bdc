import { isUploadingId, WHOLE_WIDTH } from '#web/ui/document/embed-context.ts'
import type { DocumentAttrs, DocumentNode, RichTextDocument } from '#web/ui/document/document-node.ts'

/** Attributes that say nothing when they have this value; the server leaves them out too. */
const SILENT: Readonly<Record<string, unknown>> = {
  indent: 0,
  start: 1,
  checked: false,
  language: '',
  colspan: 1,
  rowspan: 1,
  alt: '',
  width: WHOLE_WIDTH,
}

function compactAttrs(attrs: DocumentAttrs): DocumentAttrs | undefined {
  const telling = Object.entries(attrs).filter(([name, value]) => value !== null && SILENT[name] !== value)
  return telling.length > 0 ? Object.fromEntries(telling) : undefined
}

/**
 * A document without the attributes that only repeat their default: written as the server stores it, so that what was
 * saved and what is edited are equal when nothing was changed.
 */
export function compactDocument(document: RichTextDocument): RichTextDocument {
  return { ...compactNode(document), type: 'doc' }
}

const EMPTY_LINE: DocumentNode = { type: 'paragraph' }

/** Files on their way are no part of what is kept. What may not be left with nothing in it keeps an empty line. */
function keptContent(content: readonly DocumentNode[], isWhole: boolean): readonly DocumentNode[] {
  const kept = content.filter((node) => !isUploadingId(node.attrs?.['file']))
  return kept.length === 0 && content.length > 0 && !isWhole ? [EMPTY_LINE] : kept
}

function compactNode({ attrs, content: given = [], ...rest }: DocumentNode): DocumentNode {
  const kept = attrs && compactAttrs(attrs)
  const content = keptContent(given, rest.type === 'doc')
  return {
    ...rest,
    ...(kept && { attrs: kept }),
    ...(content.length > 0 && { content: content.map(compactNode) }),
  }
}

/** Whether a document has nothing in it, so that the field counts as empty. */
export function isEmptyDocument(document: RichTextDocument): boolean {
  const [first, ...more] = document.content ?? []
  return more.length === 0 && (!first || (first.type === 'paragraph' && !first.content?.length && !first.attrs))
}
