import type { FastifyInstance } from 'fastify'
import type { TrashCleanup } from './records/trash/routes.ts'
import type { RecalculationWorker } from './records/rollups/recalculation-worker.ts'
import type { JobRunner } from './records/jobs/job-runner.ts'
import type { ClusterSync } from './platform/events/cluster-notifications.ts'
import type { ColumnCleanup } from './schema/dropped-columns/dropped-column-cleanup.ts'
import { stopListening } from './http/listen.ts'
import type { ImportCleanup } from './transfer/imports/import-cleanup.ts'
import type { IndexManager } from './query/indexes/index-manager.ts'
import type { Mailer } from './platform/mail/mailer.ts'
import type { Meters } from './operations/metrics/open-meters.ts'
import type { createSampleLoader } from './transfer/sample/sample-loader.ts'
import type { SearchIndexer } from './query/search/index/search-indexer.ts'
import type { ListCache } from './query/cache/list-cache.ts'
import type { createSweeper } from './files/blobs/sweep-expired.ts'

export type BackgroundServices = {
  readonly meters: Meters
  readonly mailer: Mailer
  readonly accounts: { readonly stop: () => Promise<void> }
  readonly sweeper: ReturnType<typeof createSweeper>
  readonly search: SearchIndexer
  readonly indexes: IndexManager
  readonly importCleanup: ImportCleanup
  readonly jobs: JobRunner
  readonly recalculation: RecalculationWorker
  readonly sample: ReturnType<typeof createSampleLoader>
  readonly shapes: ListCache
  readonly otherInstances: ClusterSync
  readonly leftBehind: ColumnCleanup
  readonly trash: TrashCleanup
}

/** Starts and stops background services in order. */
export const createLifecycle = (app: FastifyInstance, beside: BackgroundServices) => ({
  start: async (): Promise<void> => {
    await beside.otherInstances.start()
    beside.mailer.start()
    beside.sweeper.start()
    beside.search.start()
    beside.leftBehind.start()
    beside.trash.start()
    await beside.indexes.start()
    await beside.importCleanup.start()
    await beside.jobs.start()
    beside.recalculation.start()
    await beside.sample.start()
  },
  stop: async (): Promise<void> => {
    await stopListening(app)
    beside.meters.stop()
    beside.shapes.close()
    await beside.accounts.stop()
    await beside.mailer.stop()
    await beside.sweeper.stop()
    const sampleStopped = beside.sample.stop()
    await beside.importCleanup.stop()
    await beside.jobs.stop()
    await beside.recalculation.stop()
    await sampleStopped
    await beside.search.stop()
    await beside.leftBehind.stop()
    await beside.trash.stop()
    await beside.indexes.stop()
    await beside.otherInstances.stop()
  },
})
