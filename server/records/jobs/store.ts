import type { Selectable, Updateable } from 'kysely'
import type { Actor } from '#domain/access/actor.ts'
import type { Runner } from '#domain/imports/abandoned-runner.ts'
import type { CollectionId, RecordId, UserId } from '#domain/shared/ids.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'
import type { SystemTables } from '#server/platform/database/tables/system-tables.ts'
import type { SkippedRecords } from '#server/records/bulk/skipped-records.ts'
import type { KindChangeTask, RestoreTask, Task } from '#server/records/bulk/task.ts'

type JobState = 'running' | 'done' | 'failed' | 'cancelled'

export type StoredJob = {
  readonly id: string
  readonly userId: UserId | null
  readonly collection: CollectionId
  readonly state: JobState
  readonly task: Task | KindChangeTask | RestoreTask
  /**
   * The owner, with their permissions at the time the job was created. The job never gains permissions, and loses those
   * that the owner loses.
   */
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

export async function insertJob({ db }: Transaction, job: StoredJob): Promise<void> {
  await db
    .insertInto('jobs')
    .values({
      id: job.id,
      user_id: job.userId,
      collection_id: job.collection,
      task: JSON.stringify({ task: job.task, actor: job.actor }),
      created_at: job.createdAt,
      ...progressCells(job),
    })
    .execute()
}

export async function findJob(db: Reader, id: string): Promise<StoredJob | undefined> {
  const row = await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()
  return row && jobOf(row)
}

export async function lockJob({ db, dialect }: Transaction, id: string): Promise<StoredJob | undefined> {
  const query = db.selectFrom('jobs').selectAll().where('id', '=', id)
  const row = await (dialect === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
  return row && jobOf(row)
}

export async function runningJobs(db: Reader): Promise<StoredJob[]> {
  const rows = await db.selectFrom('jobs').selectAll().where('state', '=', 'running').orderBy('id').execute()
  return rows.map(jobOf)
}

export async function listUserJobs(
  db: Reader,
  userId: UserId,
  { endedSince, limit }: { readonly endedSince: string; readonly limit: number },
): Promise<StoredJob[]> {
  const rows = await db
    .selectFrom('jobs')
    .selectAll()
    .where('user_id', '=', userId)
    .where((row) => row.or([row('ended_at', 'is', null), row('ended_at', '>=', endedSince)]))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(jobOf)
}

export async function deleteJobsBefore({ db }: Transaction, endedBefore: string): Promise<void> {
  await db.deleteFrom('jobs').where('ended_at', '<', endedBefore).execute()
}

type Progress = Pick<
  StoredJob,
  'state' | 'total' | 'done' | 'lastRecord' | 'runner' | 'aliveAt' | 'failure' | 'lost' | 'refused' | 'endedAt'
>

export async function updateJob({ db }: Transaction, job: StoredJob, change: Partial<Progress>): Promise<void> {
  const cells: Updateable<SystemTables['jobs']> = progressCells({ ...job, ...change })
  await db.updateTable('jobs').set(cells).where('id', '=', job.id).execute()
}

const progressCells = ({ lastRecord, runner, aliveAt, refused, endedAt, ...progress }: Progress) => ({
  state: progress.state,
  total: progress.total,
  done: progress.done,
  last_record: lastRecord,
  runner: runner && JSON.stringify(runner),
  alive_at: aliveAt,
  failure: progress.failure,
  lost: progress.lost,
  refused: refused.length === 0 ? null : JSON.stringify(refused),
  ended_at: endedAt,
})

const jobOf = (row: Selectable<SystemTables['jobs']>): StoredJob => ({
  id: row.id,
  userId: row.user_id,
  collection: row.collection_id,
  state: row.state as JobState,
  ...JSON.parse(row.task),
  total: row.total === null ? null : Number(row.total),
  done: Number(row.done),
  lastRecord: row.last_record,
  runner: row.runner && JSON.parse(row.runner),
  aliveAt: row.alive_at,
  failure: row.failure,
  lost: row.lost === null ? null : Number(row.lost),
  refused: row.refused === null ? [] : JSON.parse(row.refused),
  createdAt: row.created_at,
  endedAt: row.ended_at,
})
