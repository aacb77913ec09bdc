import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { failureText } from '#web/client/problem-text.ts'
import { notify } from '#web/kit/toast/notify.ts'
import { t } from '#web/language/t.ts'
import { pendingDeletions } from '../pending-deletions.ts'
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
      const id = `delete-matching-${crypto.randomUUID()}`
      const commit = async (): Promise<void> => {
        notify.dismiss(id)
        await sendBulk(queryClient, collection, { where: whereOf(picked), delete: true }).then(
          (said) => said && notify.success(t('Deleted {records}', { records: records(said.deleted) })),
          async (error: unknown) => {
            notify.error(t('Nothing was deleted'), { detail: failureText(error).detail })
            await refreshList(queryClient, collection)
          },
        )
      }
      const { undo } = pendingDeletions.begin({ ids: [], commit })
      const run = (): void => {
        undo()
        notify.dismiss(id)
      }
      notify.info(t('All matching records will be deleted'), { id, action: { label: t('Undo'), run } })
    },
    [collection, queryClient],
  )
}
