import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '#domain/access/actor.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { commitChange } from '#server/records/changes/commit-change.ts'
import { INITIAL_BATCH_SIZE, isOwnedByThisProcess, jobActor, nextBatchSize } from './job-batch.ts'
import type { BatchSize, BulkDeps } from '#server/records/bulk/bulk-deps.ts'
import { applyTask } from '#server/records/bulk/apply-task.ts'
import { countTaskRecords, findRecords } from '#server/records/bulk/find-records.ts'
import { prepareDeletion } from './prepare-deletion.ts'
import { prepareUndo, undoInBatches } from './undo-batch.ts'
import { skippingInvalid, reasonOf, mergeSkipped } from '#server/records/bulk/skipped-records.ts'
import { findJob, lockJob, type StoredJob, updateJob } from './store.ts'
import type { Task } from '#server/records/bulk/task.ts'
import type { Transaction, WriteOptions } from '#server/platform/database/database.ts'

/**
 * Runs a job in batches until it ends, fails or is canceled, or the server stops. Each batch stores its progress in the
 * same write as the changed records, so that nothing is repeated or skipped, even if the process crashes.
 */
export async function runJob(deps: BulkDeps, id: string, stop: AbortSignal): Promise<void> {
  await runBatches(deps, id, stop).then(undefined, (error: unknown) => failJob(deps, id, error))
}

async function runBatches(deps: BulkDeps, id: string, stop: AbortSignal): Promise<void> {
  // Only shows users the total and saves time, so a temporary failure doesn't matter.
  await prepareJob(deps, id).then(undefined, (error: unknown) => rethrowUnlessTransient(error))
  const undoBatch = undoInBatches(deps)
  let pace: BatchSize | undefined = INITIAL_BATCH_SIZE
  while (pace && !stop.aborted) {
    const tried: BatchSize = pace
    pace = await runBatch(deps, id, { pace: tried, undoBatch }).then(undefined, (error: unknown) =>
      waitBeforeRetry(error, tried, stop),
    )
  }
  if (pace) await releaseJob(deps, id)
}

/** Delays in ms before a retry when the database is busy or unreachable. */
const RETRY_DELAY_MS = 500
const MAX_RETRIES = 120

/** If the database is busy or unreachable, the job backs off and retries instead of failing. */
async function waitBeforeRetry(error: unknown, { waits }: BatchSize, stop: AbortSignal): Promise<BatchSize> {
  rethrowUnlessTransient(error)
  if (waits === MAX_RETRIES) throw error
  await pause(RETRY_DELAY_MS, undefined, { signal: stop }).then(undefined, () => undefined)
  return { ...INITIAL_BATCH_SIZE, waits: waits + 1 }
}

/** Rethrows errors that are not temporary. */
function rethrowUnlessTransient(error: unknown): void {
  if (!(error instanceof Problem) || error.code !== 'not-ready') throw error
}

async function prepareJob(deps: BulkDeps, id: string): Promise<void> {
  const job = await findJob(deps.database.read, id)
  if (!job || job.total !== null || job.task.does === 'change-field') return
  const definitions = await deps.definitions.current()
  // Uses the owner's current permissions, because a resumed job must not use revoked permissions.
  const actor = await jobActor(deps, job)
  const { task } = job
  const total =
    task.does === 'restore'
      ? await prepareUndo(deps, actor, task)
      : await countTaskRecords(deps, { definitions, actor, task })
  const emptied = task.does === 'delete' ? definitions.byId.get(task.collection) : undefined
  if (emptied && total !== null) await prepareDeletion(deps, emptied, total)
  await updateIfOwned(deps, id, { total })
}

async function runBatch(
  deps: BulkDeps,
  id: string,
  { pace, undoBatch }: { readonly pace: BatchSize; readonly undoBatch: ReturnType<typeof undoInBatches> },
): Promise<BatchSize | undefined> {
  const job = await findJob(deps.database.read, id)
  if (job?.state !== 'running') return undefined
  const { task } = job
  if (task.does === 'change-field') return deps.fieldConversion.convertBatch(deps, job, pace)
  if (task.does === 'restore') return undoBatch(job, { task, pace })
  return changeBatch(deps, job, { task, pace })
}

