import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { RichNode } from '#domain/rich-text/document-schema.ts'

/** A text from outside, and how it is to be read. */
export type GivenText = { readonly form: 'html' | 'markdown'; readonly text: string }

/** Enough for the longest text there may be; one that needs more is made to need it. */
const HEAP = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }
/** A megabyte takes a tenth of a second. */
const LONGEST_MS = 10_000

/** Texts as drafts of documents; undefined for one that cannot be read, and for all where reading them does not end. */
export async function readTexts(texts: readonly GivenText[]): Promise<readonly (RichNode | undefined)[]> {
  const worker = new Worker(new URL('./rich-text-worker.ts', import.meta.url), {
    workerData: texts,
    execArgv: [],
    resourceLimits: HEAP,
  })
  const answer = once(worker, 'message', { signal: AbortSignal.timeout(LONGEST_MS) })
  try {
    return await answer.then(
      // The worker answers with one draft for each text.
      ([drafts]) => drafts as readonly (RichNode | undefined)[],
      () => texts.map(() => undefined),
    )
  } finally {
    await worker.terminate()
  }
}
