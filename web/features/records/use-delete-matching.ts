import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { failureText } from '#web/client/problem-text.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { type BulkWords, records, runBulk, showEnd, showProgress } from './follow-bulk.ts'
import { pendingDeletions } from './pending-deletions.ts'
import { asked, type Listing } from './record-list-queries.ts'
import { forgetLists } from './record-queries.ts'

/** All records of a list, but some. */
export type Matching = { readonly listing: Omit<Listing, 'sort'>; readonly except: ReadonlySet<string> }

/** The same as the server takes it. */
export const whereOf = ({ listing, except }: Matching) => ({ ...asked({ ...listing, sort: '' }), except: [...except] })

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
        runBulk(collection, { where: whereOf(matching), delete: true }, (job) => showProgress(id, WORDS, job))
          .then(
            (end) => showEnd(id, WORDS, end),
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

/** Reads what is on the screen anew, and everything else when it is next shown. */
export async function refresh(queryClient: QueryClient, collection: string): Promise<void> {
  forgetLists(queryClient, collection)
  await queryClient.refetchQueries({ queryKey: ['records', collection], type: 'active' })
}

const WORDS: BulkWords = {
  doing: 'Deleting',
  done: (count) => `Deleted ${records(count)}`,
  couldNotStop: 'The deletion could not be stopped',
}
