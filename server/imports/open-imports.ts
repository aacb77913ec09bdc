import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { RecordNeeds } from '#server/records/record-needs.ts'
import type { ImportRouteNeeds } from './routes.ts'

/** What imports are made from besides what records need. */
export type ImportGround = { readonly dataFolder: string; readonly log: Logger }

/** Everything the stories of imports need, for one program. */
export const openImports = (records: RecordNeeds, { dataFolder, log }: ImportGround): ImportRouteNeeds => ({
  ...records,
  dataFolder,
  log,
  self: { host: hostname(), processId: process.pid, token: randomUUID() },
  runs: new Map(),
})
