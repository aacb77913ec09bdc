/** Runs in a thread of its own: reads texts from outside, however long and however they are made, so that nobody waits. */
import { parentPort, workerData } from 'node:worker_threads'
import { readHtml } from './read-html.ts'
import { readMarkdown } from './read-markdown.ts'
import type { GivenText } from './read-texts.ts'

// readTexts hands over exactly this.
const texts = workerData as readonly GivenText[]
parentPort?.postMessage(texts.map(({ form, text }) => (form === 'html' ? readHtml(text) : readMarkdown(text))))
