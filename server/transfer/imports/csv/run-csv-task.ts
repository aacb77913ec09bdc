import { Worker } from 'node:worker_threads'
import { Problem } from '#domain/shared/problem.ts'
import type { CsvResults, CsvReply, CsvTask, RowBatch } from './csv-tasks.ts'

/** What happens to the rows of a `read`, and how it is ended early. */
export type TaskOptions = {
  /** Takes each batch as it comes, and answers when it is done with; only a few are under way. */
  readonly onBatch?: (batch: RowBatch) => Promise<void>
  readonly signal?: AbortSignal
}

/** Enough for the longest row there may be and a few batches; a file that needs more is no table. */
const HEAP = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }

/** Has a thread of its own work on a CSV, so that nobody waits for it. Rejects with a `Problem` if it cannot be read. */
export async function runCsvTask<Task extends CsvTask>(
  task: Task,
  { onBatch, signal }: TaskOptions = {},
): Promise<CsvResults[Task['type']]> {
  const worker = new Worker(new URL('./csv-worker.ts', import.meta.url), {
    workerData: task,
    execArgv: [],
    resourceLimits: HEAP,
  })
  const ended = Promise.withResolvers<CsvResults[Task['type']]>()
  const underWay = new Set<Promise<void>>()
  const allOver = () => Promise.allSettled(underWay)

  const take = (batch: RowBatch): void => {
    const stored = Promise.resolve(onBatch?.(batch)).then(() => worker.postMessage('more'))
    underWay.add(stored)
    stored.then(() => underWay.delete(stored), ended.reject)
  }
  worker.on('message', (reply: CsvReply) => {
    if (reply.type === 'batch') return take(reply.batch)
    if (reply.type === 'refused') return ended.reject(new Problem('invalid-csv', reply.detail))
    // The thread answers each task with what its type asks for; and only when its last rows are stored is it over.
    void allOver().then(() => ended.resolve(reply.answer as CsvResults[Task['type']]))
  })
  worker.once('error', ended.reject)
  // The last messages may come in the very moment of the exit: what they said counts first.
  const tooSoon = () => ended.reject(new Error('The CSV worker exited unexpectedly.'))
  worker.once('exit', () => void allOver().then(tooSoon))
  const stop = () => ended.reject(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()

  try {
    return await ended.promise
  } finally {
    signal?.removeEventListener('abort', stop)
    // Whatever is being stored is waited for, so that nothing is written after the caller was answered.
    await allOver()
    await worker.terminate()
  }
}
