import MarkdownIt from 'markdown-it'
import type { RichNode } from '#domain/rich-text/document-schema.ts'
import { DEEPEST_HTML, readHtml } from './read-html.ts'

/** Deeper than HTML is read, so that what is too deep is refused there and never left out without a word. */
const commonMark = new MarkdownIt('commonmark', { html: true }).set({ maxNesting: 2 * DEEPEST_HTML })

/** Markdown (CommonMark) as a document, by way of its HTML, so that there is one reader of what comes from outside. */
export function readMarkdown(markdown: string): RichNode | undefined {
  const html = commonMark.render(markdown)
  // An empty line has no other form in Markdown.
  return readHtml(html.replaceAll('>\u{a0}</', '></'))
}
