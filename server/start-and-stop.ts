import type { FastifyInstance } from 'fastify'
import type { JobRunner } from './bulk/look-after-jobs.ts'
import type { ClusterSync } from './changes/neighbours.ts'
import type { ColumnCleanup } from './collections/left-behind-keeper.ts'
import { stopListening } from './http/listen.ts'
import type { ImportCleanup } from './imports/look-after-imports.ts'
import type { IndexManager } from './indexes/index-keeper.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Meters } from './metrics/open-meters.ts'
import type { createSampleLoader } from './sample/sample-keeper.ts'
import type { SearchIndexer } from './search/search-keeper.ts'
import type { ListCache } from './shapes/open-shapes.ts'
import type { createSweeper } from './uploads/sweeper.ts'

/** What runs beside requests. */
export type BackgroundServices = {
  readonly meters: Meters
  readonly mailer: Mailer
  readonly accounts: { readonly stop: () => Promise<void> }
  readonly sweeper: ReturnType<typeof createSweeper>
  readonly search: SearchIndexer
  readonly indexes: IndexManager
  readonly keeper: ImportCleanup
  readonly jobs: JobRunner
  readonly sample: ReturnType<typeof createSampleLoader>
  readonly shapes: ListCache
  readonly neighbours: ClusterSync
  readonly leftBehind: ColumnCleanup
}

/** How a server begins and ends what runs beside its requests, and in which order. */
export const createLifecycle = (app: FastifyInstance, beside: BackgroundServices) => ({
  start: async (): Promise<void> => {
    await beside.neighbours.start()
    beside.mailer.start()
    beside.sweeper.start()
    beside.search.start()
    beside.leftBehind.start()
    await beside.indexes.start()
    await beside.keeper.start()
    await beside.jobs.start()
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
    await beside.keeper.stop()
    await beside.jobs.stop()
    await sampleStopped
    await beside.search.stop()
    await beside.leftBehind.stop()
    await beside.indexes.stop()
    await beside.neighbours.stop()
  },
})
