import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { bulkChange, cancelJob, type JobBody, readJob } from '#api/bulk.ts'
import { call } from '#web/client/call.ts'
import { failureText } from '#web/client/problem-text.ts'
import { countOf, formatCount } from '#web/fields/format-value.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { pendingDeletions } from './pending-deletions.ts'
import { asked, type Listing } from './record-list-queries.ts'
import { forgetLists } from './record-queries.ts'

/** How often a job is asked how far it is, in ms. */
const ASK_EVERY_MS = 500

const records = (count: number): string => countOf(count, 'record', 'records')

type Matching = { readonly listing: Omit<Listing, 'sort'>; readonly except: ReadonlySet<string> }

/**
 * Deletes every record of a list but some, however many there are, with a way back as long as nothing is sent; what is
 * too much for one go is done by the server bit by bit, and can be stopped.
 */
export function useDeleteMatching(collection: string) {
  const queryClient = useQueryClient()
  return useCallback(
    (matching: Matching) => {
      const id = `delete-matching-${crypto.randomUUID()}`
      const commit = () =>
        deleteMatching(collection, matching, (job) => showProgress(id, job))
          .then(
            (end) => showEnd(id, end),
            (error: unknown) =>
              void notify.error('Not all of the records could be deleted', { id, detail: failureText(error).detail }),
          )
          .then(() => refresh(queryClient, collection))
      const { undo } = pendingDeletions.begin({ ids: [], commit })
      const run = (): void => {
        undo()
        notify.dismiss(id)
      }
      notify.info('All matching records will be deleted', { id, shownMs: 'stay', action: { label: 'Undo', run } })
    },
    [collection, queryClient],
  )
}

async function refresh(queryClient: QueryClient, collection: string): Promise<void> {
  forgetLists(queryClient, collection)
  await queryClient.refetchQueries({ queryKey: ['records', collection], type: 'active' })
}

/** What a deletion came to. */
type End = Pick<JobBody, 'state' | 'done' | 'total' | 'failure'>

async function deleteMatching(
  collection: string,
  { listing, except }: Matching,
  onProgress: (job: JobBody) => void,
): Promise<End> {
  const where = { ...asked({ ...listing, sort: '' }), except: [...except] }
  const said = await call(bulkChange, { params: { collection }, body: { where, delete: true } })
  if (!('job' in said)) return { state: 'done', done: said.deleted, total: said.deleted, failure: null }
  for (;;) {
    const job = await call(readJob, { params: { job: said.job } })
    if (job.state !== 'running') return job
    onProgress(job)
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
  }
}

function showProgress(id: string, { id: job, done, total }: JobBody): void {
  const text =
    total === null ? `Deleting: ${records(done)} so far` : `Deleting: ${formatCount(done)} of ${records(total)}`
  notify.info(text, { id, shownMs: 'stay', action: { label: 'Stop', run: () => stop(id, job) } })
}

/** Whoever follows the job sees that it ended, and says so. */
function stop(id: string, job: string): void {
  void call(cancelJob, { params: { job } }).then(undefined, (error: unknown) =>
    notify.error('The deletion could not be stopped', { id: `${id}-stop`, detail: failureText(error).detail }),
  )
}

function showEnd(id: string, { state, done, failure }: End): void {
  notify.dismiss(id)
  if (state === 'done') notify.success(`Deleted ${records(done)}`)
  else if (state === 'cancelled') notify.info(`Stopped. ${records(done)} had been deleted`, { shownMs: 'stay' })
  else notify.error(`Stopped after ${records(done)}`, { detail: failure ?? '' })
}
