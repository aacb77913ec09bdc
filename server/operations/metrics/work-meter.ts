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
  gauge('dossier_sessions_open', 'Active sessions.', counted.openSessions),
  gauges('dossier_mails', 'Emails waiting to be sent, and failed emails.', {
    label: 'state',
    values: counted.mails,
  }),
  gauge('dossier_jobs_running', 'Bulk jobs in progress.', counted.jobsRunning),
  gauges('dossier_imports', 'Imports being previewed, running or being undone.', {
    label: 'state',
    values: counted.imports,
  }),
  gauge('dossier_uploads_open', 'Incomplete uploads.', counted.uploads.open),
  gauge('dossier_uploads_committed_bytes', 'Bytes received for incomplete uploads.', counted.uploads.committedBytes),
  gauge('dossier_files_used_bytes', 'Bytes used by files.', counted.storage.usedBytes),
  gauge('dossier_files_reserved_bytes', 'Bytes reserved by open uploads.', counted.storage.reservedBytes),
  gauge('dossier_files_quarantined_bytes', 'Bytes of unused files in quarantine.', counted.storage.quarantinedBytes),
  gauge('dossier_search_gaps', 'Incomplete search indexes.', counted.searchGaps),
  gauge('dossier_indexes_building', 'List indexes being built.', counted.indexesBuilding),
]
