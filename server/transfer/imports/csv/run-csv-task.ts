import { Worker } from 'node:worker_threads'
import { Problem } from '#domain/shared/problem.ts'
import type { CsvResults, CsvReply, CsvTask, RowBatch } from './csv-tasks.ts'

export type TaskOptions = {
  /** Must resolve when the batch is done; only a few batches run at a time. */
  readonly onBatch?: (batch: RowBatch) => Promise<void>
  readonly signal?: AbortSignal
}

/** Heap limits; enough for the longest allowed row and a few batches. */
const HEAP = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }

/** Runs a task in a worker thread. Rejects with a `Problem` if the CSV can't be read. */
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
    // The task is done only after its last rows are stored.
    void allOver().then(() => ended.resolve(reply.answer as CsvResults[Task['type']]))
  })
  worker.once('error', ended.reject)
  // Messages that arrive at the same time as the exit take precedence.
  const tooSoon = () => ended.reject(new Error('The CSV worker exited unexpectedly.'))
  worker.once('exit', () => void allOver().then(tooSoon))
  const stop = () => ended.reject(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()

  try {
    return await ended.promise
  } finally {
    signal?.removeEventListener('abort', stop)
    // Waits for running writes, so that nothing is written after the caller has returned.
    await allOver()
    await worker.terminate()
  }
}
