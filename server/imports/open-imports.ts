import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { RecordNeeds } from '#server/records/record-needs.ts'
import type { ImportNeeds } from './import-needs.ts'
import type { ImportRouteNeeds } from './routes.ts'

/** What imports are made from besides what records need. */
export type ImportGround = Pick<ImportNeeds, 'dataFolder' | 'diskFloorBytes' | 'log' | 'rightsOf'>

/** Everything the stories of imports need, for one program. */
export const openImports = (records: RecordNeeds, ground: ImportGround): ImportRouteNeeds => ({
  ...records,
  ...ground,
  self: { host: hostname(), processId: process.pid, token: randomUUID() },
  runs: new Map(),
  receiving: new Map(),
})
