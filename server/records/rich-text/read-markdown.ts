import MarkdownIt, { type StateCore } from 'markdown-it'
import type { RichNode } from '#domain/rich-text/document-schema.ts'
import { MAX_HTML_DEPTH } from './html/html-elements.ts'
import { readHtml } from './html/read-html.ts'

/** CommonMark with the tables, strokes and tasks of GitHub's; deeper than HTML is read, so that what is too deep is refused there and never left out without a word. */
const reader = new MarkdownIt('commonmark', { html: true })
  .set({ maxNesting: 2 * MAX_HTML_DEPTH })
  .enable(['table', 'strikethrough'])
// Addresses are kept as they were written; white space alone may not stand in one.
reader.normalizeLink = (address) => address.replace(/\s/g, encodeURIComponent)
reader.core.ruler.before('inline', 'tasks', markTasks)

/** The box of a task, as it stands before the words of an item. */
const BOX = /^\[([ xX])\](?:[ \t]+|$)/

/** Markdown as a document, by way of its HTML, so that there is one reader of what comes from outside. */
export function readMarkdown(markdown: string): RichNode | undefined {
  const html = reader.render(markdown)
  // An empty line has no other form in Markdown.
  return readHtml(html.replaceAll('>\u{a0}</', '></'))
}

/** Takes the box of each task away and says in the item what it said. */
function markTasks({ tokens }: StateCore): void {
  for (const [at, item] of tokens.entries()) {
    const words = tokens[at + 2]
    if (item.type !== 'list_item_open' || tokens[at + 1]?.type !== 'paragraph_open' || !words) continue
    const box = BOX.exec(words.content)
    if (!box) continue
    item.attrSet('data-checked', String(box[1] !== ' '))
    words.content = words.content.slice(box[0].length)
  }
}