async function changeBatch(
  deps: BulkDeps,
  job: StoredJob,
  { task, pace }: { readonly task: Task; readonly pace: BatchSize },
): Promise<BatchSize | undefined> {
  const now = await jobActor(deps, job)
  const { lastRecord, ...found } = await nextRecords(deps, job, { task, actor: now, limit: pace.records })
  const room = Math.max(0, (task.most ?? Infinity) - job.done)
  const ids = found.ids.slice(0, room)
  const isLast = found.isLast || ids.length === room

  let beganMs = 0
  const shouldContinue = await skippingInvalid(ids, (left, refused) =>
    commitChange(
      deps,
      now,
      async (writing) => {
        beganMs = performance.now()
        const held = await lockJob(writing.transaction, job.id)
        if (!isOwnedByThisProcess(deps, held)) return { answer: false, changes: [], events: [] }
        const { answer, changes, events } = await applyTask(writing, [job.actor, now], task, left)
        await updateJob(writing.transaction, held, {
          done: held.done + answer.count,
          refused: mergeSkipped(held.refused, refused),
          lastRecord,
          aliveAt: writing.at,
          ...(isLast && { state: 'done', endedAt: writing.at }),
        })
        const changeSet = { id: job.id, via: 'job', sourceId: job.id, isDeletion: task.does === 'delete' } as const
        return { answer: !isLast, changes, events, changeSet }
      },
      { isLong: true },
    ),
  )
  return shouldContinue ? nextBatchSize(pace, ids.length, performance.now() - beganMs) : undefined
}

/** The next records that already existed when the job was created. */
async function nextRecords(
  deps: BulkDeps,
  { id, lastRecord: after }: StoredJob,
  { task, actor, limit }: { readonly task: Task; readonly actor: Actor; readonly limit: number },
) {
  const definitions = await deps.definitions.current()
  const found = await findRecords(deps, { definitions, actor, task }, { after, limit })
  // IDs sort by creation time, and the job's own ID was created when it started.
  const old = found.filter((record) => record < id)
  const except = new Set(task.except)
  const lastRecord: RecordId | null = old.at(-1) ?? after
  return { ids: old.filter((record) => !except.has(record)), lastRecord, isLast: old.length < limit }
}

const updateIfOwned = (deps: BulkDeps, id: string, change: Parameters<typeof updateJob>[2]): Promise<void> =>
  deps.database.write(async (transaction) => {
    const job = await lockJob(transaction, id)
    if (isOwnedByThisProcess(deps, job)) await updateJob(transaction, job, change)
  })

const releaseJob = (deps: BulkDeps, id: string): Promise<void> => updateIfOwned(deps, id, { runner: null })

async function failJob(deps: BulkDeps, id: string, error: unknown): Promise<void> {
  if (!(error instanceof Problem)) deps.log.error({ err: error, job: id }, 'job failed')
  const job = await findJob(deps.database.read, id)
  if (!job) return
  await deps.database.write(async (transaction) => {
    const held = await lockJob(transaction, id)
    const end = { state: 'failed', failure: failureReason(error), endedAt: deps.clock().toISOString() } as const
    if (isOwnedByThisProcess(deps, held)) await endJob(deps, transaction, held, end)
  }, endJobWriteOptions(job))
}

/** Why a job failed, for users; progress is reported separately. */
const failureReason = (error: unknown): string =>
  error instanceof Problem
    ? reasonOf(error)
    : 'The server couldn’t finish this job. Run it again for the remaining records.'

/** Ends a job early and removes its prepared data. Must be run within `writeToEnd`. */
export async function endJob(
  { fieldConversion }: Pick<BulkDeps, 'fieldConversion'>,
  transaction: Transaction,
  job: StoredJob,
  end: Pick<StoredJob, 'state' | 'endedAt'> & Partial<Pick<StoredJob, 'failure'>>,
): Promise<void> {
  await updateJob(transaction, job, end)
  if (job.task.does === 'change-field') await fieldConversion.abandon(transaction, job.id)
}

/** Options for the write that ends a job: it can drop columns, so the job's next batch must not run before it. */
export const endJobWriteOptions = ({ task }: StoredJob): WriteOptions =>
  task.does === 'change-field' ? { alone: 'definitions', locksItself: true } : {}
