import { Problem } from '#domain/shared/problem.ts'
import { type WriteResult, commitDefinition } from '#server/records/changes/commit-change.ts'
import { convertStep } from '#server/schema/kind-changes/convert-step.ts'
import { collectionOf, finishKindChange } from '#server/schema/kind-changes/end-kind-change.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import type { KindChange } from '#server/schema/kind-changes/kind-change.ts'
import { kindChangeOf } from '#server/schema/kind-changes/running-changes.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { UniqueViolation } from '#server/platform/database/errors/unique-violation.ts'
import { type BatchSize, nextBatchSize } from '#server/records/jobs/batch-size.ts'
import type { BulkDeps } from '#server/records/bulk/bulk-deps.ts'
import { isOwnedByThisProcess, jobActor } from '#server/records/jobs/job-owner.ts'
import { updateJob, lockJob } from '#server/records/jobs/store.ts'
import type { StoredJob } from '#server/records/jobs/stored-job.ts'

/** Most records converted together with the switch. */
const MAX_FINAL_BATCH = 200

/** Fewest records of a batch: a statement for a hundred takes hardly longer than one for five, and it must keep up with writers. */
const MIN_CONVERTED = 100

/**
 * The next batch of a change of kind, and the switch once everything is converted; answers how many records the next
 * batch may have, or nothing when the job is over.
 */
export async function convertBatch(needs: BulkDeps, job: StoredJob, pace: BatchSize): Promise<BatchSize | undefined> {
  const limit = Math.max(pace.records, MIN_CONVERTED)
  const came = await convertNext(needs, job, limit).then(undefined, (error: unknown) => {
    throw error instanceof UniqueViolation ? notUnique() : error
  })
  if (!came) return undefined
  if (came.isOver && (await finishIfConverted(needs, job))) return undefined
  return nextBatchSize(pace, limit, performance.now() - came.beganMs)
}

type BatchResult = { readonly isOver: boolean; readonly beganMs: number }

const convertNext = (needs: BulkDeps, job: StoredJob, limit: number): Promise<BatchResult | undefined> =>
  needs.database.write(
    async (transaction) => {
      const found = await lockKindChange(needs, transaction, job)
      if (!found) return undefined
      const beganMs = performance.now()
      const { held, change } = found
      const definitions = await needs.definitions.within(transaction)
      const at = { after: held.lastRecord, limit }
      const { done, lastRecord, isOver } = await convertStep(
        transaction,
        collectionOf({ definitions }, change),
        change,
        at,
      )
      await updateJob(transaction, held, {
        done: held.done + done,
        lastRecord,
        aliveAt: needs.clock().toISOString(),
      })
      return { isOver, beganMs }
    },
    { locksItself: true },
  )

/** What was written in the last moment, and the switch, in one write; false when that is too much for one. */
async function finishIfConverted(needs: BulkDeps, job: StoredJob): Promise<boolean> {
  const now = await jobActor(needs, job)
  return commitDefinition(
    needs,
    now,
    async (writing): Promise<WriteResult<boolean>> => {
      const { transaction } = writing
      const found = await lockKindChange(needs, transaction, job)
      if (!found) return withoutChanges(true)
      const { held, change } = found
      for (const judge of [job.actor, now]) {
        getCollection(writing.definitions, judge, 'collections:manage', change.collection)
      }
      const at = { after: held.lastRecord, limit: MAX_FINAL_BATCH }
      const { done, lastRecord, isOver } = await convertStep(transaction, collectionOf(writing, change), change, at)
      const progress = { done: held.done + done, lastRecord, aliveAt: writing.at }
      if (!isOver) {
        await updateJob(transaction, held, progress)
        return withoutChanges(false)
      }
      const { answer: lost, ...finished } = await finishKindChange(writing, change)
      await updateJob(transaction, held, { ...progress, state: 'done', lost, endedAt: writing.at })
      return { ...finished, answer: true }
    },
    { isQuiet: true },
  )
}

const withoutChanges = <Answer>(answer: Answer): WriteResult<Answer> => ({ answer, changes: [], events: [] })

/** The job with its change, held still until the write ends, if this program still carries it out. */
async function lockKindChange(
  needs: BulkDeps,
  transaction: Transaction,
  { id }: StoredJob,
): Promise<{ readonly held: StoredJob; readonly change: KindChange } | undefined> {
  const held = await lockJob(transaction, id)
  const change = await kindChangeOf(transaction.db, id)
  return isOwnedByThisProcess(needs, held) && change ? { held, change } : undefined
}

const notUnique = (): Problem =>
  new Problem(
    'definition-invalid',
    'Nothing was changed. Several records would get the same value, but it must be unique.',
  )
