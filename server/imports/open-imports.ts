import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { RecordDeps } from '#server/records/record-needs.ts'
import type { ImportDeps } from './import-needs.ts'
import type { ImportRouteDeps } from './routes.ts'

/** What imports are made from besides what records need. */
export type ImportSettings = Pick<ImportDeps, 'dataFolder' | 'diskFloorBytes' | 'log' | 'rightsOf'>

/** Everything the stories of imports need, for one program. */
export const createImports = (records: RecordDeps, ground: ImportSettings): ImportRouteDeps => ({
  ...records,
  ...ground,
  self: { host: hostname(), processId: process.pid, token: randomUUID() },
  runs: new Map(),
  receiving: new Map(),
})
