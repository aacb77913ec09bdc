/** Runs in a thread of its own: reads texts from outside, however long and however they are made, so that nobody waits. */
import { parentPort, workerData } from 'node:worker_threads'
import { MAX_NODES } from '#domain/rich-text/check-document.ts'
import type { RichNode } from '#domain/rich-text/document-schema.ts'
import { readHtml } from './html/read-html.ts'
import { readMarkdown } from './read-markdown.ts'
import type { FormattedText, ParsedText } from './parse-in-worker.ts'

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
