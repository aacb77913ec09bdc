/** Text with its marks. */
export type TextNode = { readonly type: 'text'; readonly text: string; readonly marks?: readonly Mark[] }

export type Mark =
  | { readonly type: 'bold' | 'italic' | 'underline' }
  | { readonly type: 'link'; readonly attrs: { readonly href: string } }

/** A block: a heading, a paragraph, a list or a list item. */
export type BlockNode =
  | { readonly type: 'heading'; readonly attrs: { readonly level: number }; readonly content: readonly TextNode[] }
  | { readonly type: 'paragraph'; readonly content: readonly TextNode[] }
  | { readonly type: 'bulletList' | 'orderedList' | 'listItem'; readonly content: readonly BlockNode[] }

/** Document in the format of the product's rich-text fields. */
export type DocumentNode = { readonly type: 'doc'; readonly content: readonly BlockNode[] }

const LIST_ENTRY = /^(?:- |\d+\. )/

/**
 * Parses the Markdown subset used in notes: headings, paragraphs, flat lists, bold, italic, links, and `<u>` for
 * underline. Blocks are separated by empty lines.
 */
export function documentFromMarkdown(markdown: string): DocumentNode {
  const blocks = markdown.trim().split(/\n{2,}/)
  return { type: 'doc', content: blocks.map(blockFrom) }
}

function blockFrom(block: string): BlockNode {
  const heading = /^(#{1,3}) (.+)$/.exec(block)
  if (heading) {
    return { type: 'heading', attrs: { level: heading[1]?.length ?? 1 }, content: inlineFrom(heading[2] ?? '') }
  }
  const lines = block.split('\n')
  if (lines.every((line) => LIST_ENTRY.test(line))) {
    return {
      type: block.startsWith('- ') ? 'bulletList' : 'orderedList',
      content: lines.map((line) => ({ type: 'listItem', content: [paragraph(line.replace(LIST_ENTRY, ''))] })),
    }
  }
  return paragraph(lines.join(' '))
}

const paragraph = (text: string): BlockNode => ({ type: 'paragraph', content: inlineFrom(text) })

const INLINE =
  /\*\*(?<bold>[^*]+)\*\*|\*(?<italic>[^*]+)\*|<u>(?<underline>.+?)<\/u>|\[(?<label>[^\]]+)\]\((?<href>[^)]+)\)/g

function inlineFrom(text: string, outer: readonly Mark[] = []): TextNode[] {
  const nodes: TextNode[] = []
  let at = 0
  for (const match of text.matchAll(INLINE)) {
    nodes.push(...plain(text.slice(at, match.index), outer), ...marked(match.groups ?? {}, outer))
    at = match.index + match[0].length
  }
  return [...nodes, ...plain(text.slice(at), outer)]
}

function plain(text: string, marks: readonly Mark[]): TextNode[] {
  if (text === '') return []
  return [marks.length === 0 ? { type: 'text', text } : { type: 'text', text, marks }]
}

function marked(groups: Readonly<Record<string, string | undefined>>, outer: readonly Mark[]): TextNode[] {
  const { bold, italic, underline, label, href } = groups
  if (bold !== undefined) return inlineFrom(bold, [...outer, { type: 'bold' }])
  if (italic !== undefined) return inlineFrom(italic, [...outer, { type: 'italic' }])
  if (underline !== undefined) return inlineFrom(underline, [...outer, { type: 'underline' }])
  return inlineFrom(label ?? '', [...outer, { type: 'link', attrs: { href: href ?? '' } }])
}
