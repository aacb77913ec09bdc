import type { RecordId } from '#domain/shared/ids.ts'
import type { SkippedByReason } from '#domain/shared/problem.ts'
import { type WriteResult, commitChange } from '#server/records/changes/commit-change.ts'
import { findDeletion, lastWriteOf } from '#server/records/changes/deletion-log.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { trashCutoff } from '#server/records/changes/retention.ts'
import { type RestoredRecords, type DeletedWrite, restoreRecords } from '#server/records/restore/restore-records.ts'
import type { BulkDeps } from '#server/records/bulk/bulk-deps.ts'
import { isOwnedByThisProcess, jobActor } from './job-batch.ts'
import { skippingInvalid, mergeSkipped } from '#server/records/bulk/skipped-records.ts'
import { lockJob, type StoredJob, updateJob } from './store.ts'
import type { RestoreTask } from '#server/records/bulk/task.ts'

export const deletedIn = (entries: DeletedWrite['entries'], collection: string): readonly RecordId[] =>
  entries.flatMap((entry) =>
    entry.kind === 'record-deleted' && entry.collection === collection && entry.record !== null ? entry.record : [],
  )

const countLost = ({ lost }: Pick<RestoredRecords, 'lost'>): number =>
  lost.reduce((sum: number, { records }: SkippedByReason) => sum + records.length, 0)

export const countDeleted = async ({ database }: BulkDeps, { changeSet }: RestoreTask): Promise<number> =>
  (await findDeletion(database.read, changeSet))?.count ?? 0

/**
 * Undoes the last write of a deletion that has not been undone yet. Records deleted in one write are restored in one
 * write, so that no link points to a missing record in between. Returns whether the job continues.
 */
export async function restoreBatch(deps: BulkDeps, job: StoredJob, task: RestoreTask): Promise<boolean> {
  const entries = await lastWriteOf(deps.database.read, task.changeSet, job.lastRecord)
  const now = await jobActor(deps, job)
  const since = await trashCutoff(deps.database.read, new Date(task.at))
  return skippingInvalid(deletedIn(entries, task.collection), (left, refused) =>
    commitChange(deps, now, async (writing): Promise<WriteResult<boolean>> => {
      const held = await lockJob(writing.transaction, job.id)
      if (!isOwnedByThisProcess(deps, held)) return { answer: false, changes: [], events: [] }
      const { collection } = getCollection(writing.definitions, now, 'records:delete', task.collection)
      const restored = await restoreRecords(writing, [job.actor, now], {
        collection,
        entries,
        records: new Set(left),
        since,
      })
      const isLast = entries.length === 0
      await updateJob(writing.transaction, held, {
        done: held.done + restored.records.length,
        lost: (held.lost ?? 0) + countLost(restored),
        refused: mergeSkipped(mergeSkipped(held.refused, refused), restored.refused),
        // The oldest log entry that has been undone, stored as progress.
        lastRecord: entries.at(-1)?.id ?? held.lastRecord,
        aliveAt: writing.at,
        ...(isLast && { state: 'done', endedAt: writing.at }),
      })
      const records = [...restored.records]
      const events =
        records.length === 0 ? [] : [{ type: 'records-changed' as const, collection: collection.id, records }]
      const changeSet = { id: job.id, via: 'job', sourceId: job.id, undoes: task.changeSet } as const
      return { answer: !isLast, changes: restored.changes, events, changeSet }
    }),
  )
}
