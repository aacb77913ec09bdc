import type { Logger } from 'pino'
import type { UndoResult } from '#api/activity.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { Runner } from '#domain/imports/abandoned-runner.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import type { StoredJob } from '#server/records/jobs/store.ts'
import type { RightsOf } from '#server/access/rights/rights.ts'

export type JobRun = {
  /** Stops after the current batch; another process, or this one later, resumes the job. */
  readonly stop: AbortController
  /** Resolves when the job no longer runs here; never rejects. */
  readonly over: Promise<void>
}

export type BatchSize = { readonly records: number; readonly waits: number }

/** Converts the values of a field in a job; implemented by the schema area. */
export type FieldConversion = {
  /** Returns the size of the next batch, or undefined when the job has ended. */
  readonly convertBatch: (deps: BulkDeps, job: StoredJob, size: BatchSize) => Promise<BatchSize | undefined>
  /** Removes the data prepared for a job that ends early. */
  readonly abandon: (transaction: Transaction, job: string) => Promise<void>
}

/** With `isPreview`, nothing is saved. */
export type UndoManner = { readonly isPreview: boolean }

/** Undoes what a change set did to definitions; implemented by the schema area. */
export type UndoDefinitions = (
  deps: BulkDeps,
  actor: Actor,
  changeSet: string,
  manner: UndoManner,
) => Promise<UndoResult | { readonly job: string }>

export type BulkDeps = RecordDeps & {
  readonly fieldConversion: FieldConversion
  readonly undoDefinitions: UndoDefinitions
  readonly log: Logger
  readonly rightsOf: RightsOf
  /** Identifies this process among those that can run jobs on the same database. */
  readonly self: Runner
  /** Maximum number of records converted in one write when the kind of a field changes; larger changes run as a job. */
  readonly convertedAtOnce: number
  /** Maximum number of records changed in one write; larger changes run as a job. */
  readonly changedAtOnce: number
  readonly jobs: Map<string, JobRun>
}
