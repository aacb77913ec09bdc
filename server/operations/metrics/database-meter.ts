import type { Database } from '#server/platform/database/database.ts'
import { type Metric, createCounter, createHistogram, total } from './metric.ts'

/** In seconds. A single write takes milliseconds; 60 s is the limit. */
const BOUNDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5, 20]

/** Counts and times writes, from queueing to the flush. */
export function meteredDatabase(database: Database): {
  readonly database: Database
  readonly metrics: () => readonly Metric[]
} {
  const writes = createCounter()
  const durations = createHistogram(BOUNDS)

  const write: Database['write'] = async (work, options) => {
    const startedAt = performance.now()
    let outcome = 'undone'
    try {
      const answer = await database.write(work, options)
      outcome = 'stored'
      return answer
    } finally {
      writes.add({ outcome })
      durations.note({}, (performance.now() - startedAt) / 1000)
    }
  }
  return { database: { ...database, write }, metrics: () => [...loadMetrics(database), ...writeMetrics()] }

  function writeMetrics(): readonly Metric[] {
    return [
      total(
        'dossier_database_writes_total',
        'Write transactions by result: committed, rejected or failed.',
        writes.samples(),
      ),
      {
        name: 'dossier_database_write_duration_seconds',
        help: 'Write duration, from queue to commit.',
        type: 'histogram',
        spreads: durations.spreads(),
      },
    ]
  }
}

function loadMetrics(database: Database): readonly Metric[] {
  const load = Object.entries(database.load())
  const by = (key: 'places' | 'taken' | 'waiting') => load.map(([use, line]) => ({ labels: { use }, value: line[key] }))
  return [
    {
      name: 'dossier_database_places',
      help: 'Maximum concurrent statements (connections or threads).',
      type: 'gauge',
      samples: by('places'),
    },
    { name: 'dossier_database_places_taken', help: 'Statements in progress.', type: 'gauge', samples: by('taken') },
    {
      name: 'dossier_database_waiting',
      help: 'Statements waiting in the queue.',
      type: 'gauge',
      samples: by('waiting'),
    },
  ]
}
