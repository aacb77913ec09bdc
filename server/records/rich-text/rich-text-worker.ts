/** Runs in a thread of its own: reads texts from outside, however long and however they are made, so that nobody waits. */

import { parentPort, workerData } from 'node:worker_threads'
import { MAX_NODES } from '#domain/rich-text/check-document.ts'
import type { RichNode } from '#domain/rich-text/document-schema.ts'
import { readHtml } from './html/read-html.ts'
import type { FormattedText, ParsedText } from './parse-in-worker.ts'
import MarkdownIt, { type StateCore } from 'markdown-it'
import { MAX_HTML_DEPTH } from './html/read-marks.ts'

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

function readText({ form, text }: FormattedText): ParsedText {
  const draft = form === 'html' ? readHtml(text) : readMarkdown(text)
  if (draft === undefined) return 'too-deep'
  // What would be refused anyhow is not handed over: everybody would wait while it is unpacked.
  return partsIn(draft) > MAX_NODES ? 'too-large' : draft
}

const partsIn = ({ content = [] }: RichNode): number => content.reduce((parts, part) => parts + partsIn(part), 1)

// readTexts hands over exactly this.
const texts = workerData as readonly FormattedText[]
parentPort?.postMessage(texts.map(readText))
