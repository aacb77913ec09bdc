import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '#domain/access/actor.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { commitChange } from '#server/changes/commit-change.ts'
import { type BatchPace, FIRST_PACE, nextPace } from './batch-pace.ts'
import type { BulkNeeds } from './bulk-needs.ts'
import { changeFound } from './change-found.ts'
import { countFound, findRecords } from './find-records.ts'
import { convertBatch } from './convert-batch.ts'
import { endEarly, writeToEnd } from './end-early.ts'
import { isMine, workerOf } from './job-holder.ts'
import { countDeleted, restoreBatch } from './restore-batch.ts'
import { leavingOut, sentenceOf, withRefused } from './refusals.ts'
import { changeJob, findJob, holdJob } from './store.ts'
import type { StoredJob } from './stored-job.ts'
import type { Task } from './task.ts'

/**
 * Does a job batch by batch, from where it stands to its end, or until it is cancelled, fails or the server stops. Each
 * batch writes down how far the job is in the very write that changes the records, so nothing is done twice or left out,
 * however the program ends.
 */
export async function runJob(needs: BulkNeeds, id: string, stop: AbortSignal): Promise<void> {
  await workOff(needs, id, stop).then(undefined, (error: unknown) => giveUp(needs, id, error))
}

async function workOff(needs: BulkNeeds, id: string, stop: AbortSignal): Promise<void> {
  // How many there are is good to know, and no more.
  await count(needs, id).then(undefined, (error: unknown) => refuseOther(error))
  let pace: BatchPace | undefined = FIRST_PACE
  while (pace && !stop.aborted) {
    const tried: BatchPace = pace
    pace = await doBatch(needs, id, tried).then(undefined, (error: unknown) => wait(error, tried, stop))
  }
  if (pace) await leave(needs, id)
}

/** How long a job waits before it tries again when the database was busy or away, in ms. */
const WAIT_MS = 500
/** How often in a row. */
const MOST_WAITS = 120

/** A database that is busy or away is no reason to end: it goes on later, carefully. */
async function wait(error: unknown, { waits }: BatchPace, stop: AbortSignal): Promise<BatchPace> {
  refuseOther(error)
  if (waits === MOST_WAITS) throw error
  await pause(WAIT_MS, undefined, { signal: stop }).then(undefined, () => undefined)
  return { ...FIRST_PACE, waits: waits + 1 }
}

/** Passes on whatever does not pass by itself. */
function refuseOther(error: unknown): void {
  if (!(error instanceof Problem) || error.code !== 'not-ready') throw error
}

/** Writes down how many records there are, once. */
async function count(needs: BulkNeeds, id: string): Promise<void> {
  const job = await findJob(needs.database.read, id)
  if (!job || job.total !== null || job.task.does === 'change-field') return
  const definitions = await needs.definitions.current()
  // By what whoever began it holds now: a job that is taken up again must not count by rights that are gone.
  const actor = await workerOf(needs, job)
  const { task } = job
  const total =
    task.does === 'restore' ? await countDeleted(needs, task) : await countFound(needs, { definitions, actor, task })
  await ifMine(needs, id, { total })
}

/** One batch; answers how many the next one may have, or nothing when the job is over. */
async function doBatch(needs: BulkNeeds, id: string, pace: BatchPace): Promise<BatchPace | undefined> {
  const job = await findJob(needs.database.read, id)
  if (job?.state !== 'running') return undefined
  const { task } = job
  if (task.does === 'change-field') return convertBatch(needs, job, pace)
  if (task.does === 'restore') return (await restoreBatch(needs, job, task)) ? pace : undefined
  return changeBatch(needs, job, { task, pace })
}

async function changeBatch(
  needs: BulkNeeds,
  job: StoredJob,
  { task, pace }: { readonly task: Task; readonly pace: BatchPace },
): Promise<BatchPace | undefined> {
  const now = await workerOf(needs, job)
  const { lastRecord, ...found } = await nextRecords(needs, job, { task, actor: now, limit: pace.records })
  const room = Math.max(0, (task.most ?? Infinity) - job.done)
  const ids = found.ids.slice(0, room)
  const isLast = found.isLast || ids.length === room

  let beganMs = 0
  const goesOn = await leavingOut(ids, (left, refused) =>
    commitChange(needs, now, async (writing) => {
      beganMs = performance.now()
      const held = await holdJob(writing.transaction, job.id)
      if (!isMine(needs, held)) return { answer: false, changes: [], events: [] }
      const { answer, changes, events } = await changeFound(writing, [job.actor, now], task, left)
      await changeJob(writing.transaction, held, {
        done: held.done + answer.count,
        refused: withRefused(held.refused, refused),
        lastRecord,
        aliveAt: writing.at,
        ...(isLast && { state: 'done', endedAt: writing.at }),
      })
      return { answer: !isLast, changes, events, ...(task.does === 'delete' && { changeSet: job.id }) }
    }),
  )
  return goesOn ? nextPace(pace, ids.length, performance.now() - beganMs) : undefined
}

/** The records of the next batch: of those that were there when the job was made. */
async function nextRecords(
  needs: BulkNeeds,
  { id, lastRecord: after }: StoredJob,
  { task, actor, limit }: { readonly task: Task; readonly actor: Actor; readonly limit: number },
) {
  const definitions = await needs.definitions.current()
  const found = await findRecords(needs, { definitions, actor, task }, { after, limit })
  // Ids stand in the order of their making, and the job's own was made when it began.
  const old = found.filter((record) => record < id)
  const except = new Set(task.except)
  const lastRecord: RecordId | null = old.at(-1) ?? after
  return { ids: old.filter((record) => !except.has(record)), lastRecord, isLast: old.length < limit }
}

const ifMine = (needs: BulkNeeds, id: string, change: Parameters<typeof changeJob>[2]): Promise<void> =>
  needs.database.write(async (transaction) => {
    const job = await holdJob(transaction, id)
    if (isMine(needs, job)) await changeJob(transaction, job, change)
  })

/** Lets any program take the job up. */
const leave = (needs: BulkNeeds, id: string): Promise<void> => ifMine(needs, id, { runner: null })

async function giveUp(needs: BulkNeeds, id: string, error: unknown): Promise<void> {
  if (!(error instanceof Problem)) needs.log.error({ err: error, job: id }, 'a job failed')
  const job = await findJob(needs.database.read, id)
  if (!job) return
  await needs.database.write(async (transaction) => {
    const held = await holdJob(transaction, id)
    const end = { state: 'failed', failure: endingOf(error), endedAt: needs.clock().toISOString() } as const
    if (isMine(needs, held)) await endEarly(transaction, held, end)
  }, writeToEnd(job))
}

/** Why it ended, for people; how much was done until then is told beside it. */
const endingOf = (error: unknown): string =>
  error instanceof Problem ? sentenceOf(error) : 'The server could not go on with this. Try it again for the rest.'
