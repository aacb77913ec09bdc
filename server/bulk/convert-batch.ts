import { Problem } from '#domain/shared/problem.ts'
import { type Done, commitDefinition } from '#server/changes/commit-change.ts'
import { convertStep } from '#server/collections/convert-step.ts'
import { collectionOf, finishKindChange } from '#server/collections/end-kind-change.ts'
import { getCollection } from '#server/collections/find-collection.ts'
import type { KindChange } from '#server/collections/kind-change.ts'
import { kindChangeOf } from '#server/collections/running-changes.ts'
import type { Transaction } from '#server/database/database.ts'
import { UniqueViolation } from '#server/database/unique-violation.ts'
import { type BatchPace, nextPace } from './batch-pace.ts'
import type { BulkNeeds } from './bulk-needs.ts'
import { isMine, workerOf } from './job-holder.ts'
import { changeJob, holdJob } from './store.ts'
import type { StoredJob } from './stored-job.ts'

/** Most records converted together with the switch. */
const MOST_AT_THE_END = 200

/** Fewest records of a batch: a statement for a hundred takes hardly longer than one for five, and it must keep up with writers. */
const LEAST_CONVERTED = 100

/**
 * The next batch of a change of kind, and the switch once everything is converted; answers how many records the next
 * batch may have, or nothing when the job is over.
 */
export async function convertBatch(needs: BulkNeeds, job: StoredJob, pace: BatchPace): Promise<BatchPace | undefined> {
  const limit = Math.max(pace.records, LEAST_CONVERTED)
  const came = await convertMore(needs, job, limit).then(undefined, (error: unknown) => {
    throw error instanceof UniqueViolation ? notUnique() : error
  })
  if (!came) return undefined
  if (came.isOver && (await switchOver(needs, job))) return undefined
  return nextPace(pace, limit, performance.now() - came.beganMs)
}

type Came = { readonly isOver: boolean; readonly beganMs: number }

const convertMore = (needs: BulkNeeds, job: StoredJob, limit: number): Promise<Came | undefined> =>
  needs.database.write(
    async (transaction) => {
      const found = await heldChange(needs, transaction, job)
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
      await changeJob(transaction, held, {
        done: held.done + done,
        lastRecord,
        aliveAt: needs.clock().toISOString(),
      })
      return { isOver, beganMs }
    },
    { locksItself: true },
  )

/** What was written in the last moment, and the switch, in one write; false when that is too much for one. */
async function switchOver(needs: BulkNeeds, job: StoredJob): Promise<boolean> {
  const now = await workerOf(needs, job)
  return commitDefinition(
    needs,
    now,
    async (writing): Promise<Done<boolean>> => {
      const { transaction } = writing
      const found = await heldChange(needs, transaction, job)
      if (!found) return nothing(true)
      const { held, change } = found
      for (const judge of [job.actor, now]) {
        getCollection(writing.definitions, judge, 'collections:manage', change.collection)
      }
      const at = { after: held.lastRecord, limit: MOST_AT_THE_END }
      const { done, lastRecord, isOver } = await convertStep(transaction, collectionOf(writing, change), change, at)
      const progress = { done: held.done + done, lastRecord, aliveAt: writing.at }
      if (!isOver) {
        await changeJob(transaction, held, progress)
        return nothing(false)
      }
      const { answer: lost, ...finished } = await finishKindChange(writing, change)
      await changeJob(transaction, held, { ...progress, state: 'done', lost, endedAt: writing.at })
      return { ...finished, answer: true }
    },
    { isQuiet: true },
  )
}

const nothing = <Answer>(answer: Answer): Done<Answer> => ({ answer, changes: [], events: [] })

/** The job with its change, held still until the write ends, if this program still carries it out. */
async function heldChange(
  needs: BulkNeeds,
  transaction: Transaction,
  { id }: StoredJob,
): Promise<{ readonly held: StoredJob; readonly change: KindChange } | undefined> {
  const held = await holdJob(transaction, id)
  const change = await kindChangeOf(transaction.db, id)
  return isMine(needs, held) && change ? { held, change } : undefined
}

const notUnique = (): Problem =>
  new Problem(
    'definition-invalid',
    'Several records would have the same value, and it must be unique. Nothing was changed.',
  )
