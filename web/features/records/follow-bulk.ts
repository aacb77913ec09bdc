import type { z } from 'zod'
import { bulkChange, cancelJob, type JobBody, readJob } from '#api/bulk.ts'
import { call } from '#web/client/call.ts'
import { failureText } from '#web/client/problem-text.ts'
import { countOf, formatCount } from '#web/fields/format-value.ts'
import { notify } from '#web/kit/toast/notify.ts'

/** How often a job is asked how far it is, in ms. */
const ASK_EVERY_MS = 500

/** What a bulk change came to. */
export type BulkEnd = Pick<JobBody, 'state' | 'done' | 'total' | 'failure'>

/** How it is told while it goes on, and afterwards. */
export type BulkWords = {
  /** Such as “Deleting”. */
  readonly doing: string
  /** Such as “Deleted 3 records”. */
  readonly done: (count: number) => string
  readonly couldNotStop: string
}

/** Changes all that a query finds, and waits for its end; what is too much for one go is done by the server bit by bit. */
export async function runBulk(
  collection: string,
  body: z.input<(typeof bulkChange)['body']>,
  onProgress: (job: JobBody) => void,
): Promise<BulkEnd> {
  const said = await call(bulkChange, { params: { collection }, body })
  if (!('job' in said)) {
    const done = said.updated + said.deleted
    return { state: 'done', done, total: done, failure: null }
  }
  for (;;) {
    const job = await call(readJob, { params: { job: said.job } })
    if (job.state !== 'running') return job
    onProgress(job)
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
  }
}

/** A number of records, in words. */
export const records = (count: number): string => countOf(count, 'record', 'records')

/** Shows how far a job is, with the way to stop it. */
export function showProgress(id: string, { doing, couldNotStop }: BulkWords, { id: job, done, total }: JobBody): void {
  const text =
    total === null ? `${doing}: ${records(done)} so far` : `${doing}: ${formatCount(done)} of ${records(total)}`
  const run = (): void => stop(id, job, couldNotStop)
  notify.info(text, { id, shownMs: 'stay', action: { label: 'Stop', run } })
}

/** Whoever follows the job sees that it ended, and says so. */
function stop(id: string, job: string, couldNotStop: string): void {
  void call(cancelJob, { params: { job } }).then(undefined, (error: unknown) =>
    notify.error(couldNotStop, { id: `${id}-stop`, detail: failureText(error).detail }),
  )
}

/** Tells how it ended. */
export function showEnd(id: string, words: BulkWords, { state, done, failure }: BulkEnd): void {
  notify.dismiss(id)
  if (state === 'done') notify.success(words.done(done))
  else if (state === 'cancelled') notify.info(`Stopped. ${words.done(done)} until then`, { shownMs: 'stay' })
  else notify.error(`Stopped. ${words.done(done)} until then`, { detail: failure ?? '' })
}
