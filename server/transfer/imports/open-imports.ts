import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import type { ImportDeps } from './import-deps.ts'
import type { ImportRouteDeps } from '#server/transfer/routes.ts'

export type ImportSettings = Pick<ImportDeps, 'dataFolder' | 'diskFloorBytes' | 'log' | 'rightsOf'>

export const createImports = (records: RecordDeps, ground: ImportSettings): ImportRouteDeps => ({
  ...records,
  ...ground,
  self: { host: hostname(), processId: process.pid, token: randomUUID() },
  runs: new Map(),
  receiving: new Map(),
})
