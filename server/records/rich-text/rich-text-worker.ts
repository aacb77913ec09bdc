/** Runs in a worker thread, so that parsing never blocks requests. */

import { parentPort, workerData } from 'node:worker_threads'
import { MAX_NODES } from '#domain/rich-text/check-document.ts'
import type { RichNode } from '#domain/rich-text/document-schema.ts'
import { readHtml } from './html/read-html.ts'
import type { FormattedText, ParsedText } from './parse-in-worker.ts'
import MarkdownIt, { type StateCore } from 'markdown-it'
import { MAX_HTML_DEPTH } from './html/read-marks.ts'

/**
 * CommonMark with GitHub's tables, strikethrough and task lists. Allows deeper nesting than the HTML parser, which then
 * rejects it.
 */
const reader = new MarkdownIt('commonmark', { html: true })
  .set({ maxNesting: 2 * MAX_HTML_DEPTH })
  .enable(['table', 'strikethrough'])
reader.normalizeLink = (address) => address.replace(/\s/g, encodeURIComponent)
reader.core.ruler.before('inline', 'tasks', markTasks)

const BOX = /^\[([ xX])\](?:[ \t]+|$)/

/** Converts Markdown to a document via HTML, so that there is a single parser for external content. */
export function readMarkdown(markdown: string): RichNode | undefined {
  const html = reader.render(markdown)
  // Markdown has no other syntax for an empty line.
  return readHtml(html.replaceAll('>\u{a0}</', '></'))
}

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
  // A draft that would be rejected is not transferred, because deserializing it would block the main thread.
  return partsIn(draft) > MAX_NODES ? 'too-large' : draft
}

const partsIn = ({ content = [] }: RichNode): number => content.reduce((parts, part) => parts + partsIn(part), 1)

// Always set by `parse-in-worker.ts`.
const texts = workerData as readonly FormattedText[]
parentPort?.postMessage(texts.map(readText))
