import type { Clock } from '#domain/shared/clock.ts'
import type { Database } from '#server/platform/database/database.ts'
import { gauge, gauges, type Metric } from './metric.ts'
import { countWork, type WorkCounts } from './store.ts'

/** What meters of the work need. */
export type WorkDeps = { readonly database: Database; readonly clock: Clock }

/** What goes on in the workspace, as the database tells. */
export function workMeter({ database, clock }: WorkDeps) {
  let counting: Promise<WorkCounts> | undefined

  /** Several who look at once share one count. */
  function figures(): Promise<WorkCounts> {
    counting ??= countWork(database.read, clock()).finally(() => {
      counting = undefined
    })
    return counting
  }

  return { metrics: async (): Promise<readonly Metric[]> => metricsOf(await figures()) }
}

const metricsOf = (counted: WorkCounts): readonly Metric[] => [
  gauge('dossier_sessions_open', 'Sessions that are not over.', counted.openSessions),
  gauges('dossier_mails', 'Letters that wait to be sent, and such as could not be.', {
    label: 'state',
    values: counted.mails,
  }),
  gauge('dossier_jobs_running', 'Changes of many records that are under way.', counted.jobsRunning),
  gauges('dossier_imports', 'Imports that are looked at, under way, or being undone.', {
    label: 'state',
    values: counted.imports,
  }),
  gauge('dossier_uploads_open', 'Uploads that are not complete.', counted.uploads.open),
  gauge('dossier_uploads_committed_bytes', 'Bytes of them that are here.', counted.uploads.committedBytes),
  gauge('dossier_files_used_bytes', 'What finished files take.', counted.storage.usedBytes),
  gauge('dossier_files_reserved_bytes', 'What open uploads have announced.', counted.storage.reservedBytes),
  gauge(
    'dossier_files_quarantined_bytes',
    'What files take that no record uses, until they are deleted.',
    counted.storage.quarantinedBytes,
  ),
  gauge('dossier_search_gaps', 'Search indexes that still lack records.', counted.searchGaps),
  gauge('dossier_indexes_building', 'Indexes of lists that are being built.', counted.indexesBuilding),
]
