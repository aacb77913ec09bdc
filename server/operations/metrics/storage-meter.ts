import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import { createCounter, createHistogram } from './counters.ts'
import { type Metric, total } from './metric.ts'

/** Bounds in seconds: a disk answers within ms, a store elsewhere within tenths, and a large file takes its time. */
const BOUNDS = [0.002, 0.01, 0.05, 0.1, 0.5, 1, 5, 30]

/** A storage whose answers are counted and timed. */
export function meteredStorage(blobs: BlobStorage): {
  readonly blobs: BlobStorage
  readonly metrics: () => readonly Metric[]
} {
  const requests = createCounter()
  const durations = createHistogram(BOUNDS)

  async function timed<Answer>(operation: string, run: () => Promise<Answer>): Promise<Answer> {
    const startedAt = performance.now()
    let outcome = 'failed'
    try {
      const answer = await run()
      outcome = 'answered'
      return answer
    } finally {
      requests.add({ operation, outcome })
      durations.note({ operation }, (performance.now() - startedAt) / 1000)
    }
  }
  return {
    blobs: {
      ...blobs,
      publish: (path, hash) => timed('publish', () => blobs.publish(path, hash)),
      open: (hash) => timed('open', () => blobs.open(hash)),
      remove: (hash) => timed('remove', () => blobs.remove(hash)),
      check: () => timed('check', () => blobs.check()),
    },
    metrics: () => [
      total('dossier_storage_requests_total', 'File storage operations by result.', requests.samples()),
      {
        name: 'dossier_storage_request_duration_seconds',
        help: 'File storage response time, without the download itself.',
        type: 'histogram',
        spreads: durations.spreads(),
      },
    ],
  }
}
