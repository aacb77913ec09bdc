import type { Actor } from '#domain/access/actor.ts'
import type { Runner } from '#domain/imports/abandoned-runner.ts'
import type { CollectionId, RecordId, UserId } from '#domain/shared/ids.ts'
import type { SkippedRecords } from '#server/records/bulk/skipped-records.ts'
import type { KindChangeTask, RestoreTask, Task } from '#server/records/bulk/task.ts'

/** Where a job stands. */
export type JobState = 'running' | 'done' | 'failed' | 'cancelled'

/** A job as it is kept. */
export type StoredJob = {
  readonly id: string
  readonly userId: UserId | null
  readonly collection: CollectionId
  readonly state: JobState
  readonly task: Task | KindChangeTask | RestoreTask
  /** Who asked for it, with what they were granted then: it never does more, and what they lose it loses too. */
  readonly actor: Actor
  readonly total: number | null
  readonly done: number
  /** The last record it has looked at. */
  readonly lastRecord: RecordId | null
  readonly runner: Runner | null
  readonly aliveAt: string
  readonly failure: string | null
  /** How many values it had to leave behind. */
  readonly lost: number | null
  /** Records it left as they are. */
  readonly refused: readonly SkippedRecords[]
  readonly createdAt: string
  readonly endedAt: string | null
}
