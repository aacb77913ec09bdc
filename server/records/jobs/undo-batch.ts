import type { Actor } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import type { SkippedByReason } from '#domain/shared/problem.ts'
import { isLimited } from '#server/records/activity/seen-changes.ts'
import { mergeSkipped, skippingInvalid } from '#server/records/bulk/skipped-records.ts'
import type { BatchSize, BulkDeps } from '#server/records/bulk/bulk-deps.ts'
import type { RestoreTask } from '#server/records/bulk/task.ts'
import { commitChange, type WriteResult } from '#server/records/changes/commit-change.ts'
import { countChanged, findChangeSet, type RecordChangeSet } from '#server/records/undo/change-set-store.ts'
import { readWrite, recordsIn } from '#server/records/undo/read-write.ts'
import type { WriteToUndo } from '#server/records/undo/undo-plan.ts'
import { undoWrite } from '#server/records/undo/undo-write.ts'
import { isOwnedByThisProcess, jobActor, nextBatchSize } from './job-batch.ts'
import { prepareDeletion } from './prepare-deletion.ts'
import { lockJob, type StoredJob, updateJob } from './store.ts'

/** Returns the number of records of a change set; null for those who can read only some records. */
export async function prepareUndo(deps: BulkDeps, actor: Actor, { changeSet }: RestoreTask): Promise<number | null> {
  const { database } = deps
  const set = await findChangeSet(database.read, changeSet)
  const collection = set && (await deps.definitions.current()).byId.get(set.collection)
  if (collection) await prepareDeletion(deps, collection, set.imported)
  const reading = set && decide(actor, 'records:read', collection)
  return set && reading?.allowed && !isLimited(reading) ? countChanged(database.read, set) : null
}

/** Distinguishes the last imported record from the last entry, when stored as the progress of a job. */
const ROW = 'row '

type Batch = { readonly set: RecordChangeSet; readonly write: Omit<WriteToUndo, 'records'> }

/** Reads what follows after the progress of a job; undefined if the change set was removed. */
async function readBatch(
  deps: BulkDeps,
  actor: Actor,
  changeSet: string,
  { last, maxRows }: { readonly last: string | null; readonly maxRows: number },
): Promise<Batch | undefined> {
  const set = await findChangeSet(deps.database.read, changeSet)
  if (!set) return undefined
  const isInRows = last?.startsWith(ROW) ?? false
  const place = { before: isInRows ? null : last, afterRow: isInRows ? (last?.slice(ROW.length) ?? null) : null }
  return { set, write: await readWrite(deps, actor, set, { ...place, maxRows }) }
}

/**
 * Undoes the last write of a change set that hasn't been undone yet, then the records that it imported. Records deleted
 * in one write are restored in one write, so that no link points to a missing record in between. Returns the size of the
 * next batch of imported records; undefined if the job ends. While a batch is written, the next one is read.
 */
export function undoInBatches(deps: BulkDeps) {
  let ahead: { readonly last: string | null; readonly batch: Promise<Batch | undefined> } | undefined

  return async function undoBatch(
    job: StoredJob,
    { task, pace }: { readonly task: RestoreTask; readonly pace: BatchSize },
  ): Promise<BatchSize | undefined> {
    const now = await jobActor(deps, job)
    const read = (last: string | null) => readBatch(deps, now, task.changeSet, { last, maxRows: pace.records })
    const known = ahead?.last === job.lastRecord ? await ahead.batch : undefined
    ahead = undefined
    const batch = known ?? (await read(job.lastRecord))
    if (!batch) return undefined
    const imported = new Map([...batch.write.imported].slice(0, pace.records))
    const write = { ...batch.write, imported }
    const row = [...imported.keys()].at(-1)
    const isLast = write.entries.length === 0 && row === undefined
    const lastRecord = row === undefined ? (write.entries.at(-1)?.id ?? job.lastRecord) : `${ROW}${row}`
    // If reading ahead fails, the next batch reads again.
    if (!isLast) ahead = { last: lastRecord, batch: read(lastRecord).then(undefined, () => undefined) }

    let beganMs = 0
    const shouldContinue = await skippingInvalid(recordsIn(write), (left, refused) =>
      commitChange(
        deps,
        now,
        async (writing): Promise<WriteResult<boolean>> => {
          beganMs = performance.now()
          const held = await lockJob(writing.transaction, job.id)
          if (!isOwnedByThisProcess(deps, held)) return { answer: false, changes: [], events: [] }
          const undone = await undoWrite(writing, [job.actor, now], { ...write, records: new Set(left) })
          await updateJob(writing.transaction, held, {
            done: held.done + undone.restored.length + undone.changed.length + undone.deleted.length,
            lost: (held.lost ?? 0) + countIn(undone.lost),
            refused: mergeSkipped(mergeSkipped(held.refused, refused), [...undone.refused, ...undone.kept]),
            lastRecord,
            aliveAt: writing.at,
            ...(isLast && { state: 'done', endedAt: writing.at }),
          })
          const changeSet = { id: job.id, via: 'job', sourceId: job.id, undoes: task.changeSet } as const
          return { answer: !isLast, changes: undone.changes, events: undone.events, changeSet }
        },
        { isLong: true },
      ),
    )
    if (!shouldContinue) return undefined
    return imported.size === 0 ? pace : nextBatchSize(pace, imported.size, performance.now() - beganMs)
  }
}

const countIn = (skipped: readonly SkippedByReason[]): number =>
  skipped.reduce((sum, { records }) => sum + records.length, 0)
