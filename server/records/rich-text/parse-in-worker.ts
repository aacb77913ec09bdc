import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { RichNode } from '#domain/rich-text/document-schema.ts'
import { Problem } from '#domain/shared/problem.ts'
import { createSemaphore } from '#server/platform/concurrency/locks.ts'

export type FormattedText = { readonly form: 'html' | 'markdown'; readonly text: string }

export type ParsedText = RichNode | 'too-deep' | 'too-large'

/** Memory limit in MB; enough for the longest text, so only hostile input exceeds it. */
const HEAP = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }
/** Time limit in ms: a megabyte takes a tenth of a second; only hostile input takes longer. */
const TIMEOUT_MS = 5_000

/** Limits concurrent worker threads and queued requests. */
const gate = createSemaphore(2, 100)

/** Parses texts into draft documents. If parsing exceeds a limit, all texts are rejected as too large. */
export async function parseTexts(texts: readonly FormattedText[]): Promise<readonly ParsedText[]> {
  const reading = gate.enter(() => readInThread(texts))
  if (reading === undefined)
    throw new Problem('too-many-requests', 'Too many rich text values are being processed. Try again in a moment.')
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
      ([drafts]) => drafts as readonly ParsedText[],
      () => texts.map(() => 'too-large'),
    )
  } finally {
    await worker.terminate()
  }
}
