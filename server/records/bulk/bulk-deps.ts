import type { Logger } from 'pino'
import type { Runner } from '#domain/imports/abandoned-runner.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import type { RightsOf } from '#server/access/rights/rights.ts'

/** A job this program carries out right now. */
export type JobRun = {
  /** Stops after the current batch; another process, or this one later, continues. */
  readonly stop: AbortController
  /** Settles, never rejects, when nothing of it is under way here any more. */
  readonly over: Promise<void>
}

/** What the stories of many records at once are handed. */
export type BulkDeps = RecordDeps & {
  readonly log: Logger
  readonly rightsOf: RightsOf
  /** This program, among those that may carry jobs out on the same database. */
  readonly self: Runner
  /** Most records whose values are converted in one write, when a field gets another kind; of more a job is made. */
  readonly convertedAtOnce: number
  /** Most records that a query finds and that are changed in one write; of more a job is made. */
  readonly changedAtOnce: number
  /** Jobs of this program, by id. */
  readonly jobs: Map<string, JobRun>
}
