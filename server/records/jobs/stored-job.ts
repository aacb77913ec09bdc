import type { Actor } from '#domain/access/actor.ts'
import type { Runner } from '#domain/imports/abandoned-runner.ts'
import type { CollectionId, RecordId, UserId } from '#domain/shared/ids.ts'
import type { SkippedRecords } from '#server/records/bulk/skipped-records.ts'
import type { KindChangeTask, RestoreTask, Task } from '#server/records/bulk/task.ts'

export type JobState = 'running' | 'done' | 'failed' | 'cancelled'

export type StoredJob = {
  readonly id: string
  readonly userId: UserId | null
  readonly collection: CollectionId
  readonly state: JobState
  readonly task: Task | KindChangeTask | RestoreTask
  /** The owner with the permissions at creation: the job never has more, and loses what the owner loses. */
  readonly actor: Actor
  readonly total: number | null
  readonly done: number
  /** The last record processed. */
  readonly lastRecord: RecordId | null
  readonly runner: Runner | null
  readonly aliveAt: string
  readonly failure: string | null
  readonly lost: number | null
  readonly refused: readonly SkippedRecords[]
  readonly createdAt: string
  readonly endedAt: string | null
}
