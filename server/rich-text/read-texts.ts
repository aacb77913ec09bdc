import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { RichNode } from '#domain/rich-text/document-schema.ts'
import { Problem } from '#domain/shared/problem.ts'
import { openGate } from '#server/storage/gate.ts'

/** A text from outside, and how it is to be read. */
export type GivenText = { readonly form: 'html' | 'markdown'; readonly text: string }

/** The draft of a document, or why there is none. */
export type ReadText = RichNode | 'too-deep' | 'too-large'

/** Enough for the longest text there may be; one that needs more is made to need it. */
const HEAP = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }
/** A megabyte takes a tenth of a second; what takes longer than this is made to take it. */
const LONGEST_MS = 5_000

/** Threads that read at a time, and requests in line behind them. */
const gate = openGate(2, 100)

/** Texts as drafts of documents. Where reading them does not end, all of them are too large. */
export async function readTexts(texts: readonly GivenText[]): Promise<readonly ReadText[]> {
  const reading = gate.enter(() => readInThread(texts))
  if (reading === undefined)
    throw new Problem('too-many-requests', 'Too many texts are being read. Try again in a moment.')
  return reading
}

async function readInThread(texts: readonly GivenText[]): Promise<readonly ReadText[]> {
  const worker = new Worker(new URL('./rich-text-worker.ts', import.meta.url), {
    workerData: texts,
    execArgv: [],
    resourceLimits: HEAP,
  })
  const answer = once(worker, 'message', { signal: AbortSignal.timeout(LONGEST_MS) })
  try {
    return await answer.then(
      // The worker answers with one draft for each text.
      ([drafts]) => drafts as readonly ReadText[],
      () => texts.map(() => 'too-large'),
    )
  } finally {
    await worker.terminate()
  }
}
