import type { Logger } from 'pino'
import type { Runner } from '#domain/imports/abandoned-runner.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { WriteDeps } from '#server/records/changes/commit-change.ts'
import type { RightsOf } from '#server/access/rights/rights.ts'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'

/** An import running in this process. */
export type Run = {
  /** Aborts with one of the reasons below. */
  readonly abort: AbortController
  /** Resolves after cleanup; never rejects. */
  readonly over: Promise<void>
}

export type ImportDeps = WriteDeps & {
  readonly dataFolder: string
  /** Bytes kept free on the data disk. */
  readonly diskFloorBytes: number
  /** Number of CSV transfers in progress per user. */
  readonly receiving: Map<string, number>
  readonly rightsOf: RightsOf
  readonly log: Logger
  readonly self: Runner
  readonly runs: Map<string, Run>
}

export type ImportRouteDeps = ImportDeps & RecordDeps

/** The server is stopping; the next process removes the data that the import wrote. */
export const STOPPING = new Problem('not-ready', 'The server was stopped during the import. Start the import again.')

export const CANCELED = new Problem('import-failed', 'The import was canceled.')

export type ImportSettings = Pick<ImportDeps, 'dataFolder' | 'diskFloorBytes' | 'log' | 'rightsOf'>

export const createImports = (records: RecordDeps, settings: ImportSettings): ImportRouteDeps => ({
  ...records,
  ...settings,
  self: { host: hostname(), processId: process.pid, token: randomUUID() },
  runs: new Map(),
  receiving: new Map(),
})
