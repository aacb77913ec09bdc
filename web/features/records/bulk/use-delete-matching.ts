import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type DeletionWay, pendingDeletions } from '#web/client/pending-deletions.ts'
import { failureText } from '#web/client/problem-text.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { t } from '#web/language/t.ts'
import { records } from './job-words.ts'
import { type Picked, whereOf } from './picked.ts'
import { refreshList, sendBulk } from './send-bulk.ts'

/**
 * Deletes every record of a list but some, however many there are, with a way back as long as nothing is sent; what is
 * too much for one go is done by the server bit by bit, and can be stopped.
 */
export function useDeleteMatching(collection: string): (picked: Picked) => void {
  const queryClient = useQueryClient()
  return useCallback(
    (picked) => {
      const commit = (way: DeletionWay): Promise<void> =>
        sendBulk(queryClient, collection, { where: whereOf(picked), delete: true }, way).then(
          (said) => void (said && notify.success(t('Deleted {records}', { records: records(said.deleted) }))),
          async (error: unknown) => {
            notify.error(t('Nothing was deleted'), { detail: failureText(error).detail })
            await refreshList(queryClient, collection)
          },
        )
      pendingDeletions.begin({ ids: [], said: t('All matching records will be deleted'), commit })
    },
    [collection, queryClient],
  )
}
