import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { RichNode } from '#domain/rich-text/document-schema.ts'
import { Problem } from '#domain/shared/problem.ts'
import { createSemaphore } from '#server/platform/concurrency/semaphore.ts'

/** A text from outside, and how it is to be read. */
export type FormattedText = { readonly form: 'html' | 'markdown'; readonly text: string }

/** The draft of a document, or why there is none. */
export type ParsedText = RichNode | 'too-deep' | 'too-large'

/** Enough for the longest text there may be; one that needs more is made to need it. */
const HEAP = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }
/** A megabyte takes a tenth of a second; what takes longer than this is made to take it. */
const TIMEOUT_MS = 5_000

/** Threads that read at a time, and requests in line behind them. */
const gate = createSemaphore(2, 100)

/** Texts as drafts of documents. Where reading them does not end, all of them are too large. */
export async function parseTexts(texts: readonly FormattedText[]): Promise<readonly ParsedText[]> {
  const reading = gate.enter(() => readInThread(texts))
  if (reading === undefined)
    throw new Problem('too-many-requests', 'Too many texts are being processed. Try again in a moment.')
  return reading
}

async function readInThread(texts: readonly FormattedText[]): Promise<readonly ParsedText[]> {
  const worker = new Worker(new URL('./rich-text-worker.ts', import.meta.url), {
    workerData: texts,
    execArgv: [],
    resourceLimits: HEAP,
  })
  const answer = once(worker, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) })
  try {
    return await answer.then(
      // The worker answers with one draft for each text.
      ([drafts]) => drafts as readonly ParsedText[],
      () => texts.map(() => 'too-large'),
    )
  } finally {
    await worker.terminate()
  }
}
