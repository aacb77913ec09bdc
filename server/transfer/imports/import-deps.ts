import type { Logger } from 'pino'
import type { Runner } from '#domain/imports/abandoned-runner.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { WriteDeps } from '#server/records/changes/commit-change.ts'
import type { RightsOf } from '#server/access/rights/rights.ts'

/** An import this program carries out right now. */
export type Run = {
  /** Ends it early, for one of the two reasons below. */
  readonly abort: AbortController
  /** Settles, never rejects, when it is over and what had to be removed is removed. */
  readonly over: Promise<void>
}

/** What the stories of imports are handed. */
export type ImportDeps = WriteDeps & {
  readonly dataFolder: string
  /** Bytes that stay free on the disk of the data folder. */
  readonly diskFloorBytes: number
  /** How many CSV files each user is sending right now. */
  readonly receiving: Map<string, number>
  /** What whoever began an import may do at this moment. */
  readonly rightsOf: RightsOf
  readonly log: Logger
  /** This program, among those that may import into the same database. */
  readonly self: Runner
  /** Imports of this program, by id. */
  readonly runs: Map<string, Run>
}

/** The reason with which a stopping server ends its imports; what they wrote is removed by the next one. */
export const STOPPING = new Problem('not-ready', 'The server was stopped during the import. Start it again.')

/** The reason with which somebody ends an import. */
export const CANCELED = new Problem('import-failed', 'The import was canceled.')
