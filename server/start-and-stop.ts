import type { FastifyInstance } from 'fastify'
import type { JobKeeper } from './bulk/look-after-jobs.ts'
import type { NeighbourKeeper } from './changes/neighbours.ts'
import type { LeftBehindKeeper } from './collections/left-behind-keeper.ts'
import { stopListening } from './http/listen.ts'
import type { ImportKeeper } from './imports/look-after-imports.ts'
import type { IndexKeeper } from './indexes/index-keeper.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Meters } from './metrics/open-meters.ts'
import type { sampleKeeper } from './sample/sample-keeper.ts'
import type { SearchKeeper } from './search/search-keeper.ts'
import type { Shapes } from './shapes/open-shapes.ts'
import type { openSweeper } from './uploads/sweeper.ts'

/** What runs beside requests. */
export type Beside = {
  readonly meters: Meters
  readonly mailer: Mailer
  readonly accounts: { readonly stop: () => Promise<void> }
  readonly sweeper: ReturnType<typeof openSweeper>
  readonly search: SearchKeeper
  readonly indexes: IndexKeeper
  readonly keeper: ImportKeeper
  readonly jobs: JobKeeper
  readonly sample: ReturnType<typeof sampleKeeper>
  readonly shapes: Shapes
  readonly neighbours: NeighbourKeeper
  readonly leftBehind: LeftBehindKeeper
}

/** How a server begins and ends what runs beside its requests, and in which order. */
export const startAndStop = (app: FastifyInstance, beside: Beside) => ({
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
